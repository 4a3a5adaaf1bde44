// SPDX-License-Identifier: GPL-2.0
/*
 * What the hashes, the function and the flags of a tracer say of it.
 *
 *   filter hash    selects functions        bits of a record: the mask filter
 *   notrace hash   excludes some of these                     the mask notrace
 *   function       is it called after all others?
 *   flags          does it get an ID? Which trace array has it?
 *
 * Calls: nothing
 */

#include <linux/ftrace.h>
#include <linux/kprobes.h>

#include "../ftrace_internal.h"
#include "../trace.h"
#include "internal.h"

/*
 * The masks need all of rec->flags to be 64 bits wide: with a narrower
 * FTRACE_FL_ENABLED, clearing the flags of a record would clear the masks.
 */
static_assert(sizeof(FTRACE_FL_ENABLED) == sizeof(u64));
static_assert(sizeof_field(struct dyn_ftrace, flags) == sizeof(u64));
static_assert(sizeof(struct dyn_ftrace) == 16);

/**
 * ftrace_mux_ops_filter - the filter hash of an ops
 * @ops: an ops, or a subops of function_graph
 *
 * Context: ftrace_lock held.
 */
struct ftrace_hash *ftrace_mux_ops_filter(const struct ftrace_ops *ops)
{
	return rcu_dereference_protected(ops->func_hash->filter_hash,
					 lockdep_is_held(&ftrace_lock));
}

/**
 * ftrace_mux_ops_is_wide - does an ops select a good part of all functions?
 * @ops: the ops
 *
 * Context: ftrace_lock held.
 * Return: true if it does. Then it is cheap to test its hashes for each function.
 */
bool ftrace_mux_ops_is_wide(const struct ftrace_ops *ops)
{
	struct ftrace_hash *hash = ftrace_mux_ops_filter(ops);

	return ftrace_hash_empty(hash) || hash->count > ftrace_update_tot_cnt / 64;
}

/**
 * ftrace_mux_ops_selects - does the filter hash of an ops select a function?
 * @ops: an ops, or a subops of function_graph
 * @ip: the function's call site
 *
 * Context: ftrace_lock held.
 */
bool ftrace_mux_ops_selects(const struct ftrace_ops *ops, unsigned long ip)
{
	struct ftrace_hash *hash = ftrace_mux_ops_filter(ops);

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

/* A separate function, so that assist() saves no registers for it */
static noinline void assist_any(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
				struct ftrace_regs *fregs)
{
	ftrace_ops_get_func(op)(ip, parent_ip, op, fregs);
}

NOKPROBE_SYMBOL(assist_any);

/*
 * What ftrace_ops_assist_func() does in a task that is not in it already, where the
 * recursion bit is a constant. That function itself is called everywhere else.
 */
static __always_inline void assist(unsigned long ip, unsigned long parent_ip,
				   struct ftrace_ops *op, struct ftrace_regs *fregs, bool rcu)
{
	const int bit = TRACE_LIST_START + TRACE_CTX_NORMAL;

	if (IS_ENABLED(CONFIG_FTRACE_VALIDATE_RCU_IS_WATCHING) ||
	    unlikely(preempt_count() & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET)) ||
	    unlikely(trace_recursion_test(bit))) {
		assist_any(ip, parent_ip, op, fregs);
		return;
	}
	trace_recursion_set(bit);
	barrier();
	preempt_disable_notrace();
	if (!rcu || rcu_is_watching())
		op->func(ip, parent_ip, op, fregs);
	trace_clear_recursion(bit);
}

/* For FTRACE_OPS_FL_RECURSION */
static void assist_func(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			struct ftrace_regs *fregs)
{
	assist(ip, parent_ip, op, fregs, false);
}

NOKPROBE_SYMBOL(assist_func);

/* For FTRACE_OPS_FL_RCU */
static void assist_rcu_func(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			    struct ftrace_regs *fregs)
{
	assist(ip, parent_ip, op, fregs, true);
}

NOKPROBE_SYMBOL(assist_rcu_func);

/**
 * ftrace_mux_ops_func - the function to call for an ops
 * @ops: the ops
 *
 * Return: what ftrace_ops_get_func() returns, or what does the same in fewer
 * instructions.
 */
ftrace_func_t ftrace_mux_ops_func(const struct ftrace_ops *ops)
{
	if (ops->flags & FTRACE_OPS_FL_RCU)
		return assist_rcu_func;
	if (ops->flags & FTRACE_OPS_FL_RECURSION)
		return assist_func;
	return ops->func;
}

/**
 * ftrace_mux_called_last - must an ops be called after all others?
 * @ops: the ops
 *
 * A return probe replaces the return address on the stack, which function graph
 * reads there, and fprobe with it: what they show as the parent is the true one
 * if they are called first.
 */
bool ftrace_mux_called_last(const struct ftrace_ops *ops)
{
#ifdef CONFIG_KPROBES_ON_FTRACE
	return ops->func == kprobe_ftrace_handler;
#else
	return false;
#endif
}

/**
 * ftrace_mux_wants_id - does an ops get an ID if there is a free one?
 * @ops: the ops
 *
 * An ops with FTRACE_OPS_FL_STUB is never called. Livepatch and direct calls
 * attach one ops to each function, so that a few of them would use up all IDs.
 */
bool ftrace_mux_wants_id(const struct ftrace_ops *ops)
{
	const unsigned long per_function = FTRACE_OPS_FL_IPMODIFY |
					   FTRACE_OPS_FL_PERMANENT;

	if (ops->flags & (FTRACE_OPS_FL_STUB | FTRACE_OPS_FL_DIRECT))
		return false;
	return (ops->flags & per_function) != per_function;
}

/**
 * ftrace_mux_ops_tr - the trace array that a tracer belongs to
 * @ops: an ops, or a subops of function_graph
 *
 * Return: the trace array; NULL for another tracer.
 */
struct trace_array *ftrace_mux_ops_tr(const struct ftrace_ops *ops)
{
	return ops->flags & FTRACE_OPS_FL_PID ? ops->private : NULL;
}
