/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Recording from tracers that run already.
 *
 * trace-cmd sets up each instance that it records: filter, tracer, events, clock.
 * A tracer that runs must stay as it is.  So trace-cmd runs in a mount namespace of
 * its own, where an empty instance, the stand-in, has the place of the tracer's,
 * except for the directory with the buffers:
 *
 *   what trace-cmd opens               what that is
 *   instances/NAME/current_tracer      instances/STAND-IN/current_tracer
 *   instances/NAME/per_cpu/cpu0/...    instances/NAME/per_cpu/cpu0/...
 *
 * trace-cmd ends when the buffers are empty, which those of a running tracer may never
 * be.  So a process between us and trace-cmd stops them for that moment, and starts
 * them again, however we end.  A tracer that starts begins with an empty buffer and counts
 * from 0: what was recorded is counted before.
 */
#ifndef FTM_STAND_IN_H
#define FTM_STAND_IN_H

#include "recording/count.h"

/* The instances, those that stand in for them, and the counts: three of the same index */
struct stand_ins {
	struct strlist tracers, names;
	struct rec_count *counts;	/* at the end; memory that both processes have */
};

int stand_in_count(struct stand_ins *s);	/* makes room for it; enum ftm_exit, reports */

/*
 * In the process that is to become trace-cmd: returns in a child of it, where the
 * stand-ins are in place, with the descriptor that takes the place of @stop.  The
 * calling process waits for the end of @stop and then of the child, and ends with its
 * status.
 */
int stand_in_fork(const struct stand_ins *s, int stop);
void stand_in_say(const struct stand_ins *s);	/* for --dry-run */
void stand_in_free(struct stand_ins *s);

#endif
