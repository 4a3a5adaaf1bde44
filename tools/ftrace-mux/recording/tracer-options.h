/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a recording has of a call besides its function: stack, arguments and
 * return value.  The kernel's tracers have options for them.
 */
#ifndef FTM_TRACER_OPTIONS_H
#define FTM_TRACER_OPTIONS_H

#include "recording/request.h"

#define TRACER_OPTIONS	3

/* What the top level has before trace-cmd starts */
struct tracer_options {
	char *before[TRACER_OPTIONS];
};

/* Can the kernel and the tracer's plugin record what is asked for?  enum ftm_exit; reports. */
int tracer_options_check(const struct record *r, const struct rec_tracer *t);
void tracer_options_argv(const struct rec_tracer *t, struct strlist *argv);	/* of trace-cmd */
void tracer_options_note(struct tracer_options *o);
int tracer_options_set(const struct record *r, const struct tracer_options *o);
void tracer_options_free(struct tracer_options *o);

#endif
