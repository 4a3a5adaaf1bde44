// SPDX-License-Identifier: GPL-2.0
/* Recording from tracers that run already: trace-cmd in a mount namespace of its own. */
#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>
#include "recording/stand-in.h"
#include "tracefs/tfs.h"

static void mount_or_exit(const char *from, const char *to, unsigned long flags)
{
	if (!mount(from, to, NULL, flags, NULL))
		return;
	ftm_err("--attach: mounting %s: %s", to, strerror(errno));
	_exit(126);
}

/* First the buffers into the stand-in, then the stand-in with them into the tracer's place. */
static void put_in_place(const char *tracer, const char *name)
{
	char *from = tfs_path("instances/%s", tracer), *to = tfs_path("instances/%s", name);
	char *buffers = xasprintf("%s/per_cpu", from), *place = xasprintf("%s/per_cpu", to);

	mount_or_exit(buffers, place, MS_BIND);
	mount_or_exit(to, from, MS_BIND | MS_REC);
	free(place);
	free(buffers);
	free(to);
	free(from);
}

/*
 * Where else tracefs is mounted, such as in debugfs. trace-cmd takes the first one that it finds,
 * and there the tracers would stand in their places themselves.
 */
static struct strlist other_places(void)
{
	FILE *f = setmntent("/proc/self/mounts", "r");
	char *ours = realpath(tfs_dir(), NULL);
	struct strlist places = { };
	struct mntent *m;

	while (f && ours && (m = getmntent(f)))
		if (!strcmp(m->mnt_type, "tracefs") && strcmp(m->mnt_dir, ours))
			strlist_add(&places, m->mnt_dir);
	if (f)
		endmntent(f);
	free(ours);
	return places;
}

static void unmount_others(void)
{
	struct strlist places = other_places();
	size_t i;

	for (i = 0; i < places.n; i++)
		if (umount2(places.v[i], MNT_DETACH)) {
			ftm_err("--attach: unmounting %s: %s", places.v[i], strerror(errno));
			_exit(126);
		}
	strlist_free(&places);
}

static void enter_namespace(const struct stand_ins *s)
{
	size_t i;

	if (unshare(CLONE_NEWNS)) {
		ftm_err("--attach: a mount namespace: %s; it needs CAP_SYS_ADMIN", strerror(errno));
		_exit(126);
	}
	mount_or_exit("none", "/", MS_REC | MS_PRIVATE);
	unmount_others();
	for (i = 0; i < s->tracers.n; i++)
		put_in_place(s->tracers.v[i], s->names.v[i]);
}

/* Nothing of ours ends later because this process has it open, but the stand-ins do. */
static void hold(const struct stand_ins *s, int stop, int child)
{
	int low = stop < child ? stop : child, high = stop < child ? child : stop;
	size_t i;

	close_range(STDERR_FILENO + 1, low - 1, 0);
	close_range(low + 1, high - 1, 0);
	close_range(high + 1, ~0U, 0);
	for (i = 0; i < s->names.n; i++) {
		char *path = tfs_path("instances/%s/tracing_on", s->names.v[i]);

		open(path, O_RDONLY | O_CLOEXEC);
		free(path);
	}
}

/* Those that were not stopped already come into @stopped. */
static void stop_tracers(const struct stand_ins *s, struct strlist *stopped)
{
	size_t i;

	for (i = 0; i < s->tracers.n; i++) {
		char *path = tfs_path("instances/%s/tracing_on", s->tracers.v[i]);

		if (tfs_read_long(path, 0) && !tfs_write(path, "0"))
			strlist_add(stopped, path);
		free(path);
	}
}

static void wait_between(const struct stand_ins *s, pid_t pid, int stop, int child)
{
	/* the end of one pipe, or that nobody reads the other one: trace-cmd has ended */
	struct pollfd fds[] = { { .fd = stop, .events = POLLIN }, { .fd = child } };
	struct strlist stopped = { };
	int status = 0;
	size_t i;

	while (poll(fds, ARRAY_SIZE(fds), -1) < 0 && errno == EINTR)
		;
	stop_tracers(s, &stopped);
	close(child);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	for (i = 0; i < s->tracers.n; i++)
		s->counts[i] = count_read(s->tracers.v[i]);
	for (i = 0; i < stopped.n; i++)
		tfs_write(stopped.v[i], "1");
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

static size_t counts_size(const struct stand_ins *s)
{
	return s->tracers.n * sizeof(*s->counts);
}

int stand_in_count(struct stand_ins *s)
{
	void *p = mmap(NULL, counts_size(s), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		       -1, 0);

	if (p == MAP_FAILED) {
		ftm_err("--attach: memory: %s", strerror(errno));
		return FTM_FAIL;
	}
	s->counts = p;
	return FTM_OK;
}

int stand_in_fork(const struct stand_ins *s, int stop)
{
	int fds[2];
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC)) {
		ftm_err("pipe: %s", strerror(errno));
		_exit(126);
	}
	pid = fork();
	if (!pid) {
		close(fds[1]);
		close(stop);
		enter_namespace(s);
		return fds[0];
	}
	/* Ctrl-C is not for it */
	setsid();
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	close(fds[0]);
	if (pid < 0) {
		ftm_err("fork: %s", strerror(errno));
		_exit(126);
	}
	hold(s, stop, fds[1]);
	wait_between(s, pid, stop, fds[1]);
	return -1;
}

void stand_in_say(const struct stand_ins *s)
{
	struct strlist others = other_places();
	size_t i;

	for (i = 0; i < others.n; i++)
		printf("umount --lazy %s\n", others.v[i]);
	strlist_free(&others);
	for (i = 0; i < s->tracers.n; i++) {
		char *tracer = tfs_path("instances/%s", s->tracers.v[i]);
		char *name = tfs_path("instances/%s", s->names.v[i]);

		printf("mkdir %s\nmount --bind %s/per_cpu %s/per_cpu\nmount --rbind %s %s\n", name,
		       tracer, name, name, tracer);
		free(name);
		free(tracer);
	}
}

void stand_in_free(struct stand_ins *s)
{
	if (s->counts)
		munmap(s->counts, counts_size(s));
	strlist_free(&s->tracers);
	strlist_free(&s->names);
}
