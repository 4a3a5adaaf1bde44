// SPDX-License-Identifier: GPL-2.0
/*
 * What the benchmark does in the guest: system calls in short batches, and
 * writes to files of tracefs, timed without the start of a process. Under
 * -icount a nanosecond of CLOCK_MONOTONIC is an instruction of the guest.
 *
 *   muxbench write FILE TEXT   nanoseconds of the write, and of the CPU time in
 *                              it: open (which truncates, as the shell's `>`),
 *                              write, and close, where a filter takes effect
 *   muxbench cpu FILE TEXT     that CPU time, a word of TEXT at a time, of CPU time
 *   muxbench cpu FILE          CPU time of reading the file to its end
 *   muxbench system            NAME NANOSECONDS-PER-CALL, the minimum of short
 *                              batches
 *   muxbench exit              nothing: what `system` executes
 */

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long clock_of(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static long long now(void)
{
	return clock_of(CLOCK_MONOTONIC);
}

/* Of this process: interrupts count, waiting does not */
static long long cpu_time(void)
{
	return clock_of(CLOCK_PROCESS_CPUTIME_ID);
}

static int open_or_die(const char *file, int flags)
{
	int fd = open(file, flags);

	if (fd < 0)
		err(1, "%s", file);
	return fd;
}

static void close_or_die(int fd, const char *file)
{
	if (close(fd))
		err(1, "%s", file);
}

/* Words that a filter takes one at a time */
static void write_words(const char *file, const char *text)
{
	int fd = open_or_die(file, O_WRONLY | O_TRUNC);
	ssize_t took;

	for (; *text; text += took) {
		took = write(fd, text, strlen(text));
		if (took <= 0)
			err(1, "%s: '%s'", file, text);
	}
	close_or_die(fd, file);
}

static void read_all(const char *file)
{
	static char text[65536];
	int fd = open_or_die(file, O_RDONLY);
	ssize_t got;

	while ((got = read(fd, text, sizeof(text))) > 0)
		;
	if (got)
		err(1, "%s", file);
	close_or_die(fd, file);
}

static void timed_write(const char *file, const char *text)
{
	size_t len = strlen(text);
	long long start = now(), cpu = cpu_time();
	int fd = open_or_die(file, O_WRONLY | O_TRUNC);

	if (len && write(fd, text, len) != (ssize_t)len)
		err(1, "%s: '%s'", file, text);
	close_or_die(fd, file);
	cpu = cpu_time() - cpu;
	printf("%lld %lld\n", now() - start, cpu);
}

/* TEXT is NULL: read */
static long long cpu_time_of(const char *file, const char *text)
{
	long long start;

	/* Page faults of this program do not count */
	if (mlockall(MCL_CURRENT))
		err(1, "mlockall");
	start = cpu_time();
	if (text)
		write_words(file, text);
	else
		read_all(file);
	return cpu_time() - start;
}

static int zero, ping[2], pong[2];

static void do_getppid(void)
{
	syscall(SYS_getppid);
}

static void do_read(void)
{
	char c;

	if (read(zero, &c, 1) != 1)
		err(1, "/dev/zero");
}

/* To the other process and back */
static void do_pipe(void)
{
	char c = 0;

	if (write(ping[1], &c, 1) != 1 || read(pong[0], &c, 1) != 1)
		err(1, "pipe");
}

static void do_fork(void)
{
	static char *const argv[] = { "muxbench", "exit", NULL };
	static char *const envp[] = { NULL };
	int status;
	pid_t pid = fork();

	if (pid < 0)
		err(1, "fork");
	if (!pid) {
		execve("/proc/self/exe", argv, envp);
		_exit(127);
	}
	if (waitpid(pid, &status, 0) != pid || status)
		errx(1, "the child failed");
}

static pid_t start_echo(void)
{
	pid_t pid;
	char c;

	if (pipe(ping) || pipe(pong))
		err(1, "pipe");
	pid = fork();
	if (pid < 0)
		err(1, "fork");
	if (pid)
		return pid;
	close(ping[1]);
	while (read(ping[0], &c, 1) == 1) {
		if (write(pong[1], &c, 1) != 1)
			break;
	}
	_exit(0);
}

static void batches(const char *name, void (*fn)(void), int count, int per)
{
	long long min = 0;
	int i, j;

	for (i = 0; i < count; i++) {
		long long start = now(), took;

		for (j = 0; j < per; j++)
			fn();
		took = now() - start;
		if (!i || took < min)
			min = took;
	}
	printf("%s %.1f\n", name, (double)min / per);
}

static void run_system(void)
{
	pid_t echo;

	setvbuf(stdout, NULL, _IOLBF, 0);
	zero = open("/dev/zero", O_RDONLY);
	if (zero < 0)
		err(1, "/dev/zero");
	batches("getppid", do_getppid, 300, 10);
	batches("read", do_read, 300, 10);
	echo = start_echo();
	batches("pipe", do_pipe, 200, 5);
	close(ping[1]);
	waitpid(echo, NULL, 0);
	batches("fork", do_fork, 30, 1);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "exit"))
		return 0;
	if (argc == 2 && !strcmp(argv[1], "system")) {
		run_system();
		return 0;
	}
	if ((argc == 3 || argc == 4) && !strcmp(argv[1], "cpu")) {
		printf("%lld\n", cpu_time_of(argv[2], argv[3]));
		return 0;
	}
	if (argc != 4 || strcmp(argv[1], "write"))
		errx(2, "usage: muxbench system | cpu FILE [TEXT] | write FILE TEXT");
	timed_write(argv[2], argv[3]);
	return 0;
}
