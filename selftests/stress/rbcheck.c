// SPDX-License-Identifier: GPL-2.0
/*
 * A reader of the raw pages of a trace buffer that checks everything, and a load for it.
 *
 *   rbcheck read DIR [CPU]
 *	reads DIR/per_cpu/cpuN/trace_pipe_raw until SIGTERM, and then what is left, of all
 *	processors or of one. DIR is tracefs or one of its instances. Prints NAME VALUE, one per
 *	line: pages, events, lost, unnumbered (pages after losses without their number), nested
 *	(absolute time stamps), irq, nmi, errors; and `pid PID EVENTS`. Each event must be one of
 *	the function tracers', have the length that those have, and no time may be before that of
 *	the event before it.
 *
 *   rbcheck look DIR
 *	the same with what is there now
 *
 *   rbcheck map DIR
 *	maps the buffer of each processor, prints `mapped`, and keeps it so until SIGTERM
 *
 *   rbcheck load CALLS CPUS MICROSECONDS
 *	a process on each of CPUS processors makes CALLS getppid(), with a timer's signal that
 *	often. Prints their PIDs
 *
 *   a page:  u64 time stamp | u64 bytes of data, bit 31: events lost, bit 30: their number
 *            follows the data | data
 *   data:    u32 header: 5 bits type_len, 27 bits time_delta | ...
 *            1-28 event of 4 * type_len bytes, 0 of the length that follows, 29 padding,
 *            30 more of the delta, 31 absolute time
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_CPUS	8
#define MAX_PAGE	65536
#define MAX_PIDS	4096

enum { PADDING = 29, EXTEND, STAMP };

#define HARDIRQ		0x08
#define NMI		0x40
#define TS_MSB		(0xf8ULL << 56)

/* An event as the tracer declares it in its format file */
struct format {
	const char	*name;
	unsigned int	id, size;
	unsigned int	calltime, rettime;	/* offsets, 0: none */
};

static struct format formats[] = {
	{ .name = "function" }, { .name = "funcgraph_entry" }, { .name = "funcgraph_exit" },
};

static struct cpu {
	int		fd;
	unsigned long long	last;		/* time of the last event */
} cpus[MAX_CPUS];

static unsigned long pages, events, lost, unnumbered, nested, irq, nmi, errors;
static struct {
	int		pid;
	unsigned long	events;
} pids[MAX_PIDS];

static volatile sig_atomic_t stop;

static void on_term(int sig)
{
	(void)sig;
	stop = 1;
}

static void bad(int cpu, const char *what, unsigned int at, unsigned long long a,
		unsigned long long b)
{
	if (errors++ < 10)
		printf("# cpu %d, page %lu, offset %u: %s: %llx, %llx\n", cpu, pages, at, what,
		       a, b);
}

static unsigned int u32_at(const void *p)
{
	unsigned int v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static unsigned long long u64_at(const void *p)
{
	unsigned long long v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* ID, size of the fixed part, and where the times are */
static void read_format(const char *dir, struct format *f)
{
	unsigned int offset, size;
	char name[512], line[512], *at;
	FILE *file;

	snprintf(name, sizeof(name), "%s/events/ftrace/%s/format", dir, f->name);
	file = fopen(name, "r");
	if (!file)
		err(1, "%s", name);
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "ID: %u", &f->id) == 1)
			continue;
		at = strstr(line, "offset:");
		if (!at || sscanf(at, "offset:%u;\tsize:%u;", &offset, &size) != 2)
			continue;
		if (offset + size > f->size)
			f->size = offset + size;
		if (strstr(line, " calltime;"))
			f->calltime = offset;
		if (strstr(line, " rettime;"))
			f->rettime = offset;
	}
	fclose(file);
}

static void count_pid(int pid)
{
	unsigned int i = (unsigned int)pid % MAX_PIDS;

	while (pids[i].events && pids[i].pid != pid)
		i = (i + 1) % MAX_PIDS;
	pids[i].pid = pid;
	pids[i].events++;
}

static void check_event(int cpu, const unsigned char *data, unsigned int length,
			unsigned int at, unsigned long long ts)
{
	unsigned int id = data[0] | data[1] << 8, i;
	const struct format *f = NULL;
	int pid;

	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (formats[i].id == id)
			f = &formats[i];
	if (!f) {
		bad(cpu, "no event of a function tracer", at, id, length);
		return;
	}
	/* The length is a multiple of 4 */
	if (length != ((f->size + 3) & ~3u))
		bad(cpu, "length", at, length, f->size);
	pid = (int)u32_at(data + 4);
	if (pid < 0)
		bad(cpu, "pid", at, (unsigned int)pid, id);
	else
		count_pid(pid);
	if (!(u64_at(data + 8) >> 63))
		bad(cpu, "not the address of a function", at, u64_at(data + 8), id);
	if (f->rettime && u64_at(data + f->rettime) > ts)
		bad(cpu, "recorded before the return", at, ts, u64_at(data + f->rettime));
	if (f->rettime && u64_at(data + f->calltime) > u64_at(data + f->rettime))
		bad(cpu, "times of the return", at, u64_at(data + f->calltime),
		    u64_at(data + f->rettime));
	irq += !!(data[2] & HARDIRQ);
	nmi += !!(data[2] & NMI);
	events++;
}

static void check_page(int cpu, const unsigned char *p, unsigned int size)
{
	unsigned long long ts = u64_at(p), commit = u64_at(p + 8), delta;
	unsigned int end = commit & 0xfffff, at = 0, type, length;
	const unsigned char *data = p + 16;
	unsigned int head;

	pages++;
	if (end + 16 > size) {
		bad(cpu, "more data than a page has", 0, commit, size);
		return;
	}
	if (commit & 1u << 31) {
		/* There is not always room for the number */
		if (commit & 1u << 30)
			lost += u64_at(data + end);
		else
			unnumbered++;
	}
	while (at < end) {
		head = u32_at(data + at);
		type = head & 31;
		delta = head >> 5;
		length = type * 4;
		if (type == PADDING && !delta)
			break;
		if (type == EXTEND || type == STAMP) {
			delta |= (unsigned long long)u32_at(data + at + 4) << 27;
			ts = type == EXTEND ? ts + delta : (delta | (ts & TS_MSB));
			nested += type == STAMP;
			at += 8;
		} else {
			if (type == 0 || type == PADDING)
				length = u32_at(data + at + 4);
			if (!length || length % 4 || at + 4 + length > end) {
				bad(cpu, "length of an event", at, head, length);
				return;
			}
			/* The delta of a discarded event counts too */
			ts += delta;
			if (type == 0)
				check_event(cpu, data + at + 8, length - 4, at, ts);
			else if (type != PADDING)
				check_event(cpu, data + at + 4, length, at, ts);
			at += 4 + length;
		}
		if (ts < cpus[cpu].last)
			bad(cpu, "time goes back", at, cpus[cpu].last, ts);
		cpus[cpu].last = ts;
	}
}

/* All that is there: did anything come? */
static bool drain(unsigned int size)
{
	static unsigned char buffer[MAX_PAGE];
	bool any = false;
	ssize_t n;
	int cpu;

	for (cpu = 0; cpu < MAX_CPUS; cpu++) {
		if (cpus[cpu].fd < 0)
			continue;
		n = read(cpus[cpu].fd, buffer, size);
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			err(1, "trace_pipe_raw of cpu %d", cpu);
		if (n <= 0)
			continue;
		any = true;
		check_page(cpu, buffer, n);
	}
	return any;
}

static unsigned int page_size(const char *dir)
{
	unsigned int kb = 0;
	char name[512];
	FILE *file;

	snprintf(name, sizeof(name), "%s/buffer_subbuf_size_kb", dir);
	file = fopen(name, "r");
	if (!file || fscanf(file, "%u", &kb) != 1 || !kb || kb * 1024 > MAX_PAGE)
		errx(1, "%s: no size of pages", name);
	fclose(file);
	return kb * 1024;
}

static int open_pages(const char *dir, int cpu)
{
	char name[512];

	snprintf(name, sizeof(name), "%s/per_cpu/cpu%d/trace_pipe_raw", dir, cpu);
	return open(name, O_RDONLY | O_NONBLOCK);
}

/* Of processor @only, or of all: -1 */
static int read_pages(const char *dir, bool wait, int only)
{
	unsigned int size = page_size(dir), i;
	int cpu;

	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		read_format("/sys/kernel/tracing", &formats[i]);
	for (cpu = 0; cpu < MAX_CPUS; cpu++) {
		cpus[cpu].fd = only < 0 || only == cpu ? open_pages(dir, cpu) : -1;
		if (cpus[cpu].fd < 0 && cpu == (only < 0 ? 0 : only))
			err(1, "%s: cpu %d", dir, cpu);
	}
	signal(SIGTERM, on_term);
	while (wait && !stop)
		if (!drain(size))
			usleep(1000);
	while (drain(size))
		;
	printf("pages %lu\nevents %lu\nlost %lu\n", pages, events, lost);
	printf("unnumbered %lu\n", unnumbered);
	printf("nested %lu\nirq %lu\nnmi %lu\nerrors %lu\n", nested, irq, nmi, errors);
	for (i = 0; i < MAX_PIDS; i++)
		if (pids[i].events)
			printf("pid %d %lu\n", pids[i].pid, pids[i].events);
	return errors != 0;
}

static int map_pages(const char *dir)
{
	unsigned int size = page_size(dir);
	int cpu, fd;

	for (cpu = 0; cpu < MAX_CPUS; cpu++) {
		fd = open_pages(dir, cpu);
		if (fd < 0 && cpu)
			break;
		if (fd < 0 || mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED)
			err(1, "%s: cpu %d", dir, cpu);
	}
	printf("mapped\n");
	fflush(stdout);
	pause();
	return 0;
}

static void on_alarm(int sig)
{
	(void)sig;
}

static void call_on(int cpu, long calls, int us)
{
	struct itimerval timer = { { 0, us }, { 0, us } };
	struct sigaction action = { .sa_handler = on_alarm, .sa_flags = SA_RESTART };
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(1, "cpu %d", cpu);
	sigaction(SIGALRM, &action, NULL);
	if (us)
		setitimer(ITIMER_REAL, &timer, NULL);
	while (calls--)
		syscall(SYS_getppid);
	_exit(0);
}

static int load(long calls, int nr, int us)
{
	int cpu, status, result = 0;
	pid_t pid;

	for (cpu = 0; cpu < nr; cpu++) {
		pid = fork();
		if (pid < 0)
			err(1, "fork");
		if (!pid)
			call_on(cpu, calls, us);
		printf("%d\n", pid);
		fflush(stdout);
	}
	while (wait(&status) > 0)
		result |= status;
	return result != 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "look"))
		return read_pages(argv[2], false, -1);
	if ((argc == 3 || argc == 4) && !strcmp(argv[1], "read"))
		return read_pages(argv[2], true, argc == 4 ? atoi(argv[3]) : -1);
	if (argc == 3 && !strcmp(argv[1], "map"))
		return map_pages(argv[2]);
	if (argc == 5 && !strcmp(argv[1], "load"))
		return load(atol(argv[2]), atoi(argv[3]), atoi(argv[4]));
	fprintf(stderr, "usage: rbcheck read DIR [CPU] | look|map DIR | load CALLS CPUS USECS\n");
	return 2;
}
