// SPDX-License-Identifier: GPL-2.0
/* Standard output: a signal ends a write to a full pipe, and a full disk is an error. */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/ftm.h"

#define ROOM_MSEC	1000

static bool cut_short;		/* by a signal: not an error */

/* Is there room for PIPE_BUF bytes? A terminal may need a moment; a second signal ends the wait. */
static bool has_room(void)
{
	struct pollfd out = { .fd = STDOUT_FILENO, .events = POLLOUT };

	if (poll(&out, 1, ROOM_MSEC) > 0)
		return true;
	cut_short = true;
	return false;
}

/*
 * A write() that a signal interrupts returns what it has written by then.
 * stdio would write the rest, and wait for a reader that may never come.
 * After the signal, only what does not have to wait is written.
 */
static ssize_t write_until_stopped(void *cookie, const char *buf, size_t size)
{
	size_t done = 0;

	(void)cookie;
	while (done < size && (!ftm_stop || has_room())) {
		size_t most = ftm_stop && size - done > PIPE_BUF ? PIPE_BUF : size - done;
		ssize_t n = write(STDOUT_FILENO, buf + done, most);

		if (n < 0 && errno != EINTR)
			break;
		if (n > 0)
			done += n;
	}
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

/* A full disk must not look like success. That a pipe has lost its reader is no error. */
int ftm_close_stdout(int ret)
{
	errno = 0;
	if (fflush(stdout) || ferror(stdout)) {
		if (cut_short || errno == EPIPE || ftm_pipe)
			return ret;
		fprintf(stderr, "ftrace-mux: writing standard output: %s\n",
			errno ? strerror(errno) : "failed");
		return ret ? ret : FTM_FAIL;
	}
	return ret;
}
