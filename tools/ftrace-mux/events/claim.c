// SPDX-License-Identifier: GPL-2.0
/*
 * The tracers whose events a command reads.  Each has one reader at a time: two
 * would each see a part.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "events/claim.h"
#include "tracefs/state.h"
#include "tracefs/tfs.h"

/* The lock lives as long as the process. */
int stream_claim(const char *name)
{
	char *dir = xasprintf("%s/watch", state_dir()), *path = xasprintf("%s/%s", dir, name);
	char pid[32];
	ssize_t n;
	int fd, ret = FTM_OK;

	fd = -1;
	if (!state_make_dir() && (!mkdir(dir, 0755) || errno == EEXIST))
		fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0) {
		ret = tfs_fail("locking", path, errno);
	} else if (flock(fd, LOCK_EX | LOCK_NB)) {
		n = pread(fd, pid, sizeof(pid) - 1, 0);
		pid[n < 0 ? 0 : n] = '\0';
		ftm_err("%s: is read already, by process %s; each would see only a part",
			name, *pid ? pid : "unknown");
		ret = FTM_FAIL;
	} else {
		n = snprintf(pid, sizeof(pid), "%d", (int)getpid());
		if (ftruncate(fd, 0) || pwrite(fd, pid, n, 0) != n)
			ftm_info("%s: %s", path, strerror(errno));
	}
	free(path);
	free(dir);
	return ret;
}

int stream_choose(struct tracers *ts, char **names, size_t n, struct tracer **chosen,
		  size_t *count)
{
	size_t i;

	*count = 0;
	for (i = 0; i < n; i++) {
		struct tracer *t = tracers_find(ts, names[i]);

		if (t && !tracer_has_buffer(t))
			ftm_err("%s: has no buffer to read", t->name);
		else if (t)
			chosen[(*count)++] = t;
	}
	if (*count < n)
		return FTM_FAIL;
	for (i = 0; !n && i < ts->n; i++)
		if (ts->v[i].on && tracer_has_buffer(&ts->v[i]))
			chosen[(*count)++] = &ts->v[i];
	if (*count)
		return FTM_OK;
	ftm_err("no tracer is on; see ftrace-mux add, ftrace-mux enable");
	return FTM_FAIL;
}
