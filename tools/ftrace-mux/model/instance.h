/* SPDX-License-Identifier: GPL-2.0 */
/* Making tracers: instances that are set up before they start. */
#ifndef FTM_INSTANCE_H
#define FTM_INSTANCE_H

#include "base/ftm.h"

struct setup {
	const char *name;
	const char *plugin;		/* NULL: leave it at nop */
	struct strlist filter;		/* from patterns_resolve() */
	struct strlist notrace;
	struct strlist below;		/* from below_resolve() */
	struct strlist pids;
	struct strlist notrace_pids;
	long buffer_kb;			/* 0: the kernel's default */
	bool stopped;
	bool dry_run;
};

/* Makes it; until instance_keep() it is removed when this process ends. */
int instance_create(const struct setup *s);
void instance_keep(const char *name);
int instance_remove(const char *name);
bool instance_exists(const char *name);
/* Only function and function_graph see single functions */
bool plugin_valid(const char *plugin);
bool plugin_ok(const char *plugin);		/* does the kernel have it?  reports */
void setup_free(struct setup *s);

#endif
