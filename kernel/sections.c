// SPDX-License-Identifier: GPL-2.0
/*
 * set_ftrace_filter and set_ftrace_notrace in the top directory: of the default
 * tracer, or, read in the view with sections (view.c), the sections of all tracers.
 *
 *   the default is    trace              another one     several (view on, only read)
 *   the file works    on the tracer      on a proxy      on copies of all hashes
 *
 * Calls: access.c tracers.c view.c filter.c
 */

#include <linux/ftrace.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "../ftrace_internal.h"
#include "../trace.h"
#include "internal.h"

/* One section per registered tracer, as if all of them were read at once */
static int show_sections(struct seq_file *m, int flag)
{
	struct section {
		struct ftrace_ops	proxy;
		char			name[FTRACE_MUX_NAME_MAX];
	} *sections __free(kvfree) = NULL;
	struct ftrace_mux_tracer *t;
	size_t n, i = 0;
	int ret = 0;

	/* Trace arrays, and their lists of probes, stay while this is held */
	guard(mutex)(&trace_types_lock);

	scoped_guard(mutex, &ftrace_lock) {
		n = list_count_nodes(&ftrace_mux_tracers);
		sections = kvcalloc(n, sizeof(*sections), GFP_KERNEL);
		if (!sections)
			return -ENOMEM;
		list_for_each_entry(t, &ftrace_mux_tracers, list) {
			ret = ftrace_mux_copy_filter(&sections[i].proxy, t->ops);
			if (ret)
				break;
			strscpy(sections[i++].name, t->name);
		}
	}

	for (n = i, i = 0; i < n; i++) {
		if (!ret)
			ftrace_mux_print_filter(m, &sections[i].proxy, flag, sections[i].name);
		ftrace_mux_free_hashes(&sections[i].proxy);
	}
	return ret;
}

static int filter_sections_show(struct seq_file *m, void *v)
{
	return show_sections(m, FTRACE_ITER_FILTER | FTRACE_ITER_DO_PROBES);
}

static int notrace_sections_show(struct seq_file *m, void *v)
{
	return show_sections(m, FTRACE_ITER_NOTRACE);
}

static const struct file_operations sections_fops = {
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= single_release,
};

/* In the view with sections, a file that is only read shows the sections of all tracers */
static int open_sections(int flag, struct file *file)
{
	int ret = tracing_check_open_get_tr(NULL);

	if (ret)
		return ret;
	ret = single_open(file, flag & FTRACE_ITER_NOTRACE ? notrace_sections_show :
			  filter_sections_show, NULL);
	if (!ret)
		file->f_op = &sections_fops;
	return ret;
}

static bool shows_sections(const struct file *file)
{
	if (file->f_mode & FMODE_WRITE || !ftrace_mux_view())
		return false;
	guard(mutex)(&ftrace_lock);
	return !list_empty(&ftrace_mux_tracers);
}

static int open_default(int flag, struct inode *inode, struct file *file)
{
	struct ftrace_mux_file *mf = NULL;
	struct ftrace_mux_tracer *t;

	if (ftrace_is_dead())
		return -ENODEV;
	if (shows_sections(file))
		return open_sections(flag, file);

	scoped_guard(mutex, &ftrace_lock) {
		t = ftrace_mux_default();
		if (t && t->ops != &global_ops)
			mf = ftrace_mux_alloc_file(t, flag, file);
	}
	if (mf)
		return ftrace_mux_open_file(mf, flag, inode, file);
	return ftrace_regex_open(NULL, NULL, flag, inode, file);
}

static int filter_open(struct inode *inode, struct file *file)
{
	return open_default(FTRACE_ITER_FILTER | FTRACE_ITER_DO_PROBES, inode, file);
}

static int notrace_open(struct inode *inode, struct file *file)
{
	return open_default(FTRACE_ITER_NOTRACE, inode, file);
}

/* set_ftrace_filter in the top directory */
static const struct file_operations filter_fops = {
	.open		= filter_open,
	.read		= ftrace_mux_filter_read,
	.write		= ftrace_mux_filter_write,
	.llseek		= tracing_lseek,
	.flush		= ftrace_regex_flush,
	.release	= ftrace_mux_filter_release,
};

/* set_ftrace_notrace in the top directory */
static const struct file_operations notrace_fops = {
	.open		= notrace_open,
	.read		= ftrace_mux_filter_read,
	.write		= ftrace_mux_notrace_write,
	.llseek		= tracing_lseek,
	.flush		= ftrace_regex_flush,
	.release	= ftrace_mux_filter_release,
};

/**
 * ftrace_mux_create_filter_files - create the top-level filter files
 * @d_tracer: the top directory
 *
 * Return: true: they take the place of ftrace's own.
 */
bool ftrace_mux_create_filter_files(struct dentry *d_tracer)
{
	trace_create_file("set_ftrace_filter", TRACE_MODE_WRITE, d_tracer, NULL,
			  &filter_fops);
	trace_create_file("set_ftrace_notrace", TRACE_MODE_WRITE, d_tracer, NULL,
			  &notrace_fops);
	return true;
}
