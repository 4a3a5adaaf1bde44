// SPDX-License-Identifier: GPL-2.0
/* The file of a recording. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "recording/output.h"
#include "tracefs/state.h"

bool is_recording(const char *file)
{
	static const char magic[] = { 0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g' };
	char head[sizeof(magic)];
	FILE *f = fopen(file, "re");
	bool res = f && fread(head, sizeof(head), 1, f) == 1 && !memcmp(head, magic, sizeof(magic));

	if (f)
		fclose(f);
	return res;
}

static int fail(const char *path)
{
	int err = errno;

	ftm_err("%s: %s", path, strerror(err));
	return ftm_exit_errno(err);
}

/* The directory of @file, with its slash; "" is the working directory. */
static char *dir_of(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash ? xasprintf("%.*s", (int)(slash - file + 1), file) : xstrdup("");
}

int output_check(const char *file, bool force)
{
	char *dir = dir_of(file);
	struct stat st;
	int ret = FTM_OK;

	if (stat(*dir ? dir : ".", &st) || access(*dir ? dir : ".", W_OK | X_OK)) {
		ret = fail(*dir ? dir : ".");
	} else if (stat(file, &st)) {
		if (errno != ENOENT)
			ret = fail(file);
	} else if (!S_ISREG(st.st_mode)) {
		ftm_err("%s: is not a regular file, and a recording cannot replace it", file);
		ret = FTM_FAIL;
	} else if (st.st_size && !force && !is_recording(file)) {
		ftm_err("%s: exists and is not a recording; --force replaces it", file);
		ret = FTM_FAIL;
	}
	free(dir);
	return ret;
}

/* Removed even if we are killed; the list of such names is one of lines. */
static int note(struct output *o)
{
	o->noted = realpath(o->dir, NULL);
	if (o->noted && !strchr(o->noted, '\n') && state_add(o->noted))
		return FTM_FAIL;
	return FTM_OK;
}

int output_open(struct output *o, const char *file)
{
	char *real = realpath(file, NULL);	/* a link stays */
	char *dir;
	int ret = FTM_OK;

	o->file = xstrdup(real ? real : file);
	free(real);
	dir = dir_of(o->file);
	o->dir = xasprintf("%s.ftrace-mux.XXXXXX", dir);
	if (!mkdtemp(o->dir)) {
		ret = fail(*dir ? dir : ".");
		free(o->dir);
		o->dir = NULL;
	} else {
		o->tmp = xasprintf("%s/trace.dat", o->dir);
		ret = note(o);
	}
	free(dir);
	return ret;
}

int output_commit(struct output *o)
{
	return rename(o->tmp, o->file) ? fail(o->file) : FTM_OK;
}

void output_drop(struct output *o)
{
	DIR *d = o->dir ? opendir(o->dir) : NULL;
	struct dirent *e;

	while (d && (e = readdir(d)))
		unlinkat(dirfd(d), e->d_name, 0);
	if (d)
		closedir(d);
	if (o->dir && !rmdir(o->dir) && o->noted)
		state_forget(o->noted);
	free(o->noted);
	free(o->file);
	free(o->dir);
	free(o->tmp);
	memset(o, 0, sizeof(*o));
}
