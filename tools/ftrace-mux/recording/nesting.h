/* SPDX-License-Identifier: GPL-2.0 */
/* The time that a call of function_graph took itself, without the recorded calls below it. */
#ifndef FTM_NESTING_H
#define FTM_NESTING_H

#include "recording/trace-file.h"

struct nesting {
	void *tasks;
};

/* Each event of one buffer in order; of a CALL_LEAVE, the time in the function itself. */
unsigned long long nesting_event(struct nesting *n, const struct trace_event *e);
void nesting_free(struct nesting *n);

#endif
