// SPDX-License-Identifier: GPL-2.0
/*
 * A part of kernel/trace/fgraph.c, which includes this file at its end: the users
 * of function graph by set, and the path of a call to them.
 *
 *   list --> { graph_func_several, bitmap 0x5 } --> fgraph_array[0]->entryfunc()
 *                                                   fgraph_array[2]->entryfunc()
 *        shadow stack: a frame with the bitmap of those that want the return
 *
 * To ftrace all of them are one ops, graph_ops, which traces what any of them
 * traces. A single user is called through it, directly. While there are several,
 * each set that has graph_ops is a list that has, in its place, the bitmap of
 * the users that trace the function. The bitmap is found when the set is made: a
 * call tests no hash, and a user costs nothing in functions that it does not trace.
 *
 * Where a list could not be made, and while the sets change, graph_ops itself is
 * called, and the call tests the hashes of the users.
 *
 * Calls: hashes.c
 */

#ifdef CONFIG_FTRACE_MUX

#include "internal.h"
#include "compat_graph.h"

static_assert(FTRACE_MUX_GRAPH_USERS == FGRAPH_ARRAY_SIZE);

/* The users that the last update or check has found, as a bitmap */
static unsigned long graph_planned;

static struct fgraph_ops *graph_user_of(struct ftrace_ops *subops)
{
	return container_of(subops, struct fgraph_ops, ops);
}

/* Call a user. Return: does it want to see the return? */
static __always_inline bool graph_call(unsigned long index, struct ftrace_graph_ent *trace,
				       struct ftrace_regs *fregs)
{
	/* The entry is fgraph_stub before the user is added and after the user is removed */
	return mux_graph_entry(READ_ONCE(fgraph_array[index]), trace, fregs);
}

/* Call several users. Return: those of the bitmap that want to see the return */
static __always_inline unsigned long graph_call_several(unsigned long bitmap,
							struct ftrace_graph_ent *trace,
							struct ftrace_regs *fregs)
{
	unsigned long left, wanted = bitmap;

	for (left = bitmap; left; left &= left - 1) {
		int saved = current->curr_ret_stack;

		if (graph_call(__ffs(left), trace, fregs))
			continue;
		/* Clear out any saved storage */
		current->curr_ret_stack = saved;
		wanted &= ~(left & -left);
	}
	return wanted;
}

/* Enter the function. Return: does a user want to see the return? */
static __always_inline bool graph_enter(unsigned long ip, unsigned long *parent,
					unsigned long bitmap, bool several,
					struct ftrace_regs *fregs)
{
	struct ftrace_graph_ent trace = { .func = ip, .depth = ++current->curr_ret_depth };
	int offset = ftrace_push_return_trace(*parent, ip, arch_ftrace_mux_frame(fregs),
					      arch_ftrace_mux_retp(fregs), 0);

	if (offset >= 0) {
		if (several)
			bitmap = graph_call_several(bitmap, &trace, fregs);
		if (several ? bitmap : graph_call(__ffs(bitmap), &trace, fregs)) {
			set_bitmap(current, offset, bitmap);
			return true;
		}
		/* Drop the frame, and what users have saved above it */
		current->curr_ret_stack = offset - FGRAPH_FRAME_OFFSET;
	}
	current->curr_ret_depth--;
	return false;
}

/* What ftrace_graph_func() does, for a list */
static __always_inline void graph_call_list(unsigned long ip, unsigned long bitmap,
					    bool several, struct ftrace_regs *fregs)
{
	unsigned long *parent = arch_ftrace_mux_parent(fregs);
	int bit;

	/* A processor that resumes from suspend may be in real mode: no kernel address */
	if (unlikely((long)parent >= 0) || unlikely(atomic_read(&current->tracing_graph_pause)))
		return;

	bit = ftrace_test_recursion_trylock(ip, *parent);
	if (bit < 0)
		return;
	if (graph_enter(ip, parent, bitmap, several, fregs))
		*parent = (unsigned long)return_to_handler;
	ftrace_test_recursion_unlock(bit);
}

/* @op is a bitmap of one user, as most often. Context: any that can be traced, NMI included */
static void graph_func_one(unsigned long ip, unsigned long parent_ip,
			   struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	graph_call_list(ip, (unsigned long)op, false, fregs);
}

/* @op is a bitmap of several */
static void graph_func_several(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	graph_call_list(ip, (unsigned long)op, true, fregs);
}

/**
 * ftrace_mux_is_graph - is an ops that of function graph?
 * @ops: the ops
 */
bool ftrace_mux_is_graph(const struct ftrace_ops *ops)
{
	return ops == &graph_ops;
}

/**
 * ftrace_mux_graph_mask - the ID of graph_ops as a mask, 0 if it has none
 */
unsigned int ftrace_mux_graph_mask(void)
{
	return graph_ops.mux_id ? BIT(graph_ops.mux_id - 1) : 0;
}

/**
 * ftrace_mux_graph_member - the users of function graph that are called for a function
 * @ip: the function's call site
 * @member: graph_ops; while it has several users, gets the bitmap of those that
 * trace the function
 *
 * Context: ftrace_lock held.
 * Return: false if none does.
 */
bool ftrace_mux_graph_member(unsigned long ip, struct ftrace_mux_member *member)
{
	struct ftrace_ops *subops;

	if (list_is_singular(&graph_ops.subop_list))
		return true;
	*member = (struct ftrace_mux_member) { .is_bitmap = true };
	list_for_each_entry(subops, &graph_ops.subop_list, list) {
		if (ftrace_mux_ops_traces(subops, ip))
			member->bitmap |= BIT(graph_user_of(subops)->idx);
	}
	return member->bitmap;
}

/**
 * ftrace_mux_graph_func - the function that calls the users of a bitmap
 * @bitmap: one user or several
 */
ftrace_func_t ftrace_mux_graph_func(unsigned long bitmap)
{
	return is_power_of_2(bitmap) ? graph_func_one : graph_func_several;
}

/**
 * ftrace_mux_graph_user - the subops of a user
 * @index: the user's index in fgraph_array
 *
 * Context: ftrace_lock held.
 */
struct ftrace_ops *ftrace_mux_graph_user(unsigned int index)
{
	return &fgraph_array[index]->ops;
}

/**
 * ftrace_mux_graph_entryfunc - the function of a user that is called on entry
 * @index: the user's index in fgraph_array
 *
 * Context: ftrace_lock held.
 */
void *ftrace_mux_graph_entryfunc(unsigned int index)
{
	return fgraph_array[index]->saved_func ?: fgraph_array[index]->entryfunc;
}

/* The users, as a bitmap */
static unsigned long graph_users(void)
{
	struct ftrace_ops *subops;
	unsigned long users = 0;

	if (!(graph_ops.flags & FTRACE_OPS_FL_INITIALIZED))
		return 0;
	list_for_each_entry(subops, &graph_ops.subop_list, list)
		users |= BIT(graph_user_of(subops)->idx);
	return users;
}

/**
 * ftrace_mux_graph_plan - sets are going to be looked for
 *
 * Context: ftrace_lock held.
 * Return: does function graph have several users? Lists have their bitmaps then.
 */
bool ftrace_mux_graph_plan(void)
{
	graph_planned = graph_users();
	return hweight_long(graph_planned) > 1;
}

#endif /* CONFIG_FTRACE_MUX */
