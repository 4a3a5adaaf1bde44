// SPDX-License-Identifier: GPL-2.0
/*
 * A part of kernel/trace/ftrace.c, which includes this file at its end: what needs
 * its static functions. The arrays of records, an update, the hashes of an ops, the
 * ops of an open filter file, and the lines of such a file.
 *
 *   ftrace_pages_start --> array of records --> array --> ...
 *   file --> iterator --> ops --> { filter, notrace }
 *
 * Calls: arch.h
 */

#ifdef CONFIG_FTRACE_MUX

#include "internal.h"

/*
 * The flags of the longest run of records that an update does not patch. Outside of an
 * update, flags that no record has
 */
unsigned long ftrace_mux_idle_flags = ~0UL;

/**
 * ftrace_mux_next_array - go to the next array of records
 * @array: where it is; at first all of it is zero
 *
 * Context: ftrace_lock held.
 * Return: false if there is no other one.
 */
bool ftrace_mux_next_array(struct ftrace_mux_array *array)
{
	array->pg = array->pg ? array->pg->next : ftrace_pages_start;
	if (!array->pg)
		return false;
	array->recs = array->pg->records;
	array->nr = array->pg->index;
	return true;
}

/**
 * ftrace_mux_skip_idle - pass over records that need not be looked at
 * @iter: the iterator of ftrace_replace_code(); afterwards it is at a record that has
 * other flags, or at the last one of its page
 *
 * Context: ftrace_lock held.
 */
void ftrace_mux_skip_idle(struct ftrace_rec_iter *iter)
{
	const struct ftrace_page *pg = iter->pg;

	while (iter->index + 1 < pg->index &&
	       pg->records[iter->index].flags == ftrace_mux_idle_flags)
		iter->index++;
}

/**
 * ftrace_mux_is_idle - does an update leave a record alone, as its flags tell?
 * @rec: a record that ftrace_replace_code() visits
 *
 * Context: ftrace_lock held.
 */
bool ftrace_mux_is_idle(const struct dyn_ftrace *rec)
{
	return rec->flags == ftrace_mux_idle_flags;
}

/**
 * ftrace_mux_retarget - find the sets again, though no ops has another hash
 *
 * Not while ftrace is off: then no call site calls a tracer.
 *
 * Context: ftrace_lock held, text_mutex not held, may sleep.
 */
void ftrace_mux_retarget(void)
{
	if (ftrace_enabled && !ftrace_is_dead())
		ftrace_run_update_code(FTRACE_UPDATE_CALLS);
}

/* What ftrace_trampoline_free() does, except freeing: call sites lead to it */
static void mux_forget_trampoline(struct ftrace_ops *ops)
{
	if (ops->flags & FTRACE_OPS_FL_ALLOC_TRAMP) {
		perf_event_ksymbol(PERF_RECORD_KSYMBOL_TYPE_OOL, ops->trampoline,
				   ops->trampoline_size, true, FTRACE_TRAMPOLINE_SYM);
		ftrace_remove_trampoline_from_kallsyms(ops);
	}
	ops->trampoline = 0;
}

/* Let no call site call @ops through the pointer in front of its function */
static void mux_forget_sites(const struct ftrace_ops *ops)
{
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS
	struct ftrace_page *pg;
	struct dyn_ftrace *rec;

	do_for_each_ftrace_rec(pg, rec) {
		if (rec->flags & FTRACE_FL_CALL_OPS_EN)
			arch_ftrace_mux_forget(rec, ops);
	} while_for_each_ftrace_rec();
#endif
}

/**
 * ftrace_mux_disarm - let no list function, trampoline or call site call an ops
 * @ops: an ops that is unregistered after ftrace has died
 *
 * kallsyms and perf no longer list its trampoline. The memory of it stays.
 *
 * Context: ftrace_lock held, text_mutex not held, may sleep.
 */
void ftrace_mux_disarm(struct ftrace_ops *ops)
{
	ftrace_func_t func = ops->func;
	unsigned long flags = ops->flags;

	remove_ftrace_ops(&ftrace_ops_list, ops);
	mux_forget_sites(ops);
	if (!ops->trampoline)
		return;
	/* With these flags the trampoline would call ftrace_ops_assist_func(), not ->func */
	ops->flags &= ~(FTRACE_OPS_FL_RECURSION | FTRACE_OPS_FL_RCU);
	ops->func = ftrace_stub;
	arch_ftrace_update_trampoline(ops);
	ops->func = func;
	ops->flags = flags;
	mux_forget_trampoline(ops);
}

/* The hash that a file of this flag shows; nobody else changes it */
static struct ftrace_hash *mux_hash(struct ftrace_ops *ops, int flag)
{
	struct ftrace_ops_hash *hash = ops->func_hash;

	return rcu_dereference_protected(flag & FTRACE_ITER_NOTRACE ? hash->notrace_hash :
					 hash->filter_hash, true);
}

/* The pointer to that hash: ftrace assigns to it, and frees the old hash after RCU */
static struct ftrace_hash **mux_hash_ptr(struct ftrace_ops *ops, int flag)
{
	struct ftrace_ops_hash *hash = ops->func_hash;

	return (struct ftrace_hash __force **)(flag & FTRACE_ITER_NOTRACE ?
					       &hash->notrace_hash : &hash->filter_hash);
}

/* A copy of it, or NULL without memory */
static struct ftrace_hash *mux_copy_hash(struct ftrace_ops *ops, int flag)
{
	struct ftrace_hash *hash = mux_hash(ops, flag);

	return hash ? alloc_and_copy_ftrace_hash(hash->size_bits, hash) : EMPTY_HASH;
}

/**
 * ftrace_mux_copy_hashes - give an ops its own copy of another's hashes
 * @dst: an initialized ops whose local hashes are not in use
 * @src: the ops to copy from
 *
 * Context: ftrace_lock held.
 * Return: 0, or -ENOMEM with nothing changed.
 */
int ftrace_mux_copy_hashes(struct ftrace_ops *dst, struct ftrace_ops *src)
{
	struct ftrace_hash *filter = mux_copy_hash(src, FTRACE_ITER_FILTER);
	struct ftrace_hash *excluded = mux_copy_hash(src, FTRACE_ITER_NOTRACE);

	if (!filter || !excluded) {
		free_ftrace_hash(filter);
		free_ftrace_hash(excluded);
		return -ENOMEM;
	}
	rcu_assign_pointer(dst->local_hash.filter_hash, filter);
	rcu_assign_pointer(dst->local_hash.notrace_hash, excluded);
	return 0;
}

/**
 * ftrace_mux_free_hashes - free the hashes of an ops that is not registered
 * @ops: an ops whose hashes ftrace_mux_copy_hashes() made
 */
void ftrace_mux_free_hashes(struct ftrace_ops *ops)
{
	free_ftrace_hash(mux_hash(ops, FTRACE_ITER_FILTER));
	free_ftrace_hash(mux_hash(ops, FTRACE_ITER_NOTRACE));
}

/*
 * The hashes of @ops are read under its regex_lock, which is taken before
 * ftrace_lock. Here it is the other way round, as without ftrace_lock @ops
 * might go away: hence the trylock.
 */
static bool mux_trylock_hash(struct ftrace_ops *ops)
{
	lockdep_assert_held(&ftrace_lock);
	return mutex_trylock(&ops->func_hash->regex_lock);
}

/**
 * ftrace_mux_move_hash - let an ops trace what another's filter says
 * @ops: a registered ops or subops
 * @from: an ops that is not registered; it keeps its hash
 * @flag: FTRACE_ITER_FILTER or FTRACE_ITER_NOTRACE: which hash
 *
 * Context: ftrace_lock held, may sleep.
 * Return: 0, -EAGAIN if somebody uses the hash right now (drop ftrace_lock and
 * try again), or what the update of the functions returns.
 */
int ftrace_mux_move_hash(struct ftrace_ops *ops, struct ftrace_ops *from, int flag)
{
	struct mutex *lock = &ops->func_hash->regex_lock;
	int ret;

	if (!mux_trylock_hash(ops))
		return -EAGAIN;
	ret = ftrace_hash_move_and_update_ops(ops, mux_hash_ptr(ops, flag),
					      mux_hash(from, flag),
					      !(flag & FTRACE_ITER_NOTRACE));
	mutex_unlock(lock);
	return ret;
}

/**
 * ftrace_mux_unshare - give an ops that follows the global filter its own
 * @ops: a registered ops or subops
 *
 * Context: ftrace_lock held.
 * Return: 0, -ENOMEM, or -EAGAIN as ftrace_mux_move_hash().
 */
int ftrace_mux_unshare(struct ftrace_ops *ops)
{
	int ret;

	if (ops == &global_ops || ops->func_hash != &global_ops.local_hash)
		return 0;

	if (!mux_trylock_hash(&global_ops))
		return -EAGAIN;
	ret = ftrace_mux_copy_hashes(ops, &global_ops);
	if (!ret) {
		/* A module that the global filter waits for is added to that filter only */
		if (!ftrace_hash_empty(mux_hash(ops, FTRACE_ITER_FILTER)))
			mux_hash(ops, FTRACE_ITER_FILTER)->flags = 0;
		/* Function graph tests the hashes of its subops without a lock */
		smp_store_release(&ops->func_hash, &ops->local_hash);
	}
	mutex_unlock(&global_ops.local_hash.regex_lock);
	return ret;
}

static struct ftrace_iterator *mux_iter(struct file *file)
{
	if (file->f_mode & FMODE_READ)
		return ((struct seq_file *)file->private_data)->private;
	return file->private_data;
}

/**
 * ftrace_mux_file_ops - the ops that an open filter file works on
 * @file: a file that ftrace_regex_open() has opened
 */
struct ftrace_ops *ftrace_mux_file_ops(struct file *file)
{
	return mux_iter(file)->ops;
}

/* In the flags of the hash that a file builds, next to FTRACE_HASH_FL_MOD */
#define MUX_HASH_NEVER_WAIT	BIT(1)

/**
 * ftrace_mux_never_wait - refuse modules that are not loaded in a filter file
 * @file: a file that ftrace_regex_open() has opened for writing
 */
void ftrace_mux_never_wait(struct file *file)
{
	mux_iter(file)->hash->flags |= MUX_HASH_NEVER_WAIT;
}

/**
 * ftrace_mux_cannot_wait - is there nowhere to remember a module for a filter?
 * @tr: the trace array of the filter's tracer
 * @hash: the filter being written
 * @module: the module, of which no function was found
 *
 * A trace array has one list of modules, for the filter of its function tracer.
 *
 * Return: 0, or -ENODEV for the filter of another tracer.
 */
int ftrace_mux_cannot_wait(struct trace_array *tr, const struct ftrace_hash *hash,
			   const char *module)
{
	static const char *load_first = "Load the module first: this tracer cannot wait for it";

	if (!(hash->flags & MUX_HASH_NEVER_WAIT))
		return 0;
	tracing_log_err(tr, "set_ftrace_filter", module, &load_first, 0, 0);
	return -ENODEV;
}

/**
 * ftrace_mux_print_filter - print an ops' filter file after a prefix
 * @m: where to
 * @ops: an ops that nobody else uses
 * @flag: what its file is opened with, see ftrace_regex_open()
 * @name: the prefix of each line is "[ @name] "
 *
 * Context: takes ftrace_lock; ops->private, the trace array whose probes and
 * cached module filters are printed too, must not go away.
 */
void ftrace_mux_print_filter(struct seq_file *m, struct ftrace_ops *ops, int flag,
			     const char *name)
{
	struct trace_array *tr = ops->private;
	struct ftrace_iterator iter = {
		.ops	= ops,
		.hash	= mux_hash(ops, flag),
		.tr	= tr,
		.flags	= flag,
	};
	void *private = m->private;
	loff_t pos = 0;
	void *v;

	m->private = &iter;
	/* As seq_read() does: where t_next() ends, t_start() may continue */
	for (v = t_start(m, &pos); v; v = t_start(m, &pos)) {
		while (v) {
			loff_t last = pos;

			seq_printf(m, "[ %s] ", name);
			t_show(m, v);
			v = t_next(m, v, &pos);
			pos += pos == last;
		}
		t_stop(m, v);
	}
	t_stop(m, v);
	m->private = private;
}

#endif /* CONFIG_FTRACE_MUX */
