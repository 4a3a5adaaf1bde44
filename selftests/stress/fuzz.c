// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz [-s SEED] [-n WRITES] [-p PROCESSES] [-d N] [-w N]: writes what is right, nearly
 * right and plain wrong into the files of the function tracers, in the tracefs
 * that is the current directory, from several processes at once. Meanwhile
 * instances come and go, files are read, and function_mux_check is asked.
 *
 * Each process makes its own random numbers of the seed. The same
 * arguments give the same choices, though not the same timing.
 *
 * A word that makes the kernel look at the names of all functions takes a
 * hundred times longer than one that does not: one in N (-d) is of that kind,
 * 0 for none. One in N of these (-w) selects all functions of the kernel.
 *
 * Exit status: 0, 1 if function_mux_check found something, 2 for a bad call.
 */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define PICK(a)		((a)[rnd(ARRAY_SIZE(a))])
#define MAX_PROCESSES	64
#define WORD_MAX	8192
#define FILES		4	/* that a process has open at a time */

enum { OPEN, WRITE, READ, SEEK, INSTANCE, CHECK, CALLS };

static const char * const call_name[CALLS] = {
	"open", "write", "read", "lseek", "instances", "check",
};

/* What each process did; shared memory, for the parent's report */
static struct counts {
	unsigned long of[CALLS][256];	/* by errno, 0: success */
	unsigned long writes;
} *counts;
static volatile bool *stop;

static struct counts *mine;
static unsigned long state;
static unsigned long dear, whole;

/* xorshift64 */
static unsigned long rnd(unsigned long n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 11) % n;
}

static bool one_in(unsigned long n)
{
	return n && !rnd(n);
}

static long counted(int call, long ret)
{
	mine->of[call][ret < 0 ? errno & 255 : 0]++;
	mine->writes += call == WRITE;
	return ret;
}

/* What is written to a file; the last kind is only read */
enum kind { TRACERS, FILTER, OPTIONS, OTHER };

static const char * const tracer[] = {
	"trace", "trace", "f0", "f1", "f2", "f3", "f0-2", "trace_profile", "trace_graph", "nosuch",
};

static const char * const glob[] = {
	"mt_fn0*", "mt_fn?1", "mt_fn[0-2]3", "*_fn2*", "*fn31", "mt_*5", "mt_fn07", "vfs_read",
	"vfs_w*e", "*sys_getpp*", "mt_fn[!0-2]*", "mt_fn[z-a]", "mt_fn[", "mt_fn\\*", "nosuch*",
	"mt fn", ".mt_fn", "-1",
};

static const char * const command[] = {
	"traceon", "traceoff", "stacktrace", "snapshot", "enable_event:sched:sched_switch",
	"disable_event:sched:sched_switch", "enable_event:no:such", "traceo", "TRACEON", "mod", "",
};

static const char * const times[] = {
	"", "", ":1", ":3", ":0", ":-1", ":unlimited", ":0x10", ":1:2", ":99999999999999999999",
};

static const char * const module[] = { "mux_test", "mux_*", "nosuch", "", "mux_test:x" };
static const char * const number[] = { "0", "0x20", "17x", "1000000", "99999999999999999999999" };
static const char * const space[] = { " ", "\n", "\t", " \n ", "\n\n", "\r\n", "\v" };

static const char * const option[] = {
	"function-mux", "nofunction-mux", "1", "0", "0\n", "1\n", "2", "-1", "function-mu",
	"function-muxx", "nofunction_mux",
};

static size_t garbage(char *s, size_t max)
{
	size_t n = 1 + rnd(max), i;

	for (i = 0; i < n; i++)
		s[i] = rnd(256);
	return n;
}

/* The line of a function in available_filter_functions: few, so that tracers share them */
static unsigned long function(void)
{
	return 1 + 271 * rnd(48);
}

/* One of the functions that tracers never lose: without any they would trace the whole kernel */
static size_t anchor(char *s)
{
	return sprintf(s, "%lu\n", 100 + rnd(20));
}

/* With a digit in front it is not looked for among the names */
static size_t long_word(char *s)
{
	size_t n = 400 + rnd(one_in(4) ? 7000 : 500);

	memset(s, '7', n);
	return n;
}

/* A word for which the kernel goes through the names of all functions */
static size_t dear_word(char *s)
{
	const char *not = one_in(4) ? "!" : "";

	if (one_in(whole))
		return sprintf(s, "*%s", one_in(2) ? ":mod:!nosuch" : "");
	switch (rnd(7)) {
	case 0:
		return sprintf(s, "%s%s:mod:%s", not, one_in(3) ? "" : PICK(glob), PICK(module));
	case 1:
		/* Not two exclamation marks: a command with these makes stock ftrace warn */
		return sprintf(s, "%s:%s%s", PICK(glob), PICK(command), PICK(times));
	case 2:
		return garbage(s, 40);
	default:
		return sprintf(s, "%s%s", not, PICK(glob));
	}
}

static size_t cheap_word(char *s)
{
	switch (rnd(16)) {
	case 0:
		return sprintf(s, "!%lu", function());
	case 1:
		return sprintf(s, "%lu:%s%s", function(), PICK(command), PICK(times));
	case 2:
		return sprintf(s, "!%s:%s%s", one_in(2) ? "*" : PICK(glob), command[rnd(4)],
			       one_in(2) ? ":1" : "");
	case 3:
		return sprintf(s, "%lu:mod:%s", function(), PICK(module));
	case 4:
		return long_word(s);
	case 5:
		return sprintf(s, "%s:nosuch%s", PICK(glob), PICK(times));
	case 6:
		return sprintf(s, "%s", PICK(number));
	case 7:
		/* Not looked for among the names either, as there is no such command */
		s[0] = ':';
		return 1 + garbage(s + 1, 200);
	default:
		return sprintf(s, "%lu", function());
	}
}

/* Some words; the next write may continue the last one. Sometimes one byte is changed */
static size_t filter_text(char *s)
{
	size_t len = 0;
	int n;

	for (n = 1 + rnd(4); n && len < WORD_MAX; n--) {
		len += one_in(dear) ? dear_word(s + len) : cheap_word(s + len);
		if (n > 1 || !one_in(4))
			len += sprintf(s + len, "%s", PICK(space));
	}
	if (one_in(2 * dear))
		s[rnd(len)] ^= 1 << rnd(8);
	return len;
}

static size_t tracers_text(char *s)
{
	switch (rnd(8)) {
	case 0:
		return garbage(s, 100);
	case 1:
		return long_word(s);
	case 2:
		return sprintf(s, "%s%s%s", PICK(tracer), PICK(space), PICK(tracer));
	default:
		return sprintf(s, "%s%s%s", one_in(8) ? PICK(space) : "", PICK(tracer),
			       one_in(4) ? "" : PICK(space));
	}
}

static size_t text_for(enum kind kind, char *s)
{
	switch (kind) {
	case FILTER:
		return filter_text(s);
	case TRACERS:
		return tracers_text(s);
	default:
		return one_in(6) ? garbage(s, 100) : (size_t)sprintf(s, "%s", PICK(option));
	}
}

static struct file {
	int		fd;
	enum kind	kind;
	bool		writable;
} files[FILES];

static enum kind pick_file(char *path)
{
	static const char * const other[] = {
		"function_mux", "enabled_functions", "tracers/trace/id", "tracers/f1/functions",
		"tracers/f0/id", "available_filter_functions", "error_log",
	};
	const char *which = one_in(3) ? "set_ftrace_notrace" : "set_ftrace_filter";

	switch (rnd(12)) {
	case 0:
		sprintf(path, "%s", PICK(other));
		return OTHER;
	case 1 ... 3:
		sprintf(path, "function_tracers");
		return TRACERS;
	case 4:
		sprintf(path, one_in(2) ? "trace_options" : "options/function-mux");
		return OPTIONS;
	case 5 ... 6:
		sprintf(path, "%s", which);
		return FILTER;
	case 7:
		sprintf(path, "instances/f%lu/%s", rnd(4), which);
		return FILTER;
	default:
		sprintf(path, "tracers/%s/%s", PICK(tracer), which);
		return FILTER;
	}
}

/* Give the kernel a text in pieces as large as it takes them, or smaller ones. Stops at an error */
static void write_text(struct file *f, const char *s, size_t len)
{
	size_t most = one_in(3) ? 1 + rnd(len) : len, n, done = 0;
	long ret;

	if (one_in(40)) {
		counted(WRITE, write(f->fd, (void *)8, len));
		return;
	}
	while (done < len) {
		n = len - done < most ? len - done : most;
		ret = counted(WRITE, write(f->fd, s + done, n));
		if (ret <= 0)
			return;
		done += ret;
	}
}

static void open_file(struct file *f)
{
	static const int modes[] = { O_WRONLY, O_WRONLY, O_RDWR };
	char path[128], s[32];
	bool empty;
	int flags;

	f->kind = pick_file(path);
	f->writable = f->kind != OTHER && !one_in(4);
	empty = one_in(4);
	flags = (f->writable ? PICK(modes) : O_RDONLY) | (one_in(2) ? O_APPEND : 0);
	f->fd = counted(OPEN, open(path, flags | (empty ? O_TRUNC : 0)));
	if (empty && f->fd >= 0 && f->writable && f->kind == FILTER && !one_in(10 * whole))
		counted(WRITE, write(f->fd, s, anchor(s)));
}

static void read_some(int fd)
{
	char buf[4096];
	size_t size = one_in(2) ? 1 : 1 + rnd(sizeof(buf));
	int n = 1 + rnd(100);

	while (n-- && counted(READ, read(fd, buf, size)) > 0)
		;
}

static void use_file(struct file *f)
{
	static const int whence[] = { SEEK_SET, SEEK_CUR, SEEK_END };
	char s[2 * WORD_MAX];

	switch (rnd(8)) {
	case 0:
		read_some(f->fd);
		break;
	case 1:
		counted(SEEK, lseek(f->fd, (long)rnd(300) - 20, PICK(whence)));
		break;
	case 2:
		close(f->fd);
		f->fd = -1;
		break;
	default:
		if (f->writable)
			write_text(f, s, text_for(f->kind, s));
		else
			read_some(f->fd);
	}
}

static long put(const char *dir, const char *name, int flags, const char *text)
{
	char path[128];
	long ret = -1;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_WRONLY | flags);
	if (fd >= 0) {
		ret = write(fd, text, strlen(text));
		close(fd);
	}
	return ret;
}

/* Shrink a filter that has grown, and remove commands: with much traced all is slow. Not counted */
static void tidy(const char *dir)
{
	char s[64];
	int i;

	anchor(s);
	put(dir, "set_ftrace_filter", O_TRUNC, s);
	for (i = 0; i < 4; i++) {
		sprintf(s, "!*:%s%s", command[i], one_in(2) ? ":1" : "");
		put(dir, "set_ftrace_filter", O_APPEND, s);
	}
}

/* An instance comes or goes, or its tracer does, or one of the top level does */
static void change_tracers(void)
{
	static const char * const what[] = { "function", "function", "function_graph", "nop" };
	char dir[32], s[32];

	sprintf(dir, one_in(4) ? "." : "instances/f%lu", rnd(4));
	tidy(dir);
	sprintf(s, "tracers/%s", PICK(tracer));
	tidy(s);
	if (*dir != '.' && !counted(INSTANCE, mkdir(dir, 0755))) {
		put(dir, "buffer_size_kb", O_TRUNC, "16");
		anchor(s);
		put(dir, "set_ftrace_filter", O_TRUNC, s);
		put(dir, "current_tracer", O_TRUNC, "function");
	} else if (*dir != '.' && one_in(3)) {
		counted(INSTANCE, rmdir(dir));
	} else if (one_in(3)) {
		counted(INSTANCE, put(".", "function_profile_enabled", O_TRUNC,
				      one_in(2) ? "1" : "0"));
	} else {
		counted(INSTANCE, put(dir, "current_tracer", O_TRUNC, PICK(what)));
	}
}

static bool check(void)
{
	char buf[4096];
	int fd = counted(CHECK, open("function_mux_check", O_RDONLY));
	long n = fd < 0 ? -1 : read(fd, buf, sizeof(buf) - 1);
	bool ok = n > 3 && !memcmp(buf, "ok:", 3);

	if (fd >= 0)
		close(fd);
	if (!ok)
		printf("function_mux_check: %.*s\n", n > 0 ? (int)n : 8, n > 0 ? buf : "no text\n");
	return ok;
}

static int run(unsigned long number, unsigned long seed, unsigned long writes)
{
	int i;

	mine = &counts[number];
	state = (seed * MAX_PROCESSES + number + 1) * 0x9e3779b97f4a7c15;
	for (i = 0; i < FILES; i++)
		files[i].fd = -1;

	while (mine->writes < writes && !*stop) {
		struct file *f = &PICK(files);

		if (one_in(60)) {
			change_tracers();
		} else if (one_in(100) && !check()) {
			*stop = true;
			return 1;
		} else if (f->fd < 0) {
			open_file(f);
		} else {
			use_file(f);
		}
	}
	for (i = 0; i < FILES; i++) {
		if (files[i].fd >= 0)
			close(files[i].fd);
	}
	return check() ? 0 : 1;
}

static void report(unsigned long processes, unsigned long seed, double seconds)
{
	struct counts all = { };
	unsigned long i, call, e;

	for (i = 0; i < processes; i++) {
		all.writes += counts[i].writes;
		for (call = 0; call < CALLS; call++) {
			for (e = 0; e < ARRAY_SIZE(all.of[call]); e++)
				all.of[call][e] += counts[i].of[call][e];
		}
	}

	printf("seed %lu: %lu writes of %lu processes in %.1f s, %.0f a minute\n",
	       seed, all.writes, processes, seconds, all.writes * 60 / seconds);
	for (call = 0; call < CALLS; call++) {
		printf("%s: %lu good", call_name[call], all.of[call][0]);
		for (e = 1; e < ARRAY_SIZE(all.of[call]); e++) {
			if (all.of[call][e])
				printf(", %lu %s", all.of[call][e], strerrorname_np(e));
		}
		printf("\n");
	}
}

int main(int argc, char **argv)
{
	static const char options[] = "s:n:p:d:w:";
	unsigned long value[] = { 1, 1000, 4, 16, 40 }, seed, writes, processes, i, n;
	struct timespec begin, end;
	int opt, status, child, bad = 0;

	while ((opt = getopt(argc, argv, options)) != -1) {
		const char *name = strchr(options, opt);

		if (!name)
			return 2;
		value[(name - options) / 2] = strtoul(optarg, NULL, 0);
	}
	seed = value[0];
	writes = value[1];
	processes = value[2];
	dear = value[3];
	whole = value[4];
	if (optind != argc || !processes || processes > MAX_PROCESSES)
		return 2;

	counts = mmap(NULL, MAX_PROCESSES * sizeof(*counts) + sizeof(*stop), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (counts == MAP_FAILED)
		return 2;
	stop = (bool *)(counts + MAX_PROCESSES);

	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (i = 0; i < processes; i++) {
		if (!fork())
			exit(run(i, seed, (writes + i) / processes));
	}
	for (n = 1; (child = waitpid(-1, &status, WNOHANG)) >= 0; n++) {
		if (child)
			bad |= status;
		else
			usleep(100000);
		/* Shows where a system got stuck */
		for (i = 0; !(n % 600) && i < processes; i++)
			fprintf(stderr, "# process %lu: %lu writes\n", i, counts[i].writes);
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	report(processes, seed, end.tv_sec - begin.tv_sec + (end.tv_nsec - begin.tv_nsec) / 1e9);
	return bad ? 1 : 0;
}
