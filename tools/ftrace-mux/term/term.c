// SPDX-License-Identifier: GPL-2.0
/* The terminal: progress of slow steps, the pager, the size. */
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "term/term.h"

static char progress_text[256];
static volatile sig_atomic_t progress_shown;
static volatile sig_atomic_t progress_secs;
static int progress_depth;
static size_t step, steps;
static time_t steps_since;
static pid_t pager_pid;

/* Only async-signal-safe calls: it interrupts a write to tracefs. */
static void progress_tick(int sig)
{
	char secs[16], *p = secs + sizeof(secs);
	int n = progress_secs++;

	(void)sig;
	*--p = 's';
	*--p = ' ';
	do {
		*--p = '0' + n % 10;
		n /= 10;
	} while (n);
	progress_shown = 1;
	if (write(STDERR_FILENO, "\r", 1) < 0 ||
	    write(STDERR_FILENO, progress_text, strlen(progress_text)) < 0 ||
	    write(STDERR_FILENO, p, secs + sizeof(secs) - p) < 0)
		progress_shown = 0;
}

/* From now on step @i of @n runs; the time counts from the first step. */
void progress_step(size_t i, size_t n)
{
	step = n > 1 ? i : 0;
	steps = n;
	if (i <= 1)
		steps_since = time(NULL);
}

static void progress_clear(void)
{
	if (progress_shown)
		fputs("\r\033[K", stderr);
	progress_shown = 0;
}

/* After half a second says on a terminal what takes so long: the outermost of nested steps. */
void progress_begin(const char *fmt, ...)
{
	struct itimerval tv = { .it_interval.tv_sec = 1, .it_value.tv_usec = 500000 };
	struct sigaction sa = { .sa_handler = progress_tick, .sa_flags = SA_RESTART };
	size_t len = 0;
	va_list ap;

	if (progress_depth++ || !isatty(STDERR_FILENO) || ftm.verbose < 0)
		return;
	va_start(ap, fmt);
	if (step)
		len = snprintf(progress_text, sizeof(progress_text), "[%zu/%zu] ", step, steps);
	vsnprintf(progress_text + len, sizeof(progress_text) - 2 - len, fmt, ap);
	va_end(ap);
	strcat(progress_text, " ");
	progress_secs = step ? time(NULL) - steps_since : 0;
	if (progress_secs)
		tv.it_value = (struct timeval){ .tv_usec = 1 };
	ftm_before_message = progress_clear;
	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &tv, NULL);
}

void progress_end(void)
{
	struct itimerval off = { };

	if (--progress_depth > 0)
		return;
	progress_depth = 0;
	setitimer(ITIMER_REAL, &off, NULL);
	progress_clear();
}

/* Is the first word of @cmd a program? */
static bool runnable(const char *cmd)
{
	const char *path = getenv("PATH");
	struct strlist dirs = { };
	bool found = false;
	size_t i, len = strcspn(cmd, " ");

	if (memchr(cmd, '/', len))
		return true;
	strlist_split(&dirs, path ? path : "/usr/bin:/bin", ":");
	for (i = 0; i < dirs.n && !found; i++) {
		char *file = xasprintf("%s/%.*s", dirs.v[i], (int)len, cmd);

		found = !access(file, X_OK);
		free(file);
	}
	strlist_free(&dirs);
	return found;
}

void pager_start(void)
{
	const char *pager = getenv("FTRACE_MUX_PAGER");
	int fds[2];

	if (!pager)
		pager = getenv("PAGER");
	if (!pager)
		pager = "less";
	if (ftm.no_pager || ftm.json || !isatty(STDOUT_FILENO) || !*pager || !runnable(pager))
		return;
	if (pipe(fds))
		return;
	fflush(stdout);
	/* once it is a pipe, colours must be asked for */
	if (ftm.color == COLOR_AUTO && ftm_use_color())
		ftm.color = COLOR_YES;
	pager_pid = fork();
	if (pager_pid < 0) {
		pager_pid = 0;
	} else if (!pager_pid) {
		dup2(fds[0], STDIN_FILENO);
		close(fds[0]);
		close(fds[1]);
		/* As git does: no pager for what fits the screen, and colours */
		setenv("LESS", "FRSX", 0);
		execl("/bin/sh", "sh", "-c", pager, (char *)NULL);
		_exit(127);
	} else {
		dup2(fds[1], STDOUT_FILENO);
	}
	close(fds[0]);
	close(fds[1]);
}

void pager_end(void)
{
	if (!pager_pid)
		return;
	fflush(stdout);
	close(STDOUT_FILENO);
	waitpid(pager_pid, NULL, 0);
	pager_pid = 0;
}

void term_size(int *rows, int *cols)
{
	struct winsize ws;

	*rows = 24;
	*cols = 80;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws))
		return;
	/* a serial line may know only one of both */
	if (ws.ws_row)
		*rows = ws.ws_row;
	if (ws.ws_col)
		*cols = ws.ws_col;
}
