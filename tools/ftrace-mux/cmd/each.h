/* SPDX-License-Identifier: GPL-2.0 */
/* Do one thing to each of the tracers that are named, for several commands. */
#ifndef FTM_EACH_H
#define FTM_EACH_H

#include "model/tracer.h"

struct action {
	const char *done;			/* the key of the names in JSON */
	bool (*suits)(const struct tracer *t);	/* one that a glob or --all means */
	/* May it be done?  NULL: always.  An exit code; reports. */
	int (*check)(const struct tracer *t);
	int (*fn)(const struct tracer *t);	/* an exit code; reports */
};

/*
 * Does it to each tracer that is named after the options; with @all, to every
 * one that suits.  Nothing is done unless all tracers that are named exist and
 * pass the check.  After a failure it continues with the others.
 */
int each_tracer(int argc, char **argv, bool all, const struct action *a);

#endif
