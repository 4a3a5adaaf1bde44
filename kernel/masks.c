// SPDX-License-Identifier: GPL-2.0
/*
 * The masks of a record, from the hashes of the tracers.
 */

#include <linux/ftrace.h>

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

/**
 * ftrace_mux_ops_selects - does the filter hash of an ops select a function?
 * @ops: an ops, or a subops of function_graph
 * @ip: the function's call site
 *
 * Context: ftrace_lock held.
 */
bool ftrace_mux_ops_selects(const struct ftrace_ops *ops, unsigned long ip)
{
	struct ftrace_hash *hash;

	hash = rcu_dereference_protected(ops->func_hash->filter_hash,
					 lockdep_is_held(&ftrace_lock));
	return ftrace_hash_empty(hash) || ftrace_lookup_ip(hash, ip);
}

/**
 * ftrace_mux_ops_excludes - does the notrace hash of an ops take a function away?
 * @ops: an ops, or a subops of function_graph
 * @ip: the function's call site
 *
 * Context: ftrace_lock held.
 */
bool ftrace_mux_ops_excludes(const struct ftrace_ops *ops, unsigned long ip)
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
	return ftrace_mux_ops_selects(ops, ip) && !ftrace_mux_ops_excludes(ops, ip);
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
	ftrace_mux_account(ops, rec, ftrace_mux_ops_selects(ops, rec->ip),
			   !ftrace_mux_ops_excludes(ops, rec->ip), true);
}
