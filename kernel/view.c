// SPDX-License-Identifier: GPL-2.0
/*
 * The default tracer, which a write to set_ftrace_filter goes to, and the view with
 * sections (trace option function-mux): the newest tracer is the default, and reading
 * that file shows a section for each tracer (sections.c).
 *
 *   function_tracers  is written     the default is that tracer
 *   view on           a tracer comes    it becomes the default
 *                     it goes           the newest one that is left does
 *   view off                            the default is trace
 *
 * Calls: events.c tracers.c
 */

#include <linux/ftrace.h>
#include <linux/list.h>
#include <linux/string.h>

#include "../ftrace_internal.h"
#include "../trace.h"
#include "events.h"
#include "internal.h"

/* Serial of the default tracer, 0 for the top-level function tracer */
static unsigned long default_serial;

/* A user has chosen the default by name: it stays when the view changes */
static bool default_written;

/* The trace option function-mux */
static bool view = IS_ENABLED(CONFIG_FTRACE_MUX_VIEW);

/* Make @t the default; NULL: the top-level function tracer, registered or not */
static void set_default(const struct ftrace_mux_tracer *t, bool written)
{
	unsigned long serial = t ? t->serial : 0;

	if (serial != default_serial)
		trace_mux_default_tracer(t ? t->name : "trace");
	default_serial = serial;
	default_written = written;
}

/* The default that no user has chosen: the newest, or the function tracer */
static void reset_default(void)
{
	struct ftrace_mux_tracer *t = NULL;

	if (view && !list_empty(&ftrace_mux_tracers))
		t = list_last_entry(&ftrace_mux_tracers, struct ftrace_mux_tracer, list);
	set_default(t, false);
}

/**
 * ftrace_mux_default_comes - a tracer has been put among the named ones
 * @t: the tracer, which becomes the default in the view with sections
 *
 * Context: ftrace_lock held.
 */
void ftrace_mux_default_comes(const struct ftrace_mux_tracer *t)
{
	if (view)
		set_default(t, false);
}

/**
 * ftrace_mux_default_goes - a tracer has been taken from the named ones
 * @serial: of the tracer
 *
 * Context: ftrace_lock held.
 */
void ftrace_mux_default_goes(unsigned long serial)
{
	if (default_serial == serial)
		reset_default();
}

/**
 * ftrace_mux_default - the tracer that a write to set_ftrace_filter goes to
 *
 * Context: ftrace_lock held.
 * Return: the tracer, or NULL where it is the top-level function tracer, which
 * has a filter even while it is not registered.
 */
struct ftrace_mux_tracer *ftrace_mux_default(void)
{
	return default_serial ? ftrace_mux_find_serial(default_serial) :
				ftrace_mux_find_ops(&global_ops);
}

/**
 * ftrace_mux_set_default - choose the default tracer
 * @name: the name of a registered tracer
 *
 * Context: takes ftrace_lock.
 * Return: 0, or -EINVAL if there is no such tracer: the default stays.
 */
int ftrace_mux_set_default(const char *name)
{
	struct ftrace_mux_tracer *t;

	guard(mutex)(&ftrace_lock);

	t = ftrace_mux_find_name(name);
	if (!t) {
		/* Its filter can be set before it is registered */
		if (strcmp(name, "trace"))
			return -EINVAL;
		set_default(NULL, true);
	} else {
		set_default(t->ops == &global_ops && !view ? NULL : t, true);
	}
	return 0;
}

/**
 * ftrace_mux_set_view - turn the view with sections on or off
 * @on: sections, and the newest tracer is the default
 *
 * Context: takes ftrace_lock.
 */
void ftrace_mux_set_view(bool on)
{
	guard(mutex)(&ftrace_lock);

	view = on;
	if (!default_written)
		reset_default();
}

/**
 * ftrace_mux_view_option - the trace option function-mux changes
 * @tr: the trace array whose option it is
 * @on: its new value
 *
 * Context: takes ftrace_lock.
 * Return: 0, or -EINVAL for an instance: the view is that of the files in the
 * top directory.
 */
int ftrace_mux_view_option(struct trace_array *tr, bool on)
{
	static const char *top_only = "Set it in the top-level trace_options";

	/* Not by its flags: an option of the command line comes before they are set */
	if (tr->ops != &global_ops) {
		tracing_log_err(tr, "trace_options", "function-mux", &top_only, 0, 0);
		return -EINVAL;
	}
	ftrace_mux_set_view(on);
	return 0;
}

/**
 * ftrace_mux_view - is the view with sections on?
 */
bool ftrace_mux_view(void)
{
	return READ_ONCE(view);
}
