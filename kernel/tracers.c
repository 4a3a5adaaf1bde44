// SPDX-License-Identifier: GPL-2.0
/*
 * The named tracers and the default one, which a write to set_ftrace_filter
 * goes to.
 *
 * A tracer is selectable because its owner has named its ops. The users of
 * ftrace that must not be filtered by anybody else (kprobes, fprobes, perf,
 * livepatch, BPF) do not name theirs.
 */

#define pr_fmt(fmt) "ftrace_mux: " fmt

#include <linux/ctype.h>
#include <linux/ftrace.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../ftrace_internal.h"
#include "../trace.h"
#include "events.h"
#include "mux.h"

/* All of this file is protected by ftrace_lock */
LIST_HEAD(ftrace_mux_tracers);

/* Serial of the default tracer, 0 for the top-level function tracer */
static unsigned long default_serial;

/* Somebody has written the default's name: it outlives a change of the view */
static bool default_written;

/* The trace option function-mux */
static bool view = IS_ENABLED(CONFIG_FTRACE_MUX_VIEW);

/* The names of the kernel's own tracers: no instance or module gets these */
static const char * const reserved_names[] = {
	"trace", "trace_graph", "trace_profile", "trace_stack",
	"irqsoff", "preemptoff", "preemptirqsoff",
	"wakeup", "wakeup_rt", "wakeup_dl",
};

struct ftrace_mux_tracer *ftrace_mux_find_ops(const struct ftrace_ops *ops)
{
	struct ftrace_mux_tracer *t;

	list_for_each_entry(t, &ftrace_mux_tracers, list) {
		if (t->ops == ops)
			return t;
	}
	return NULL;
}

struct ftrace_mux_tracer *ftrace_mux_find_serial(unsigned long serial)
{
	struct ftrace_mux_tracer *t;

	list_for_each_entry(t, &ftrace_mux_tracers, list) {
		if (t->serial == serial)
			return t;
	}
	return NULL;
}

static struct ftrace_mux_tracer *find_name(const char *name)
{
	struct ftrace_mux_tracer *t;

	list_for_each_entry(t, &ftrace_mux_tracers, list) {
		if (!strcmp(t->name, name))
			return t;
	}
	return NULL;
}

/* Is @name one of the kernel's own, and @ops not its owner? */
static bool name_is_reserved(const struct ftrace_ops *ops, const char *name)
{
	bool core = is_kernel_core_data((unsigned long)ops);

	return !core && match_string(reserved_names, ARRAY_SIZE(reserved_names), name) >= 0;
}

/**
 * ftrace_mux_valid_name - can an ops be registered with the name it has?
 * @ops: the ops, named or not
 *
 * A name is a directory in tracefs. That of an instance always can be one.
 *
 * Return: 0, or -EINVAL for an empty name, "." and "..", and one with a slash.
 */
int ftrace_mux_valid_name(const struct ftrace_ops *ops)
{
	const char *name = ops->name;

	if (!name)
		return 0;
	if (*name && strcmp(name, ".") && strcmp(name, "..") && !strchr(name, '/'))
		return 0;

	pr_warn("invalid tracer name \"%s\": it must be usable as a file name\n", name);
	return -EINVAL;
}

/*
 * Names stand in lines, in lists and in commands: what would end one there, be
 * taken for a mark or be run by a shell becomes an underscore. An over-long name
 * is cut, and a name that is taken gets the suffix -2, or -3, ...
 */
static void choose_name(struct ftrace_mux_tracer *t)
{
	char name[FTRACE_MUX_NAME_MAX - 8];
	char *c;
	int i;

	strscpy(name, t->ops->name, sizeof(name));
	for (c = name; *c; c++) {
		if (*c == ' ' || iscntrl(*c) || strchr(",*+[]{}$`\"'\\()<>|;&", *c))
			*c = '_';
	}

	strscpy(t->name, name, sizeof(t->name));
	for (i = 2; find_name(t->name) || (i == 2 && name_is_reserved(t->ops, name)); i++)
		snprintf(t->name, sizeof(t->name), "%s-%d", name, i);
}

/* Make @t the default; NULL: the top-level function tracer, registered or not */
static void set_default(struct ftrace_mux_tracer *t, bool written)
{
	unsigned long serial = t ? t->serial : 0;

	if (serial != default_serial)
		trace_default_tracer(t ? t->name : "trace");
	default_serial = serial;
	default_written = written;
}

/* The default that nobody has chosen: the newest, or the function tracer */
static void reset_default(void)
{
	struct ftrace_mux_tracer *t = NULL;

	if (view && !list_empty(&ftrace_mux_tracers))
		t = list_last_entry(&ftrace_mux_tracers, struct ftrace_mux_tracer, list);
	set_default(t, false);
}

/**
 * ftrace_mux_ops_id - the ID of an ops, or of the ops that manages a subops
 * @ops: a registered ops or subops
 *
 * Context: ftrace_lock held.
 * Return: the ID, or -1: it has none.
 */
int ftrace_mux_ops_id(const struct ftrace_ops *ops)
{
	if (ops->flags & FTRACE_OPS_FL_SUBOP && ops->managed)
		ops = ops->managed;
	return (int)ops->mux_id - 1;
}

/**
 * ftrace_mux_enlist - put an ops or subops among the named tracers
 * @ops: it is being registered
 *
 * In the view of the RFC the newest tracer becomes the default.
 *
 * Context: ftrace_lock held.
 * Return: the tracer, or NULL: @ops has no name, or there is no memory for one.
 */
struct ftrace_mux_tracer *ftrace_mux_enlist(struct ftrace_ops *ops)
{
	static unsigned long last_serial;
	struct ftrace_mux_tracer *t;

	lockdep_assert_held(&ftrace_lock);

	if (!ops->name)
		return NULL;

	t = kzalloc(sizeof(*t), GFP_KERNEL);
	if (!t)
		return NULL;

	t->ops = ops;
	t->serial = ++last_serial;
	choose_name(t);
	list_add_tail(&t->list, &ftrace_mux_tracers);
	trace_tracer_register(t->name, ftrace_mux_ops_id(ops));

	if (view)
		set_default(t, false);
	return t;
}

/**
 * ftrace_mux_delist - take a tracer from the named ones, and free it
 * @t: the tracer; its ops is no longer registered
 *
 * Context: ftrace_lock held.
 */
void ftrace_mux_delist(struct ftrace_mux_tracer *t)
{
	list_del(&t->list);
	trace_tracer_unregister(t->name, ftrace_mux_ops_id(t->ops));
	if (default_serial == t->serial)
		reset_default();
	kfree(t);
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
	struct ftrace_mux_tracer *t;

	t = default_serial ? ftrace_mux_find_serial(default_serial) :
			     ftrace_mux_find_ops(&global_ops);
	return t;
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

	t = find_name(name);
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
 * ftrace_mux_set_view - turn the view of the RFC on or off
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
 * ftrace_mux_view - is the view of the RFC on?
 */
bool ftrace_mux_view(void)
{
	return READ_ONCE(view);
}

/**
 * ftrace_mux_start_tracer - a trace array is about to start a tracer
 * @tr: the trace array
 * @name: the tracer's name in current_tracer
 *
 * The latency tracers trace functions with the ops of the function tracer, but
 * under their own names.
 */
void ftrace_mux_start_tracer(struct trace_array *tr, const char *name)
{
	if (tr->ops == &global_ops)
		global_ops.name = strncmp(name, "function", 8) && strcmp(name, "nop") ?
				  name : "trace";
}
