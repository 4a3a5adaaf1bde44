// SPDX-License-Identifier: GPL-2.0
/*
 * set_ftrace_filter and set_ftrace_notrace of a tracer that is chosen by name.
 *
 * ftrace's code for these files keeps a pointer to an ops from open to close. A
 * named tracer may be gone by then, and its memory freed. So each open file has
 * a separate ops, the proxy, which has a copy of the tracer's hashes and is never
 * registered: reading, parsing and the commands all work on the proxy. On close
 * the hash that the file has built is moved to the tracer, under ftrace_lock and
 * only if the tracer is still registered.
 *
 *   open     proxy = a copy of the tracer's hashes
 *   write    ftrace parses, and changes the hash that the file builds
 *   close    file's hash --> proxy --> tracer, found again by its serial
 *
 * Calls: access.c hashes.c tracers.c
 */

#include <linux/ftrace.h>
#include <linux/mm.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "../ftrace_internal.h"
#include "../trace.h"
#include "internal.h"

/**
 * struct ftrace_mux_file - an open filter file of a named tracer
 * @proxy: the ops that ftrace works on
 * @tr: the trace array that commands work on, for a tracer that is not the
 *	function tracer of it; NULL for others
 * @serial: the registration of the tracer that the file was opened for
 */
struct ftrace_mux_file {
	struct ftrace_ops	proxy;
	struct trace_array	*tr;
	unsigned long		serial;
};

/*
 * A trace array has one list of modules that are not loaded yet. Does it belong
 * to the filter of this tracer? It belongs to that of the function tracer. In an
 * instance, function_graph has the same filter; at the top level it can have its
 * own.
 */
static bool has_module_list(const struct ftrace_ops *ops)
{
	struct trace_array *tr = ftrace_mux_ops_tr(ops);

	if (!tr || !tr->ops)
		return false;
	return ops == tr->ops ||
	       (tr->ops != &global_ops && ops->func_hash == tr->ops->func_hash);
}

/*
 * A tracer that follows the global filter gets a copy of it with the first write.
 * A filter that waits for modules cannot be copied: the copy would never get
 * them. It can be replaced (O_TRUNC).
 */
static bool follows_waiting(const struct ftrace_mux_tracer *t, int flag, const struct file *file)
{
	static const char *not_yet = "The filter that it follows waits for a module";
	int replaced = file->f_flags & O_TRUNC ? flag : 0;
	struct trace_array *tr = global_ops.private;

	if (!(file->f_mode & FMODE_WRITE) || t->ops == &global_ops ||
	    t->ops->func_hash != &global_ops.local_hash)
		return false;
	if ((list_empty(&tr->mod_trace) || replaced & FTRACE_ITER_FILTER) &&
	    (list_empty(&tr->mod_notrace) || replaced & FTRACE_ITER_NOTRACE))
		return false;
	tracing_log_err(NULL, "set_ftrace_filter", t->name, &not_yet, 0, 0);
	return true;
}

/**
 * ftrace_mux_copy_filter - make a proxy of a tracer
 * @proxy: gets copies of its hashes; ftrace_mux_free_hashes() frees them
 * @ops: the tracer
 *
 * Context: ftrace_lock held.
 * Return: 0 or -ENOMEM.
 */
int ftrace_mux_copy_filter(struct ftrace_ops *proxy, struct ftrace_ops *ops)
{
	mutex_init(&proxy->local_hash.regex_lock);
	INIT_LIST_HEAD(&proxy->subop_list);
	proxy->func_hash = &proxy->local_hash;
	proxy->flags = FTRACE_OPS_FL_INITIALIZED;
	proxy->private = has_module_list(ops) ? ftrace_mux_ops_tr(ops) : NULL;
	return ftrace_mux_copy_hashes(proxy, ops);
}

/* NULL for a file that works on the top-level function tracer itself */
static struct ftrace_mux_file *mux_file(struct file *file)
{
	struct ftrace_ops *ops = ftrace_mux_file_ops(file);

	return ops == &global_ops ? NULL : container_of(ops, struct ftrace_mux_file, proxy);
}

/* Has the tracer that the file was opened for gone? */
static int check_alive(struct file *file)
{
	struct ftrace_mux_file *mf = mux_file(file);

	guard(mutex)(&ftrace_lock);
	return mf && !ftrace_mux_find_serial(mf->serial) ? -ENODEV : 0;
}

/* Move the hash that the file has built to the tracer, if it is still there */
static int commit(struct ftrace_mux_file *mf, int flag)
{
	struct ftrace_mux_tracer *t;
	int ret;

	for (;;) {
		mutex_lock(&ftrace_lock);
		t = ftrace_mux_find_serial(mf->serial);
		ret = t ? ftrace_mux_unshare(t->ops) : -ENODEV;
		if (!ret)
			ret = ftrace_mux_move_hash(t->ops, &mf->proxy, flag);
		mutex_unlock(&ftrace_lock);
		if (ret != -EAGAIN)
			return ret;
		/* Another file of the tracer is being opened or closed */
		schedule_timeout_uninterruptible(1);
	}
}

/**
 * ftrace_mux_commit - an ops has got what was written to a filter file
 * @ops: the ops that the file works on; a proxy has no function
 * @flag: FTRACE_ITER_FILTER or FTRACE_ITER_NOTRACE: which of its hashes
 *
 * Context: the hashes of @ops are locked; ftrace_lock not held, may sleep.
 * Return: 0, or an error with the tracer's filter as it was.
 */
int ftrace_mux_commit(struct ftrace_ops *ops, int flag)
{
	return ops->func ? 0 : commit(container_of(ops, struct ftrace_mux_file, proxy), flag);
}

/**
 * ftrace_mux_alloc_file - make what an open filter file of a tracer needs
 * @t: the tracer
 * @flag: what the file is opened with, see ftrace_regex_open()
 * @file: the file
 *
 * Context: ftrace_lock held.
 * Return: what ftrace_mux_open_file() takes; it may be an error pointer.
 */
struct ftrace_mux_file *ftrace_mux_alloc_file(struct ftrace_mux_tracer *t, int flag,
					      struct file *file)
{
	struct ftrace_mux_file *mf;

	if (follows_waiting(t, flag, file))
		return ERR_PTR(-EBUSY);

	mf = kzalloc(sizeof(*mf), GFP_KERNEL);
	if (!mf)
		return ERR_PTR(-ENOMEM);
	mf->serial = t->serial;
	if (ftrace_mux_copy_filter(&mf->proxy, t->ops)) {
		kfree(mf);
		return ERR_PTR(-ENOMEM);
	}
	if (!mf->proxy.private)
		mf->tr = ftrace_mux_ops_tr(t->ops);
	return mf;
}

static void free_mux_file(struct ftrace_mux_file *mf)
{
	if (mf->tr)
		trace_array_put(mf->tr);
	ftrace_mux_free_hashes(&mf->proxy);
	kfree(mf);
}

/**
 * ftrace_mux_open_file - open a filter file of a tracer
 * @mf: what ftrace_mux_alloc_file() has returned; not to be used later
 * @flag: as there
 * @inode: of the file
 * @file: the file
 *
 * Context: ftrace_lock not held.
 * Return: 0 or an error.
 */
int ftrace_mux_open_file(struct ftrace_mux_file *mf, int flag, struct inode *inode,
			 struct file *file)
{
	int ret;

	if (IS_ERR(mf))
		return PTR_ERR(mf);

	/* The trace array may be gone since ftrace_lock was dropped */
	if (mf->tr && trace_array_get(mf->tr)) {
		mf->tr = NULL;
		free_mux_file(mf);
		return -ENODEV;
	}

	ret = ftrace_regex_open(NULL, &mf->proxy, flag, inode, file);
	if (ret) {
		free_mux_file(mf);
		return ret;
	}
	/* Only now: ftrace_regex_open() would take the array's list of modules for the file's */
	if (mf->tr) {
		mf->proxy.private = mf->tr;
		if (file->f_mode & FMODE_WRITE)
			ftrace_mux_never_wait(file);
	}
	return 0;
}

/* tracers/NAME/: always that tracer's, in ftrace's own format */
static int open_tracer(int flag, struct inode *inode, struct file *file)
{
	struct ftrace_mux_tracer *t;
	struct ftrace_mux_file *mf;

	if (ftrace_is_dead())
		return -ENODEV;

	scoped_guard(mutex, &ftrace_lock) {
		t = ftrace_mux_find_serial((unsigned long)inode->i_private);
		mf = t ? ftrace_mux_alloc_file(t, flag, file) : ERR_PTR(-ENODEV);
	}
	return ftrace_mux_open_file(mf, flag, inode, file);
}

static int tracer_filter_open(struct inode *inode, struct file *file)
{
	return open_tracer(FTRACE_ITER_FILTER | FTRACE_ITER_DO_PROBES, inode, file);
}

static int tracer_notrace_open(struct inode *inode, struct file *file)
{
	return open_tracer(FTRACE_ITER_NOTRACE, inode, file);
}

/* What the files do besides being opened; those at the top are in sections.c */
ssize_t ftrace_mux_filter_read(struct file *file, char __user *ubuf, size_t count, loff_t *ppos)
{
	return check_alive(file) ?: seq_read(file, ubuf, count, ppos);
}

ssize_t ftrace_mux_filter_write(struct file *file, const char __user *ubuf, size_t count,
				loff_t *ppos)
{
	return check_alive(file) ?: ftrace_filter_write(file, ubuf, count, ppos);
}

ssize_t ftrace_mux_notrace_write(struct file *file, const char __user *ubuf, size_t count,
				 loff_t *ppos)
{
	return check_alive(file) ?: ftrace_notrace_write(file, ubuf, count, ppos);
}

int ftrace_mux_filter_release(struct inode *inode, struct file *file)
{
	struct ftrace_mux_file *mf;
	int ret;

	/* ftrace_regex_flush() has done it */
	if (!file->private_data)
		return 0;

	mf = mux_file(file);
	ret = ftrace_regex_release(inode, file);
	if (mf)
		free_mux_file(mf);
	return ret;
}

/* tracers/NAME/set_ftrace_filter */
const struct file_operations ftrace_mux_tracer_filter_fops = {
	.open		= tracer_filter_open,
	.read		= ftrace_mux_filter_read,
	.write		= ftrace_mux_filter_write,
	.llseek		= tracing_lseek,
	.flush		= ftrace_regex_flush,
	.release	= ftrace_mux_filter_release,
};

/* tracers/NAME/set_ftrace_notrace */
const struct file_operations ftrace_mux_tracer_notrace_fops = {
	.open		= tracer_notrace_open,
	.read		= ftrace_mux_filter_read,
	.write		= ftrace_mux_notrace_write,
	.llseek		= tracing_lseek,
	.flush		= ftrace_regex_flush,
	.release	= ftrace_mux_filter_release,
};
