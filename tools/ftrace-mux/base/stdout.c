// SPDX-License-Identifier: GPL-2.0
/*
 * Standard output: a signal ends a write to a full pipe, and a full disk does not look like
 * success.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/ftm.h"

/*
 * A write() that a signal interrupts returns what it has written by then.
 * stdio would write the rest, and wait for a reader after ftm_stop is set.
 * What a command prints after that signal is written as before.
 */
static ssize_t write_until_stopped(void *cookie, const char *buf, size_t size)
{
	size_t done = 0;
	ssize_t n;

	(void)cookie;
	do {
		n = write(STDOUT_FILENO, buf + done, size - done);
		if (n > 0)
			done += n;
	} while (done < size && !ftm_stop && (n >= 0 || errno == EINTR));
	return done;
}

/* Before the first output. Without memory, stdout stays what it is. */
void ftm_open_stdout(void)
{
	cookie_io_functions_t functions = { .write = write_until_stopped };
	FILE *f = fopencookie(NULL, "w", functions);

	if (!f)
		return;
	if (isatty(STDOUT_FILENO))
		setvbuf(f, NULL, _IOLBF, BUFSIZ);
	stdout = f;
}

/*
 * A full disk must not look like success.  But when a signal ends the command,
 * a write to a terminal or to a pipe without a reader may be cut short.
 */
int ftm_close_stdout(int ret)
{
	int err = ferror(stdout) && !ftm_stop;

	errno = 0;
	if (fflush(stdout) || err) {
		if (errno == EPIPE || ftm_pipe)
			return ret;
		fprintf(stderr, "ftrace-mux: writing standard output: %s\n",
			errno ? strerror(errno) : "failed");
		return ret ? ret : FTM_FAIL;
	}
	return ret;
}
