// SPDX-License-Identifier: GPL-2.0
/*
 * poke-events [-s] FILE COMMAND [ARG...]: runs COMMAND and writes what perf is
 * told about the kernel's text being poked meanwhile: a line `TIME ADDRESS OLD
 * NEW` for each, in order of time for each processor. With -s what it is told
 * about generated code with a symbol: `TIME + ADDRESS NAME` when it comes, and -
 * when it goes. Exit status: COMMAND's, or 2 if that does not work or events were
 * lost.
 */
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_CPUS	8
#define RING_SIZE	(16ul << 20)

struct poke {
	struct perf_event_header header;
	__u64 addr;
	__u16 old_len, new_len;
	__u8 bytes[];
};

struct symbol {
	struct perf_event_header header;
	__u64 addr;
	__u32 len;
	__u16 type;
	__u16 flags;
	char name[];
};

static bool symbols;

static void die(const char *what)
{
	perror(what);
	exit(2);
}

static int open_events(int cpu)
{
	struct perf_event_attr attr = {
		.type		= PERF_TYPE_SOFTWARE,
		.size		= sizeof(attr),
		.config		= PERF_COUNT_SW_DUMMY,
		.sample_type	= PERF_SAMPLE_TIME,
		.sample_id_all	= 1,
		.text_poke	= !symbols,
		.ksymbol	= symbols,
	};

	return syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static struct perf_event_mmap_page *map_ring(int fd)
{
	void *ring = mmap(NULL, RING_SIZE + getpagesize(), PROT_READ | PROT_WRITE, MAP_SHARED,
			  fd, 0);

	if (ring == MAP_FAILED)
		die("mmap");
	return ring;
}

static void print_bytes(FILE *out, const __u8 *bytes, unsigned int len)
{
	fputc(' ', out);
	while (len--)
		fprintf(out, "%02x", *bytes++);
}

/* The last thing in each event */
static unsigned long long time_of(const struct perf_event_header *event)
{
	__u64 time;

	memcpy(&time, (char *)event + event->size - sizeof(time), sizeof(time));
	return time;
}

static void print_symbol(FILE *out, const struct symbol *symbol)
{
	fprintf(out, "%llu %c %016llx %s\n", time_of(&symbol->header),
		symbol->flags & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER ? '-' : '+',
		(unsigned long long)symbol->addr, symbol->name);
}

static void print_poke(FILE *out, const struct poke *poke)
{
	fprintf(out, "%llu %llx", time_of(&poke->header), (unsigned long long)poke->addr);
	print_bytes(out, poke->bytes, poke->old_len);
	print_bytes(out, poke->bytes + poke->old_len, poke->new_len);
	fputc('\n', out);
}

/* The ring is as large as all there is to come: it has not wrapped round. */
static bool print_ring(FILE *out, struct perf_event_mmap_page *ring)
{
	char *data = (char *)ring + getpagesize();
	struct perf_event_header *event;
	__u64 pos;

	for (pos = 0; pos < ring->data_head; pos += event->size) {
		event = (void *)(data + pos);
		if (event->type == PERF_RECORD_TEXT_POKE)
			print_poke(out, (void *)event);
		else if (event->type == PERF_RECORD_KSYMBOL)
			print_symbol(out, (void *)event);
		else if (event->type == PERF_RECORD_LOST)
			return false;
	}
	return true;
}

static int run(char **argv)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		execvp(argv[0], argv);
		die(argv[0]);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		die(argv[0]);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}

int main(int argc, char **argv)
{
	struct perf_event_mmap_page *rings[MAX_CPUS];
	int fds[MAX_CPUS];
	int cpu, status, nr = sysconf(_SC_NPROCESSORS_ONLN);
	FILE *out;

	symbols = argc > 1 && !strcmp(argv[1], "-s");
	argc -= symbols;
	argv += symbols;
	if (argc < 3 || nr > MAX_CPUS)
		return 2;
	out = fopen(argv[1], "w");
	if (!out)
		die(argv[1]);
	for (cpu = 0; cpu < nr; cpu++) {
		fds[cpu] = open_events(cpu);
		if (fds[cpu] < 0)
			die("perf_event_open");
		rings[cpu] = map_ring(fds[cpu]);
	}
	status = run(argv + 2);
	for (cpu = 0; cpu < nr; cpu++)
		if (ioctl(fds[cpu], PERF_EVENT_IOC_DISABLE))
			die("PERF_EVENT_IOC_DISABLE");
	for (cpu = 0; cpu < nr; cpu++) {
		if (print_ring(out, rings[cpu]))
			continue;
		fprintf(stderr, "poke-events: events were lost\n");
		status = 2;
	}
	return fclose(out) ? 2 : status;
}
