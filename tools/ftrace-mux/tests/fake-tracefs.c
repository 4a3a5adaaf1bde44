// SPDX-License-Identifier: GPL-2.0
/*
 * Preloaded into the program under test: makes directories under
 * $FAKE_TRACING/instances behave as in tracefs, that is, they have files as
 * soon as they exist and can be removed with them.
 *
 * FAKE_FAIL=SUFFIX:ERRNO makes opening a path with that suffix for writing
 * fail; FAKE_FAIL_AFTER=N lets the first N pass.  FAKE_KILL=SUFFIX kills the
 * process there.  FAKE_SLOW=USEC is how long it takes to remove an instance.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int (*real_mkdir)(const char *path, mode_t mode);
static int (*real_rmdir)(const char *path);
static pid_t main_pid;		/* children are not killed */
static int (*real_open)(const char *path, int flags, ...);

static const struct {
	const char *name, *text;
} files[] = {
	{ "current_tracer", "nop\n" },
	{ "tracing_on", "1\n" },
	{ "buffer_size_kb", "1408\n" },
	{ "set_ftrace_filter", "#### all functions enabled ####\n" },
	{ "set_ftrace_notrace", "#### no functions disabled ####\n" },
	/* With the multiplexer only */
	{ "set_graph_function", "#### all functions enabled ####\n" },
	{ "set_ftrace_pid", "no pid\n" },
	{ "set_ftrace_notrace_pid", "no pid\n" },
	{ "set_event_pid", "" },
	{ "set_event_notrace_pid", "" },
	{ "error_log", "" },
	{ "trace", "# tracer: nop\n" },
	{ "trace_clock", "[local] global\n" },
	/* Where the top level has them */
	{ "options/func-args", "0\n" },
	{ "options/funcgraph-args", "0\n" },
};

__attribute__((constructor)) static void init(void)
{
	real_mkdir = dlsym(RTLD_NEXT, "mkdir");
	real_rmdir = dlsym(RTLD_NEXT, "rmdir");
	main_pid = getpid();
	real_open = dlsym(RTLD_NEXT, "open");
}

static int is_instance(const char *path)
{
	const char *dir = getenv("FAKE_TRACING");
	const char *rest;

	if (!dir || strncmp(path, dir, strlen(dir)))
		return 0;
	rest = path + strlen(dir);
	if (strncmp(rest, "/instances/", 11))
		return 0;
	return !strchr(rest + 11, '/');
}

static int top_has(const char *file)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", getenv("FAKE_TRACING"), file);
	return !access(path, F_OK);
}

static int has_file(const char *name)
{
	if (!strcmp(name, "set_graph_function"))
		return top_has("function_mux");
	return strncmp(name, "options/", 8) || top_has(name);
}

int mkdir(const char *path, mode_t mode)
{
	char file[4096];
	size_t i;
	int fd;

	if (!is_instance(path))
		return real_mkdir(path, mode);
	snprintf(file, sizeof(file), "%s/options", path);
	if (real_mkdir(path, 0755) || real_mkdir(file, 0755))
		return -1;
	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		if (!has_file(files[i].name))
			continue;
		snprintf(file, sizeof(file), "%s/%s", path, files[i].name);
		fd = real_open(file, O_WRONLY | O_CREAT, 0644);
		if (fd < 0 || write(fd, files[i].text, strlen(files[i].text)) < 0)
			return -1;
		close(fd);
	}
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	if (!at->level)
		return 0;
	return type == FTW_DP ? real_rmdir(path) : unlink(path);
}

int rmdir(const char *path)
{
	long slow;

	if (!is_instance(path))
		return real_rmdir(path);
	for (slow = getenv("FAKE_SLOW") ? atol(getenv("FAKE_SLOW")) : 0; slow > 0; slow -= 1000)
		usleep(1000);
	nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	return real_rmdir(path);
}

static int ends_with(const char *path, const char *suffix, size_t len)
{
	return strlen(path) >= len && !strncmp(path + strlen(path) - len, suffix, len);
}

static int must_fail(const char *path)
{
	static int passed;
	const char *fail = getenv("FAKE_FAIL"), *after = getenv("FAKE_FAIL_AFTER");
	const char *kill_at = getenv("FAKE_KILL");

	if (kill_at && getpid() == main_pid && ends_with(path, kill_at, strlen(kill_at)))
		kill(getpid(), SIGKILL);
	if (!fail || !strchr(fail, ':'))
		return 0;
	if (!ends_with(path, fail, strcspn(fail, ":")))
		return 0;
	if (after && passed++ < atoi(after))
		return 0;
	errno = atoi(strchr(fail, ':') + 1);
	return 1;
}

static int fake_open(const char *path, int flags, mode_t mode)
{
	if ((flags & O_ACCMODE) != O_RDONLY && must_fail(path))
		return -1;
	return real_open(path, flags, mode);
}

int open(const char *path, int flags, ...)
{
	va_list ap;
	mode_t mode;

	va_start(ap, flags);
	mode = flags & O_CREAT ? va_arg(ap, mode_t) : 0;
	va_end(ap);
	return fake_open(path, flags, mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));

/* What fortified libraries call; no header has it. */
int fake_open_2(const char *path, int flags) __asm__("__open_2");
int fake_open64_2(const char *path, int flags) __asm__("__open64_2")
	__attribute__((alias("__open_2")));

int fake_open_2(const char *path, int flags)
{
	return fake_open(path, flags, 0);
}
