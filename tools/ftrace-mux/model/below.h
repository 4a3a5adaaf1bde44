/* SPDX-License-Identifier: GPL-2.0 */
/* The functions that a function_graph tracer begins at: set_graph_function, for --graph. */
#ifndef FTM_BELOW_H
#define FTM_BELOW_H

#include "base/ftm.h"

/* The plugin of a tracer with --graph (@any) that has @plugin, or NULL: none was given. */
const char *below_plugin(const char *plugin, bool any);
/* Checks and completes patterns; the kernel knows no modules here.  enum ftm_exit; reports. */
int below_resolve(const struct strlist *in, struct strlist *out);
/* @path is a set_graph_function; without @functions there is no limit. */
int below_set(const char *path, const struct strlist *functions);
/* Its functions; -1: there is no such file. */
int below_read(const char *path, struct strlist *functions);

#endif
