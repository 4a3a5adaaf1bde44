/* SPDX-License-Identifier: GPL-2.0 */
/* The tracing directory and its files. */
#ifndef FTM_TFS_H
#define FTM_TFS_H

#include "base/ftm.h"

int tfs_init(void);				/* enum ftm_exit */
const char *tfs_dir(void);
char *tfs_path(const char *fmt, ...) __printf(1, 2);
char *tfs_read(const char *path);		/* whole file, NULL and errno */
char *tfs_read_line(const char *path);		/* first line, trimmed */
long tfs_read_long(const char *path, long dflt);
int tfs_write(const char *path, const char *s);		/* truncates */
int tfs_append(const char *path, const char *s);
bool tfs_exists(const char *path);
char *tfs_error_log(const char *dir);		/* last entry or NULL */
int tfs_fail(const char *what, const char *path, int err);
int tfs_set(char *path, const char *value);	/* reports, frees @path */
int tfs_need_mux(const char *file);

#endif
