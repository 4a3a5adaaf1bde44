// SPDX-License-Identifier: GPL-2.0
/*
 * perf-function FILTER: counts perf's function events that match the filter
 * (`ip == mt_fn04`), on all processors. Prints their number whenever a byte
 * comes from standard input, until that is a q. A program of the guest, not of
 * the kernel.
 */
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EVENT_ID	"/sys/kernel/tracing/events/ftrace/function/id"
#define MAX_CPUS	64

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static int event_id(void)
{
	FILE *file = fopen(EVENT_ID, "r");
	int id;

	if (!file || fscanf(file, "%d", &id) != 1)
		fail(EVENT_ID);
	fclose(file);
	return id;
}

static unsigned long long total(const int *fds, int nr)
{
	unsigned long long sum = 0, count;
	int i;

	for (i = 0; i < nr; i++) {
		if (read(fds[i], &count, sizeof(count)) != sizeof(count))
			fail("read");
		sum += count;
	}
	return sum;
}

int main(int argc, char **argv)
{
	struct perf_event_attr attr = {
		.type	= PERF_TYPE_TRACEPOINT,
		.size	= sizeof(attr),
		.config	= event_id(),
		.disabled = 1,
		.sample_period = 0,
	};
	int cpus = sysconf(_SC_NPROCESSORS_ONLN);
	int fds[MAX_CPUS];
	char c;
	int i;

	if (argc != 2 || cpus > MAX_CPUS)
		return 2;
	for (i = 0; i < cpus; i++) {
		fds[i] = syscall(SYS_perf_event_open, &attr, -1, i, -1, 0);
		if (fds[i] < 0)
			fail("perf_event_open");
		if (ioctl(fds[i], PERF_EVENT_IOC_SET_FILTER, argv[1]))
			fail("filter");
		if (ioctl(fds[i], PERF_EVENT_IOC_ENABLE, 0))
			fail("enable");
	}
	puts("ready");
	fflush(stdout);
	while (read(0, &c, 1) > 0 && c != 'q') {
		printf("%llu\n", total(fds, cpus));
		fflush(stdout);
	}
	return 0;
}
