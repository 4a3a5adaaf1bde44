// SPDX-License-Identifier: GPL-2.0
/*
 * The named tracers.
 *
 * A tracer is selectable because its owner has named its ops. The users of
 * ftrace that must not be filtered by anybody else (kprobes, fprobes, perf,
 * livepatch, BPF) do not name theirs.
 *
 *   ftrace_mux_tracers --> { trace, ops, serial 1 } --> { foo, ops, serial 4 }
 *
 * Calls: events.c ids.c
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
#include "internal.h"

/* All of this file is protected by ftrace_lock */
LIST_HEAD(ftrace_mux_tracers);

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

struct ftrace_mux_tracer *ftrace_mux_find_name(const char *name)
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
 * Names are printed in lines and lists, and are typed in commands. A character that
 * would end a name there, mark it, or have a meaning for a shell becomes an underscore.
 * An over-long name is cut, and a name that is taken gets the suffix -2, or -3, ...
 */
static void choose_name(struct ftrace_mux_tracer *t)
{
	char name[FTRACE_MUX_NAME_MAX - 8];
	bool refused;
	char *c;
	int i;

	strscpy(name, t->ops->name, sizeof(name));
	for (c = name; *c; c++) {
		if (*c == ' ' || iscntrl(*c) || strchr(",*+[]{}$`\"'\\()<>|;&", *c))
			*c = '_';
	}

	strscpy(t->name, name, sizeof(t->name));
	refused = name_is_reserved(t->ops, name);
	for (i = 2; refused || ftrace_mux_find_name(t->name); i++) {
		snprintf(t->name, sizeof(t->name), "%s-%d", name, i);
		refused = false;
	}
}

/**
 * ftrace_mux_enlist - put an ops or subops among the named tracers
 * @ops: it is being registered
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
	trace_mux_tracer_register(t->name, ftrace_mux_ops_id(ops));
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
	trace_mux_tracer_unregister(t->name, ftrace_mux_ops_id(t->ops));
	kfree(t);
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
