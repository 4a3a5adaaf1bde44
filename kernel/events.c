// SPDX-License-Identifier: GPL-2.0
/*
 * The events of the multiplexer, and what the event of an update tells.
 */

#include <linux/ftrace.h>
#include <linux/trace_clock.h>

#include "mux.h"

#define CREATE_TRACE_POINTS
#include "events.h"

/* Protected by ftrace_lock, as the update is */
struct ftrace_mux_update ftrace_mux_update;

/**
 * ftrace_mux_update_begin - call sites are about to be patched
 *
 * Context: ftrace_lock held.
 */
void ftrace_mux_update_begin(void)
{
	ftrace_mux_update = (struct ftrace_mux_update) {
		.start = trace_clock_local(),
	};
}

/**
 * ftrace_mux_update_end - the call sites have been patched
 *
 * Context: ftrace_lock held, text_mutex not held.
 */
void ftrace_mux_update_end(void)
{
	const struct ftrace_mux_update *u = &ftrace_mux_update;

	if (u->sites)
		trace_retarget(u->sites, trace_clock_local() - u->start, u->mask);
}
