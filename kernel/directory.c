// SPDX-License-Identifier: GPL-2.0
/*
 * A named tracer comes and goes, and with it tracers/NAME/ in tracefs:
 *
 *   tracers/NAME/  functions  id  set_ftrace_filter  set_ftrace_notrace
 *                  and for function_graph of a trace array
 *                  max_graph_depth  set_graph_function  set_graph_notrace
 *
 * Calls: hashes.c ids.c tracers.c view.c filter.c
 */

#include <linux/ftrace.h>
#include <linux/seq_file.h>
#include <linux/tracefs.h>

#include "../ftrace_internal.h"
#include "../trace.h"
#include "internal.h"

/* NULL until tracefs is there, at boot */
static struct dentry *tracers_dir;

/* The files know their tracer by its serial: see struct ftrace_mux_tracer */
static struct ftrace_mux_tracer *file_tracer(struct seq_file *m)
{
	return ftrace_mux_find_serial((unsigned long)m->private);
}

static int id_show(struct seq_file *m, void *v)
{
	struct ftrace_mux_tracer *t;
	int id;

	guard(mutex)(&ftrace_lock);

	t = file_tracer(m);
	if (!t)
		return -ENODEV;
	id = ftrace_mux_ops_id(t->ops);
	if (id < 0)
		seq_puts(m, "none\n");
	else
		seq_printf(m, "%d\n", id);
	return 0;
}

static int functions_show(struct seq_file *m, void *v)
{
	struct ftrace_mux_tracer *t;
	struct ftrace_rec_iter *iter;
	unsigned long count = 0;

	guard(mutex)(&ftrace_lock);

	t = file_tracer(m);
	if (!t)
		return -ENODEV;
	for_ftrace_rec_iter(iter) {
		struct dyn_ftrace *rec = ftrace_rec_iter_record(iter);

		if (ftrace_mux_accounted(rec))
			count += ftrace_mux_ops_traces(t->ops, rec->ip);
	}
	seq_printf(m, "%lu\n", count);
	return 0;
}

static int id_open(struct inode *inode, struct file *file)
{
	int ret = tracing_check_open_get_tr(NULL);

	return ret ?: single_open(file, id_show, inode->i_private);
}

static int functions_open(struct inode *inode, struct file *file)
{
	int ret = tracing_check_open_get_tr(NULL);

	return ret ?: single_open(file, functions_show, inode->i_private);
}

static const struct file_operations id_fops = {
	.open		= id_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= single_release,
};

static const struct file_operations functions_fops = {
	.open		= functions_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= single_release,
};

/* The trace array whose function_graph this is, or NULL */
static struct trace_array *graph_tr(const struct ftrace_ops *ops)
{
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
	struct trace_array *tr = ftrace_mux_ops_tr(ops);

	if (tr && tr->gops && ops == &tr->gops->ops)
		return tr;
#endif
	return NULL;
}

/* At boot, before there is a tracefs, it is left to ftrace_mux_create_tracers_dir() */
static void create_dir(struct ftrace_mux_tracer *t)
{
	struct trace_array *tr = graph_tr(t->ops);
	void *serial = (void *)t->serial;

	if (!tracers_dir)
		return;

	t->dir = tracefs_create_dir(t->name, tracers_dir);
	if (IS_ERR_OR_NULL(t->dir)) {
		t->dir = NULL;
		return;
	}
	trace_create_file("set_ftrace_filter", TRACE_MODE_WRITE, t->dir, serial,
			  &ftrace_mux_tracer_filter_fops);
	trace_create_file("set_ftrace_notrace", TRACE_MODE_WRITE, t->dir, serial,
			  &ftrace_mux_tracer_notrace_fops);
	trace_create_file("id", TRACE_MODE_READ, t->dir, serial, &id_fops);
	trace_create_file("functions", TRACE_MODE_READ, t->dir, serial, &functions_fops);
	/*
	 * The same files as in the directory of the trace array, with its address. Opening one
	 * looks for that among the trace arrays, and an open one keeps the trace array.
	 */
	if (tr)
		fgraph_create_files(tr, t->dir);
}

/**
 * ftrace_mux_add_tracer - an ops or subops is being registered
 * @ops: it joins the named tracers if it has a name
 *
 * Context: ftrace_lock held. Without memory the tracer runs, but has no name,
 * or no directory.
 */
void ftrace_mux_add_tracer(struct ftrace_ops *ops)
{
	struct ftrace_mux_tracer *t = ftrace_mux_enlist(ops);

	if (!t)
		return;
	ftrace_mux_default_comes(t);
	create_dir(t);
}

/**
 * ftrace_mux_remove_tracer - an ops or subops is no longer registered
 * @ops: named or not; the files of its directory may be open
 *
 * Context: ftrace_lock held.
 */
void ftrace_mux_remove_tracer(struct ftrace_ops *ops)
{
	struct ftrace_mux_tracer *t = ftrace_mux_find_ops(ops);
	unsigned long serial;

	if (!t)
		return;

	serial = t->serial;
	tracefs_remove(t->dir);
	ftrace_mux_delist(t);
	ftrace_mux_default_goes(serial);
}

/**
 * ftrace_mux_create_tracers_dir - create tracers/ and what belongs into it
 * @d_tracer: the top directory
 *
 * Context: boot, once; takes ftrace_lock.
 */
void ftrace_mux_create_tracers_dir(struct dentry *d_tracer)
{
	struct ftrace_mux_tracer *t;

	guard(mutex)(&ftrace_lock);

	tracers_dir = tracefs_create_dir("tracers", d_tracer);
	if (IS_ERR_OR_NULL(tracers_dir)) {
		tracers_dir = NULL;
		return;
	}
	list_for_each_entry(t, &ftrace_mux_tracers, list)
		create_dir(t);
}
