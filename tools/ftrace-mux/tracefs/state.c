// SPDX-License-Identifier: GPL-2.0
/*
 * What must not outlive this process.
 *
 * Each command has its own file under /run/ftrace-mux, which it keeps
 * locked.  There it notes the instances that it makes for its own use, the
 * files of tracefs that it has written its PID to, and directories for files
 * that are not complete.  They are cleaned up
 *  - by the command itself, at its end or on a signal,
 *  - after a crash, by a child that waits for the end of the command and of
 *    the processes that still read its buffers, as trace-cmd may,
 *  - when the child is killed too, by the next ftrace-mux: a file that is not
 *    locked has no owner.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tracefs/state.h"
#include "tracefs/tfs.h"

static struct strlist ours;
static char *state_file;
static int state_fd = -1;
static int watcher_fd = -1;	/* its other end closes when we are gone */
static pid_t owner;

/* The tracing files may be open to others than root. */
const char *state_dir(void)
{
	const char *env = getenv("FTRACE_MUX_RUNDIR"), *xdg = getenv("XDG_RUNTIME_DIR");
	static char dir[512];

	if (env && *env)
		return env;
	if (!geteuid())
		return "/run/ftrace-mux";
	if (xdg && *xdg)
		snprintf(dir, sizeof(dir), "%s/ftrace-mux", xdg);
	else
		snprintf(dir, sizeof(dir), "/tmp/ftrace-mux-%u", (unsigned int)geteuid());
	return dir;
}

/* Makes it; in a directory that all may write to, it could be another's. */
int state_make_dir(void)
{
	struct stat st;

	if (mkdir(state_dir(), 0755) && errno != EEXIST)
		return -1;
	if (lstat(state_dir(), &st))
		return -1;
	if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid()) {
		errno = EPERM;
		return -1;
	}
	return 0;
}

static void stop_tracer(const char *instance)
{
	char *path = tfs_path("instances/%s/current_tracer", instance);

	tfs_write(path, "nop");
	free(path);
}

/* A reader takes a moment to close its buffers: tries again every 20 ms. */
int state_rmdir(const char *name, int tries)
{
	char *path = tfs_path("instances/%s", name);
	int ret;

	stop_tracer(name);
	while ((ret = rmdir(path)) && errno == EBUSY && --tries)
		usleep(20000);
	free(path);
	return ret;
}

/* Takes the PID in "PID FILE" out of that list of PIDs; the others stay. */
static void remove_pid(const char *entry)
{
	size_t len = strcspn(entry, " ");
	struct strlist pids = { };
	const char *path = entry + len + (entry[len] == ' ');
	char *pid = xasprintf("%.*s", (int)len, entry), *text = tfs_read(path), *rest;

	if (text)
		strlist_split(&pids, text, "\n ");
	if (strlist_has(&pids, pid)) {
		strlist_remove(&pids, pid);
		rest = strlist_join(&pids, " ");
		tfs_write(path, rest);
		free(rest);
	}
	strlist_free(&pids);
	free(text);
	free(pid);
}

/* A process may write there for another moment: false until the directory is removed. */
static bool remove_dir(const char *path)
{
	bool ours = strstr(path, "/.ftrace-mux.");
	DIR *d = ours ? opendir(path) : NULL;
	struct dirent *e;

	while (d && (e = readdir(d)))
		unlinkat(dirfd(d), e->d_name, 0);
	if (d)
		closedir(d);
	return !ours || !rmdir(path) || (errno != ENOTEMPTY && errno != EEXIST);
}

/* No instance's name has a slash; a PID and its file do not begin with one. */
static bool undo(const char *entry)
{
	if (*entry == '/')
		return remove_dir(entry);
	if (!strchr(entry, '/'))
		return !state_rmdir(entry, 50) || errno != EBUSY;
	remove_pid(entry);
	return true;
}

/*
 * The newest first; @file, which lists them, stays as long as one is in use.  All
 * tracers stop before the first instance is removed: then the kernel waits for
 * tasks that may still be in a stopped tracer, once for all of them.
 */
static bool undo_all(const struct strlist *entries, const char *file)
{
	bool all = true;
	size_t i;

	for (i = entries->n; i > 0; i--)
		if (!strchr(entries->v[i - 1], '/'))
			stop_tracer(entries->v[i - 1]);
	for (i = entries->n; i > 0; i--)
		all &= undo(entries->v[i - 1]);
	if (all)
		unlink(file);
	return all;
}

static bool undo_listed(const char *file)
{
	char *text = tfs_read(file);
	struct strlist names = { };
	bool all;

	if (text)
		strlist_split(&names, text, "\n");
	all = undo_all(&names, file);
	strlist_free(&names);
	free(text);
	return all;
}

/* Removes what commands left that were killed together with their watcher. */
void state_reap(void)
{
	struct dirent *e;
	struct stat st;
	DIR *d;

	/* nobody else may tell us what to remove */
	if (lstat(state_dir(), &st) || !S_ISDIR(st.st_mode) || st.st_uid != geteuid())
		return;
	d = opendir(state_dir());
	if (!d)
		return;
	while ((e = readdir(d))) {
		char *file;
		int fd;

		if (strncmp(e->d_name, "pid-", 4))
			continue;
		file = xasprintf("%s/%s", state_dir(), e->d_name);
		fd = open(file, O_RDWR | O_CLOEXEC);
		if (fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB)) {
			ftm_info("cleaning up after %s", e->d_name);
			undo_listed(file);
		}
		if (fd >= 0)
			close(fd);
		free(file);
	}
	closedir(d);
}

/* Waits for the other end of the pipe to close, for any reason. */
static void watcher(int fd)
{
	char c;

	prctl(PR_SET_NAME, "ftrace-mux-watch");
	setsid();
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	/* not one by one: while it is recorded, each call costs */
	if (fd)
		close_range(0, fd - 1, 0);
	close_range(fd + 1, ~0U, 0);
	open("/dev/null", O_RDWR);
	while (read(fd, &c, 1) < 0 && errno == EINTR)
		;
	/* until nobody uses them, or another command has removed them */
	while (!access(state_file, F_OK) && !undo_listed(state_file))
		sleep(1);
	_exit(0);
}

static int start_watcher(void)
{
	int fds[2];
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC))
		return -1;
	fflush(NULL);
	pid = fork();
	if (!pid) {
		/* twice, so that nobody has to wait for it */
		pid = fork();
		if (pid)
			_exit(0);
		close(fds[1]);
		watcher(fds[0]);
	}
	close(fds[0]);
	if (pid < 0) {
		close(fds[1]);
		return -1;
	}
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	watcher_fd = fds[1];
	return 0;
}

static int write_state(void)
{
	char *text = strlist_join(&ours, "\n");
	size_t len = strlen(text);
	int ret = 0;

	if (ftruncate(state_fd, 0) || pwrite(state_fd, text, len, 0) != (ssize_t)len)
		ret = -1;
	free(text);
	return ret;
}

static int state_open(void)
{
	int ret = -1;
	char *tmp;

	if (state_make_dir())
		return -1;
	tmp = xasprintf("%s/new-%d", state_dir(), (int)getpid());
	state_file = xasprintf("%s/pid-%d", state_dir(), (int)getpid());
	state_fd = open(tmp, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	/* named when it is locked: state_reap() never sees it without */
	if (state_fd >= 0 && !flock(state_fd, LOCK_EX | LOCK_NB))
		ret = rename(tmp, state_file);
	free(tmp);
	if (ret)
		return -1;
	owner = getpid();
	atexit(state_cleanup);
	return start_watcher();
}

/* @instance exists and is ours until state_forget() or state_cleanup(). */
int state_add(const char *instance)
{
	int ret = 0;

	strlist_add(&ours, instance);
	if (state_fd < 0)
		ret = state_open();
	if (!ret)
		ret = write_state();
	if (ret)
		ftm_err("%s: %s", state_dir(), strerror(errno));
	return ret;
}

static void add_self(const char *path)
{
	char *entry = xasprintf("%d %s", (int)getpid(), path);
	char *pid = xasprintf("%d ", (int)getpid());

	if (!strlist_has(&ours, entry) && !state_add(entry) && tfs_append(path, pid)) {
		ftm_info("%s: %s; this command sees itself", path, strerror(errno));
		state_forget(entry);
	}
	free(pid);
	free(entry);
}

/*
 * Leaves this process out of what the instance in @dir traces, calls and
 * events.  Where that cannot be, it is only told: on old kernels, or without
 * the right to write.
 */
void state_leave_out_self(const char *dir)
{
	static const char *const files[] = { "set_ftrace_notrace_pid", "set_event_notrace_pid" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		char *path = xasprintf("%s/%s", dir, files[i]);

		add_self(path);
		free(path);
	}
}

void state_forget(const char *instance)
{
	strlist_remove(&ours, instance);
	if (state_fd >= 0)
		write_state();
}

void state_cleanup(void)
{
	if (state_fd < 0 || owner != getpid())
		return;
	/* what is in use is left to the watcher */
	undo_all(&ours, state_file);
	strlist_free(&ours);
	close(watcher_fd);
	close(state_fd);
	state_fd = -1;
	free(state_file);
	state_file = NULL;
}

static char *remember_path(const char *name)
{
	return xasprintf("%s/plugin/%s", state_dir(), name);
}

/* The kernel's state is the truth; this is only a convenience. */
void remember_plugin(const char *name, const char *plugin)
{
	char *path = remember_path(name), *dir = xasprintf("%s/plugin", state_dir());
	FILE *f;

	unlink(path);
	if (plugin && strcmp(plugin, "function")) {
		f = NULL;
		if (!state_make_dir() && (!mkdir(dir, 0755) || errno == EEXIST))
			f = fopen(path, "we");
		if (f) {
			fprintf(f, "%s\n", plugin);
			fclose(f);
		}
	}
	free(dir);
	free(path);
}

char *remembered_plugin(const char *name)
{
	char *path = remember_path(name);
	char *s = tfs_read_line(path);

	free(path);
	return s;
}
