// SPDX-License-Identifier: GPL-2.0
/*
 * The tracing directory: finding it, reading and writing its files with the
 * errno kept, and the words for what goes wrong.
 *
 * libtracefs reads and writes files of instances, but not those of tracers/NAME,
 * and its tracefs_instance_file_write() does not see what fails at close.
 * tracefs_error_last() takes a '^' in a pattern for the end of an entry.
 *
 * FTRACE_MUX_TRACING_DIR names another directory than the mounted one.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <tracefs.h>
#include "term/term.h"
#include "tracefs/tfs.h"

#define DIR_VARIABLE	"FTRACE_MUX_TRACING_DIR"

static char *dir;

const char *tfs_dir(void)
{
	return dir;
}

char *tfs_path(const char *fmt, ...)
{
	va_list ap;
	char *rel, *res;

	va_start(ap, fmt);
	if (vasprintf(&rel, fmt, ap) < 0)
		rel = xstrdup("");
	va_end(ap);
	res = xasprintf("%s/%s", dir, rel);
	free(rel);
	return res;
}

/* Mounting is the administrator's business: say how, do not do it. */
static int find_dir(void)
{
	const char *env = getenv(DIR_VARIABLE);
	const char *path = NULL;

	if (env && *env) {
		dir = xstrdup(env);
		tracefs_set_tracing_dir(dir);
		return FTM_OK;
	}
	if (tracefs_tracing_dir_is_mounted(false, &path) > 0 && path) {
		dir = xstrdup(path);
		return FTM_OK;
	}
	if (access("/sys/kernel/tracing", F_OK)) {
		ftm_err("/sys/kernel/tracing: this kernel has no tracefs (CONFIG_FTRACE)");
		return FTM_NOKERNEL;
	}
	ftm_err("tracefs is not mounted; as root: mount -t tracefs nodev /sys/kernel/tracing");
	return FTM_FAIL;
}

int tfs_init(void)
{
	char *path;
	int err, ret;

	tracefs_set_loglevel(ftm.verbose > 1 ? TEP_LOG_DEBUG : TEP_LOG_NONE);
	tep_set_loglevel(ftm.verbose > 1 ? TEP_LOG_DEBUG : TEP_LOG_NONE);
	if (dir)
		return FTM_OK;
	ret = find_dir();
	if (ret)
		return ret;
	path = tfs_path("current_tracer");
	if (!access(path, R_OK))
		goto out;
	err = errno;
	if (err == ENOENT && getenv(DIR_VARIABLE) && *getenv(DIR_VARIABLE)) {
		ftm_err(DIR_VARIABLE "=%s: not a tracing directory, %s is missing; unset the variable or correct it",
			dir, path);
		ret = FTM_FAIL;
	} else if (err == ENOENT) {
		ftm_err("%s: missing: this kernel has no tracers (CONFIG_FUNCTION_TRACER)", path);
		ret = FTM_NOKERNEL;
	} else {
		ret = tfs_fail("reading", path, err);
	}
out:
	free(path);
	return ret;
}

char *tfs_read(const char *path)
{
	size_t size = 0, cap = 4096;
	char *buf = NULL;
	ssize_t n;
	int fd, err;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	do {
		buf = xrealloc(buf, cap + 1);
		n = read(fd, buf + size, cap - size);
		if (n > 0)
			size += n;
		if (cap - size < 1024)
			cap *= 2;
	} while (n > 0 || (n < 0 && errno == EINTR));
	err = errno;
	close(fd);
	if (n < 0) {
		free(buf);
		errno = err;
		return NULL;
	}
	buf[size] = '\0';
	return buf;
}

char *tfs_read_line(const char *path)
{
	char *s = tfs_read(path);

	if (s)
		s[strcspn(s, "\n")] = '\0';
	return s;
}

long tfs_read_long(const char *path, long dflt)
{
	char *s = tfs_read_line(path);
	long res;

	if (!s || !parse_num(s, 0, 0x7fffffffffffffffL, &res))
		res = dflt;
	free(s);
	return res;
}

static int write_flags(const char *path, const char *s, int flags)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | flags);
	size_t len = strlen(s);
	int err = 0;

	if (fd < 0)
		return -1;
	while (len) {
		ssize_t n = write(fd, s, len);

		if (n < 0 && errno == EINTR && !ftm_stop)
			continue;
		if (n <= 0) {
			err = n ? errno : EIO;
			break;
		}
		s += n;
		len -= n;
	}
	/* the filter files do their work at close */
	if (close(fd) && !err)
		err = errno;
	errno = err;
	return err ? -1 : 0;
}

int tfs_write(const char *path, const char *s)
{
	return write_flags(path, s, O_TRUNC);
}

int tfs_append(const char *path, const char *s)
{
	return write_flags(path, s, O_APPEND);
}

bool tfs_exists(const char *path)
{
	return !access(path, F_OK);
}

/* The last entry of DIR/error_log, its lines joined by blanks; or NULL. */
char *tfs_error_log(const char *d)
{
	char *path = xasprintf("%s/error_log", d);
	char *text = tfs_read(path), *last, *p, *res = NULL;
	struct strlist lines = { };

	free(path);
	if (!text)
		return NULL;
	/* an entry begins "[  123.456789] subsystem: error: ..." */
	for (last = p = text; *p; p += strcspn(p, "\n"), p += *p == '\n')
		if (*p == '[')
			last = p;
	strlist_split(&lines, last, "\n");
	if (lines.n) {
		p = strstr(lines.v[0], "] ");
		res = xasprintf("%s%s%s", p ? p + 2 : lines.v[0],
				lines.n > 1 ? ":" : "", lines.n > 1 ? lines.v[1] : "");
	}
	strlist_free(&lines);
	free(text);
	return res;
}

/* Reports a failed step on a file with its remedy; returns the exit code. */
int tfs_fail(const char *what, const char *path, int err)
{
	const char *remedy = "";

	if (err == EACCES || err == EPERM)
		remedy = "; run as root (the tracing files are root's)";
	else if (err == EBUSY)
		remedy = "; another program has it open";
	else if (err == ENOSPC || err == ENOMEM)
		remedy = "; the kernel is out of memory, try a smaller --buffer";
	ftm_err("%s: %s: %s%s", what, path, strerror(err), remedy);
	return ftm_exit_errno(err);
}

/* Writes, reports, frees @path: one step of a command. */
int tfs_set(char *path, const char *value)
{
	int ret = FTM_OK;

	progress_begin("writing %s", path);
	if (tfs_write(path, value))
		ret = tfs_fail("writing", path, errno);
	progress_end();
	free(path);
	return ret;
}

/* FTM_OK when the kernel has @file, which only a multiplexing one has. */
int tfs_need_mux(const char *file)
{
	char *path = tfs_path("%s", file);
	bool there = tfs_exists(path);

	if (!there)
		ftm_err("%s: missing: this kernel does not multiplex (CONFIG_FTRACE_MUX)",
			path);
	free(path);
	return there ? FTM_OK : FTM_NOKERNEL;
}
