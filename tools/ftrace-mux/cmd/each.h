/* SPDX-License-Identifier: GPL-2.0 */
/* What several commands do: one thing to each of the tracers that are named. */
#ifndef FTM_EACH_H
#define FTM_EACH_H

#include "model/tracer.h"

/*
 * The names behind the options, or with @all and none every tracer that @suits;
 * a glob stands for those that it matches and that @suits.  @fn returns an exit
 * code and reports; a failure does not keep it from the others.
 */
int each_tracer(int argc, char **argv, bool all, bool (*suits)(const struct tracer *t),
		int (*fn)(const struct tracer *t));

#endif
