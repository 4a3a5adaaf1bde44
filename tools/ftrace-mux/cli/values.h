/* SPDX-License-Identifier: GPL-2.0 */
/* Reading the values of options; enum ftm_exit, and a message if it is not FTM_OK. */
#ifndef FTM_VALUES_H
#define FTM_VALUES_H

#include "base/ftm.h"

int plugin_parse(const char *plugin);
int parse_buffer(const char *s, long *kb);
int parse_pid_of(const char *option, const char *s, struct strlist *l);
/* The index of @s in @names */
int parse_choice(const char *option, const char *s, const char *const *names, size_t n, int *res);
int parse_seconds(const char *option, const char *s, double min, double max, double *res);

static inline int parse_pid(const char *s, struct strlist *l)
{
	return parse_pid_of("--pid", s, l);
}

#endif
