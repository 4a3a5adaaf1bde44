/* SPDX-License-Identifier: GPL-2.0 */
/* Changing set_ftrace_filter and set_ftrace_notrace. */
#ifndef FTM_FILTER_H
#define FTM_FILTER_H

#include "base/ftm.h"

enum filter_mode { FILTER_SET, FILTER_APPEND, FILTER_REMOVE };

/*
 * The patterns in @text, parted by commas and blanks.  Without one it is an
 * error: in a script it comes from a variable that is not set.  @option is what
 * they were given to.  enum ftm_exit; reports.
 */
int patterns_parse(const char *option, const char *text, struct strlist *res);
/* Checks and completes patterns; all must match something. */
int patterns_resolve(const struct strlist *in, struct strlist *out);
void patterns_matches(const struct strlist *patterns, struct strlist *functions);
int patterns_read_file(const char *path, struct strlist *res);

/* @path is a tracer's filter file; @patterns come from patterns_resolve() */
int filter_change(const char *path, const struct strlist *patterns, enum filter_mode mode);
/* @words as they are, each after @prefix; 0, or -1 with errno */
int filter_write_words(const char *path, const struct strlist *words, const char *prefix,
		       int flags);
int filter_clear(const char *path);
/* Sets the lines that were read from such a file. */
int filter_restore(const char *path, const struct strlist *lines);

#endif
