// SPDX-License-Identifier: GPL-2.0
/*
 * The files of the multiplexer in the top directory of tracefs.
 *
 *   function_tracers     the named tracers; writing a name chooses the default
 *   function_mux         the state, by show.c
 *   function_mux_check   reading it verifies all records, by check.c
 *   tracers/             by directory.c
 *
 * Calls: tracers.c view.c show.c check.c directory.c
 */

#include <kunit/visibility.h>
#include <linux/ftrace.h>
#include <linux/seq_file.h>
#include <linux/security.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "../ftrace_internal.h"
#include "../trace.h"
#include "internal.h"

/* One name per line in order of registration, a star before the default's */
static int tracers_show(struct seq_file *m, void *v)
{
	struct ftrace_mux_tracer *t, *def;

	guard(mutex)(&ftrace_lock);

	def = ftrace_mux_default();
	list_for_each_entry(t, &ftrace_mux_tracers, list)
		seq_printf(m, "%s%s\n", t == def ? "*" : "", t->name);
	return 0;
}

static int tracers_open(struct inode *inode, struct file *file)
{
	int ret;

	ret = tracing_check_open_get_tr(NULL);
	if (ret)
		return ret;
	if (ftrace_is_dead())
		return -ENODEV;
	return single_open(file, tracers_show, NULL);
}

static const char *no_such_tracer = "No such function tracer";

/*
 * A write is one name, with or without white space around it. A text that is longer
 * than any name, or that has a second word, is an unknown name.
 */
VISIBLE_IF_KUNIT ssize_t ftrace_mux_tracers_write(struct file *file, const char __user *ubuf,
						  size_t count, loff_t *ppos)
{
	char buf[FTRACE_MUX_NAME_MAX + 2];
	char *name;
	int ret;

	if (count < sizeof(buf)) {
		if (copy_from_user(buf, ubuf, count))
			return -EFAULT;
		buf[count] = '\0';
		/* A NUL byte inside would hide what comes after it */
		ret = strlen(buf) == count ? 0 : -EINVAL;
		name = strstrip(buf);
		if (!ret)
			ret = ftrace_mux_set_default(name);
	} else {
		if (copy_from_user(buf, ubuf, sizeof(buf) - 1))
			return -EFAULT;
		buf[sizeof(buf) - 1] = '\0';
		name = buf;
		ret = -EINVAL;
	}

	if (ret) {
		tracing_log_err(NULL, "function_tracers", name, &no_such_tracer, 0, 0);
		return ret;
	}
	*ppos += count;
	return count;
}

static const struct file_operations tracers_fops = {
	.open		= tracers_open,
	.read		= seq_read,
	.write		= ftrace_mux_tracers_write,
	.llseek		= seq_lseek,
	.release	= single_release,
};

static int state_show(struct seq_file *m, void *v)
{
	ftrace_mux_show_state(m);
	return 0;
}

static int state_open(struct inode *inode, struct file *file)
{
	int ret = tracing_check_open_get_tr(NULL);

	return ret ?: single_open(file, state_show, NULL);
}

static const struct file_operations state_fops = {
	.open		= state_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= single_release,
};

static int check_show(struct seq_file *m, void *v)
{
	return ftrace_mux_check(m);
}

static int check_open(struct inode *inode, struct file *file)
{
	int ret = tracing_check_open_get_tr(NULL);

	return ret ?: single_open(file, check_show, NULL);
}

static const struct file_operations check_fops = {
	.open		= check_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= single_release,
};

/**
 * ftrace_mux_create_files - create the multiplexer's files in tracefs
 * @d_tracer: the top directory
 *
 * Context: boot, once.
 */
void ftrace_mux_create_files(struct dentry *d_tracer)
{
	trace_create_file("function_tracers", TRACE_MODE_WRITE, d_tracer, NULL,
			  &tracers_fops);
	trace_create_file("function_mux", TRACE_MODE_READ, d_tracer, NULL,
			  &state_fops);
	trace_create_file("function_mux_check", TRACE_MODE_READ, d_tracer, NULL,
			  &check_fops);
	ftrace_mux_create_tracers_dir(d_tracer);
}
