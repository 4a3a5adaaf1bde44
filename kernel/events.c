// SPDX-License-Identifier: GPL-2.0
/*
 * The events of the multiplexer.
 *
 *   mux_tracer_register, mux_tracer_unregister   tracers.c emits them
 *   mux_default_tracer                           view.c
 *   mux_retarget                                 update.c, by ftrace_mux_emit_update()
 *
 * Calls: nothing
 */

#include <linux/ftrace.h>

#include "internal.h"

#define CREATE_TRACE_POINTS
#include "events.h"

/**
 * ftrace_mux_emit_update - tell what an update has done, if anything
 * @u: the update
 *
 * Context: ftrace_lock held.
 */
void ftrace_mux_emit_update(const struct ftrace_mux_update *u)
{
	if (u->sites || u->redirects)
		trace_mux_retarget(u->sites, u->redirects, u->waits, u->ns, u->mask);
}
