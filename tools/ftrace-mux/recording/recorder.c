// SPDX-License-Identifier: GPL-2.0
/* The two processes of a recording. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "recording/recorder.h"

#define READY_FD	3	/* a shell need not know more than nine */

char *find_program(const char *name)
{
	const char *path = getenv("PATH");
	struct strlist dirs = { };
	char *res = NULL;
	size_t i;

	if (strchr(name, '/'))
		return access(name, X_OK) ? NULL : xstrdup(name);
	strlist_split(&dirs, path ? path : "/bin:/usr/bin", ":");
	for (i = 0; !res && i < dirs.n; i++) {
		res = xasprintf("%s/%s", dirs.v[i], name);
		if (access(res, X_OK)) {
			free(res);
			res = NULL;
		}
	}
	strlist_free(&dirs);
	return res;
}

void recorder_shell(struct strlist *argv, const char *value, const char *path)
{
	strlist_add(argv, "sh");
	strlist_add(argv, "-c");
	strlist_add(argv, "echo >&3; exec 3>&-; read x; [ -z \"$1\" ] || echo \"$1\" >\"$2\"");
	strlist_add(argv, "ftrace-mux");
	strlist_add(argv, value);
	strlist_add(argv, path);
}

static void default_signals(void)
{
	static const int sigs[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE };
	struct sigaction old;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sigs); i++) {
		sigaction(sigs[i], NULL, &old);
		if (old.sa_handler != SIG_IGN)
			signal(sigs[i], SIG_DFL);
	}
}

static void exec_recorder(const struct strlist *argv, int ready, int stop)
{
	char **v = xcalloc(argv->n + 1, sizeof(*v));

	memcpy(v, argv->v, argv->n * sizeof(*v));
	default_signals();
	/* Ctrl-C ends the command; the recording ends after it */
	setsid();
	stop = fcntl(stop, F_DUPFD_CLOEXEC, 10);
	ready = fcntl(ready, F_DUPFD_CLOEXEC, 10);
	dup2(stop, STDIN_FILENO);
	dup2(ready, READY_FD);
	dup2(STDERR_FILENO, STDOUT_FILENO);
	execvp(v[0], v);
	_exit(127);
}

static bool read_byte(int fd)
{
	char c;
	ssize_t n;

	do {
		n = read(fd, &c, 1);
	} while (n < 0 && errno == EINTR && !ftm_stop);
	return n == 1;
}

int recorder_start(struct recorder *r, const struct strlist *argv, const struct stand_ins *s)
{
	int ready[2], stop[2], status;

	if (pipe2(ready, O_CLOEXEC) || pipe2(stop, O_CLOEXEC)) {
		ftm_err("pipe: %s", strerror(errno));
		return FTM_FAIL;
	}
	fflush(NULL);
	r->pid = fork();
	if (!r->pid)
		exec_recorder(argv, ready[1], s->names.n ? stand_in_fork(s, stop[0]) : stop[0]);
	close(ready[1]);
	close(stop[0]);
	r->stop = stop[1];
	if (r->pid > 0 && read_byte(ready[0])) {
		close(ready[0]);
		return FTM_OK;
	}
	close(ready[0]);
	status = r->pid > 0 ? recorder_stop(r) : 127;
	if (ftm_stop)
		ftm_err("interrupted before the recording began");
	else
		ftm_err("trace-cmd ended with status %d before the recording began", status);
	return FTM_FAIL;
}

static int wait_status(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return 127;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int recorder_stop(struct recorder *r)
{
	close(r->stop);
	return wait_status(r->pid);
}

static void exec_command(char **argv, int go)
{
	default_signals();
	if (!read_byte(go))
		_exit(127);
	if (ftm.json)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	execvp(argv[0], argv);
	fprintf(stderr, "ftrace-mux: %s: %s\n", argv[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

int command_make(struct command *c, char **argv)
{
	int go[2];

	if (pipe2(go, O_CLOEXEC)) {
		ftm_err("pipe: %s", strerror(errno));
		return FTM_FAIL;
	}
	fflush(NULL);
	c->pid = fork();
	if (!c->pid) {
		close(go[1]);
		exec_command(argv, go[0]);
	}
	close(go[0]);
	c->go = go[1];
	if (c->pid > 0)
		return FTM_OK;
	ftm_err("%s: %s", argv[0], strerror(errno));
	close(c->go);
	c->pid = 0;
	return FTM_FAIL;
}

void command_go(struct command *c)
{
	if (!c->pid)
		return;
	if (write(c->go, "", 1) != 1)
		ftm_err("starting the command: %s", strerror(errno));
	close(c->go);
	c->go = -1;
}

void command_wait(struct command *c)
{
	if (c->pid)
		c->status = wait_status(c->pid);
	c->pid = 0;
}

/* End a command that has not begun. */
void command_cancel(struct command *c)
{
	if (c->pid && c->go >= 0)
		close(c->go);
	command_wait(c);
}

/* A signal of the terminal reaches the command by itself: send only others. */
static void pass_on(const struct command *c, int sig)
{
	bool terminal = isatty(STDIN_FILENO) && tcgetpgrp(STDIN_FILENO) == getpgrp();

	if (sig != SIGINT || !terminal)
		kill(c->pid, sig);
}

static long long now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static void on_child(int sig)
{
	(void)sig;
}

/* Has a child ended?  It can still be waited for. */
static bool has_ended(pid_t pid)
{
	siginfo_t info = { };

	return waitid(P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid;
}

void record_wait(const struct recorder *r, const struct command *c, double seconds)
{
	const struct sigaction child = { .sa_handler = on_child };
	long long end = now_ns() + (long long)(seconds * 1e9), left = 0;
	static const int sigs[] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD };
	sigset_t block, old;
	bool passed = false;
	size_t i;

	/* a signal comes in ppoll() or is seen before it */
	sigemptyset(&block);
	for (i = 0; i < ARRAY_SIZE(sigs); i++)
		sigaddset(&block, sigs[i]);
	sigaction(SIGCHLD, &child, NULL);
	sigprocmask(SIG_BLOCK, &block, &old);
	while (!has_ended(r->pid) && !(c->pid && has_ended(c->pid))) {
		struct timespec ts;

		if (ftm_stop && (passed || !c->pid))
			break;
		if (ftm_stop) {
			pass_on(c, ftm_stop);
			passed = true;
			ftm_stop = 0;
		}
		left = end - now_ns();
		if (seconds && left <= 0)
			break;
		ts.tv_sec = left / 1000000000;
		ts.tv_nsec = left % 1000000000;
		if (ppoll(NULL, 0, seconds ? &ts : NULL, &old) < 0 && errno != EINTR)
			break;
	}
	sigprocmask(SIG_SETMASK, &old, NULL);
	signal(SIGCHLD, SIG_DFL);
	/* it was meant to end the recording, not what follows */
	ftm_stop = 0;
}
