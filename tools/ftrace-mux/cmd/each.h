/* SPDX-License-Identifier: GPL-2.0 */
/* What several commands do: one thing to each of the tracers that are named. */
#ifndef FTM_EACH_H
#define FTM_EACH_H

#include "model/tracer.h"

/*
 * @fn for each name behind the options; a glob stands for the tracers that it
 * matches and that @suits.  With @all, no name means every tracer that @suits.
 * @fn returns an exit code and reports.  After a failure the others follow.
 */
int each_tracer(int argc, char **argv, bool all, bool (*suits)(const struct tracer *t),
		int (*fn)(const struct tracer *t));

#endif
