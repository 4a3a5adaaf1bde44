// SPDX-License-Identifier: GPL-2.0
/*
 * The masks of the records: those of a new module's records, those of an ID
 * that moves to the overflow lane, and the pass that recomputes all of them
 * from the hashes.
 */

#include <linux/ftrace.h>
#include <linux/seq_file.h>

#include "../ftrace_internal.h"
#include "../trace.h"
#include "mux.h"

/*
 * The masks need all of rec->flags to be 64 bits wide: with a narrower
 * FTRACE_FL_ENABLED, clearing the flags of a record would clear the masks.
 */
static_assert(sizeof(FTRACE_FL_ENABLED) == sizeof(u64));
static_assert(sizeof_field(struct dyn_ftrace, flags) == sizeof(u64));
static_assert(sizeof(struct dyn_ftrace) == 16);

/* Does the filter hash of @ops select @ip? */
static bool ops_selects(const struct ftrace_ops *ops, unsigned long ip)
{
	struct ftrace_hash *hash;

	hash = rcu_dereference_protected(ops->func_hash->filter_hash,
					 lockdep_is_held(&ftrace_lock));
	return ftrace_hash_empty(hash) || ftrace_lookup_ip(hash, ip);
}

/* Does its notrace hash take @ip away? */
static bool ops_excludes(const struct ftrace_ops *ops, unsigned long ip)
{
	struct ftrace_hash *hash;

	hash = rcu_dereference_protected(ops->func_hash->notrace_hash,
					 lockdep_is_held(&ftrace_lock));
	return ftrace_lookup_ip(hash, ip);
}

/**
 * ftrace_mux_ops_traces - do the hashes of an ops let it trace a function?
 * @ops: an ops, or a subops of function_graph
 * @ip: the function's call site
 *
 * Context: ftrace_lock held.
 */
bool ftrace_mux_ops_traces(const struct ftrace_ops *ops, unsigned long ip)
{
	return ops_selects(ops, ip) && !ops_excludes(ops, ip);
}

/**
 * ftrace_mux_account_new - set an ops' bits in a new record
 * @ops: a registered ops
 * @rec: a record of a module that is being loaded
 *
 * Context: ftrace_lock held.
 */
void ftrace_mux_account_new(const struct ftrace_ops *ops, struct dyn_ftrace *rec)
{
	ftrace_mux_account(ops, rec, ops_selects(ops, rec->ip),
			   !ops_excludes(ops, rec->ip), true);
}

/**
 * ftrace_mux_forget_id - clear an ID's bits in the masks of all records
 * @id: the ID
 *
 * The patched masks stay: they are what the text has.
 *
 * Context: ftrace_lock held.
 */
void ftrace_mux_forget_id(unsigned int id)
{
	unsigned long bits = 1UL << (FTRACE_FL_MUX_FILTER_SHIFT + id) |
			     1UL << (FTRACE_FL_MUX_NOTRACE_SHIFT + id);
	struct ftrace_rec_iter *iter;

	for_ftrace_rec_iter(iter)
		ftrace_rec_iter_record(iter)->flags &= ~bits;
}

/* What the pass compares a record with */
struct expected {
	unsigned int	filter;
	unsigned int	excluded;
	unsigned long	count;
};

static struct expected expect(const struct dyn_ftrace *rec)
{
	struct expected exp = { };
	struct ftrace_ops *ops;

	do_for_each_ftrace_op(ops, ftrace_ops_list) {
		if (!(ops->flags & FTRACE_OPS_FL_ENABLED) || !ops_selects(ops, rec->ip))
			continue;
		if (ops->mux_id)
			exp.filter |= BIT(ops->mux_id - 1);
		if (!ops_excludes(ops, rec->ip))
			exp.count++;
		else if (ops->mux_id)
			exp.excluded |= BIT(ops->mux_id - 1);
	} while_for_each_ftrace_op(ops);

	return exp;
}

/* Compare one record and its text. Return: true if all of it is right */
static bool check_record(struct seq_file *m, struct dyn_ftrace *rec)
{
	bool enabled = rec->flags & FTRACE_FL_ENABLED;
	struct expected exp = expect(rec);
	const char *what = NULL;

	if (ftrace_mux_filter(rec) != exp.filter)
		what = "filter mask";
	else if (ftrace_mux_notrace(rec) != exp.excluded)
		what = "notrace mask";
	else if (ftrace_rec_count(rec) != exp.count)
		what = "reference count";
	else if (ftrace_test_record(rec, ftrace_enabled) != FTRACE_UPDATE_IGNORE)
		what = "patched mask";
	else if (!arch_ftrace_mux_site_calls(rec->ip, enabled ? ftrace_get_addr_curr(rec) : 0))
		what = "text";

	if (!what)
		return true;

	seq_printf(m, "violation: %ps: %s: flags %lx, expected filter %02x notrace %02x count %lu\n",
		   (void *)rec->ip, what, rec->flags, exp.filter, exp.excluded, exp.count);
	return false;
}

/**
 * ftrace_mux_check - compare all records with the hashes and with the text
 * @m: where each violation gets a line, or "ok" and how much was compared
 *
 * Context: takes ftrace_lock.
 * Return: 0, or -ENODEV when ftrace has been shut down by a bug.
 */
int ftrace_mux_check(struct seq_file *m)
{
	unsigned long records = 0, sites = 0, tracers = 0;
	struct ftrace_rec_iter *iter;
	struct ftrace_ops *ops;
	bool ok = true;

	guard(mutex)(&ftrace_lock);

	if (ftrace_is_dead())
		return -ENODEV;

	for_ftrace_rec_iter(iter) {
		struct dyn_ftrace *rec = ftrace_rec_iter_record(iter);

		/* Records that ftrace does not account either */
		if (rec->flags & FTRACE_FL_DISABLED && !(rec->flags & FTRACE_FL_ENABLED))
			continue;
		records++;
		sites += !!(rec->flags & FTRACE_FL_ENABLED);
		ok &= check_record(m, rec);
		cond_resched();
	}

	do_for_each_ftrace_op(ops, ftrace_ops_list) {
		tracers += ops != &ftrace_list_end;
	} while_for_each_ftrace_op(ops);

	if (ok)
		seq_printf(m, "ok: %lu records, %lu sites, %lu tracers\n",
			   records, sites, tracers);
	return 0;
}
