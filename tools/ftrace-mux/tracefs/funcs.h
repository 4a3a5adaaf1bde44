/* SPDX-License-Identifier: GPL-2.0 */
/* The functions that can be traced: available_filter_functions. */
#ifndef FTM_FUNCS_H
#define FTM_FUNCS_H

#include "base/ftm.h"

struct func_match {
	size_t n;		/* as the kernel matches */
	size_t icase;		/* as libtracefs matches: in either case */
};

int funcs_load(void);		/* enum ftm_exit; harmless when repeated */
size_t funcs_nr(void);
bool funcs_has(const char *name);
const char *funcs_closest(const char *name);
struct func_match funcs_match(const char *glob, const char *module, struct strlist *res);
long funcs_count(const struct strlist *filter, const struct strlist *notrace);
/* Adds the indices of @name's functions; false: they are not fixed, or none. */
bool funcs_indices(const char *name, struct strlist *res);
char *funcs_syscall(const char *name);		/* "sys_x" as it is called here */
void funcs_free(void);

#endif
