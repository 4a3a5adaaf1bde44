// SPDX-License-Identifier: GPL-2.0
/*
 * The users of function graph by set. A part of kernel/trace/fgraph.c, which
 * includes this file at its end.
 *
 * To ftrace all of them are one ops, graph_ops, which traces what any of them
 * traces. A single user is called through it, directly. While there are several,
 * each set that has graph_ops is a list that has, in its place, the bitmap of
 * the users who trace the function: found when the set is made, so that a call
 * tests no hash and no user costs anything elsewhere.
 *
 * A call that does not come from a list, since memory for it was missing, or
 * while the sets change, comes with graph_ops and tests the hashes.
 *
 * A bitmap names indexes in fgraph_array. A task that is preempted on its way may
 * still have one when the user has gone: until a grace period has ended, nobody
 * else gets the index. A function that was entered for that user may sleep for
 * long, and its frame on the shadow stack names the index: before somebody else
 * gets it, all frames forget it.
 */

#ifdef CONFIG_FTRACE_MUX

#include <linux/cpu.h>
#include <linux/sched/task.h>
#include <linux/smp.h>
#include <linux/wait.h>

#include "graph.h"
#include "compat_graph.h"

static_assert(FTRACE_MUX_GRAPH_USERS == FGRAPH_ARRAY_SIZE);

/* The users that the last update has found, as a bitmap */
static unsigned long graph_planned;

/* When the user of an index went, see ftrace_mux_is_clean() */
static unsigned long graph_left[FGRAPH_ARRAY_SIZE];

static struct fgraph_ops *graph_user_of(struct ftrace_ops *subops)
{
	return container_of(subops, struct fgraph_ops, ops);
}

/* Call a user. Return: does it want to see the return? */
static __always_inline bool graph_call(unsigned long index, struct ftrace_graph_ent *trace,
				       struct ftrace_regs *fregs)
{
	/* The slot holds fgraph_stub before a user is added and after it is removed */
	return mux_graph_entry(READ_ONCE(fgraph_array[index]), trace, fregs);
}

/* Call several users. Return: those of the bitmap who want to see the return */
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

/* Enter the function. Return: does anybody want to see the return? */
static __always_inline bool graph_enter(unsigned long ip, unsigned long *parent,
					unsigned long bitmap, bool several,
					struct ftrace_regs *fregs)
{
	struct ftrace_graph_ent trace = { .func = ip, .depth = ++current->curr_ret_depth };
	int offset = ftrace_push_return_trace(*parent, ip, 0, parent, 0);

	if (offset >= 0) {
		if (several)
			bitmap = graph_call_several(bitmap, &trace, fregs);
		if (several ? bitmap : graph_call(__ffs(bitmap), &trace, fregs)) {
			set_bitmap(current, offset, bitmap);
			return true;
		}
		/* The frame, and what users have saved above it */
		current->curr_ret_stack = offset - FGRAPH_FRAME_OFFSET;
	}
	current->curr_ret_depth--;
	return false;
}

/* What ftrace_graph_func() does, for a list */
static __always_inline void graph_call_list(unsigned long ip, unsigned long bitmap,
					    bool several, struct ftrace_regs *fregs)
{
	unsigned long *parent = (unsigned long *)ftrace_regs_get_stack_pointer(fregs);
	int bit;

	/* While it resumes from suspend, a processor may be in real mode, its stack too */
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
 * ftrace_mux_graph_member - who is called in the place of graph_ops
 * @ip: the function's call site
 *
 * Context: ftrace_lock held.
 * Return: graph_ops while it has a single user, else the bitmap of the users
 * who trace the function, NULL if none does.
 */
struct ftrace_ops *ftrace_mux_graph_member(unsigned long ip)
{
	unsigned long bitmap = 0;
	struct ftrace_ops *subops;

	if (list_is_singular(&graph_ops.subop_list))
		return &graph_ops;
	list_for_each_entry(subops, &graph_ops.subop_list, list) {
		if (ftrace_mux_ops_traces(subops, ip))
			bitmap |= BIT(graph_user_of(subops)->idx);
	}
	return (struct ftrace_ops *)bitmap;
}

/**
 * ftrace_mux_member_func - the function of a list's member
 * @member: an ops, or a bitmap in the place of graph_ops
 */
ftrace_func_t ftrace_mux_member_func(struct ftrace_ops *member)
{
	unsigned long bitmap = ftrace_mux_bitmap(member);

	if (!bitmap)
		return ftrace_ops_get_func(member);
	return is_power_of_2(bitmap) ? graph_func_one : graph_func_several;
}

/**
 * ftrace_mux_graph_user - the subops of an index in fgraph_array
 * @index: the index
 *
 * Context: ftrace_lock held.
 */
struct ftrace_ops *ftrace_mux_graph_user(unsigned int index)
{
	return &fgraph_array[index]->ops;
}

/**
 * ftrace_mux_graph_entryfunc - the function that it wants to be called on entry
 * @index: the index
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
 * ftrace_mux_graph_plan - an update is going to make sets
 *
 * Context: ftrace_lock held.
 * Return: the ID of graph_ops as a mask if its users are called by lists, else 0.
 */
unsigned int ftrace_mux_graph_plan(void)
{
	graph_planned = graph_users();
	return hweight_long(graph_planned) > 1 ? ftrace_mux_graph_mask() : 0;
}

/**
 * ftrace_mux_graph_stale - a user has another filter
 *
 * Context: ftrace_lock held. ftrace_mux_graph_changed() has to follow.
 */
void ftrace_mux_graph_stale(void)
{
	graph_planned = ~0UL;
}

/**
 * ftrace_mux_graph_changed - a user has come or gone, or has another filter
 *
 * ftrace has made an update only if graph_ops traces other functions now.
 *
 * Context: ftrace_lock held, may sleep.
 */
void ftrace_mux_graph_changed(void)
{
	/* Once ftrace is dead, no set is made */
	if (!ftrace_is_dead() && graph_planned != graph_users())
		ftrace_mux_retarget();
}

/* What a visit of a task needs, and what it has found */
struct graph_visit {
	unsigned long	index;
	struct task_struct *task;	/* a running task that is interrupted */
	unsigned int	named;		/* how many frames named the index */
	bool		done;
};

/*
 * Let the frames of a task forget an index. The task is current, interrupted or
 * not, or cannot run. What runs on top of it, an NMI too, only has frames of its
 * own, above these; what it was about to do reads the word of a frame once, or
 * writes the word of a new one.
 */
static void graph_forget_frames(struct task_struct *t, struct graph_visit *visit)
{
	unsigned long named = BIT(visit->index) << FGRAPH_INDEX_SHIFT;
	int offset = t->ret_stack ? t->curr_ret_stack : 0;

	while (offset > 0 && get_ret_stack(t, offset, &offset)) {
		unsigned long *word = &t->ret_stack[offset + FGRAPH_FRAME_OFFSET];

		if (__get_type(*word) != FGRAPH_TYPE_BITMAP || !(*word & named))
			continue;
		*word &= ~named;
		visit->named++;
	}
	visit->done = true;
}

/* Called with the locks that keep the task from starting or ceasing to run */
static int graph_forget_pinned(struct task_struct *t, void *data)
{
	if (!task_curr(t) || t == current)
		graph_forget_frames(t, data);
	return 0;
}

/* Called in an interrupt on the processor that the task ran on */
static void graph_forget_interrupted(void *data)
{
	struct graph_visit *visit = data;

	if (current == visit->task)
		graph_forget_frames(current, visit);
}

/* Only the task itself and its processor wait, and only for this */
static void graph_forget_task(struct task_struct *t, struct graph_visit *visit)
{
	visit->done = false;
	visit->task = t;
	while (true) {
		task_call_func(t, graph_forget_pinned, visit);
		if (visit->done)
			break;
		/* It runs. If it does not when the interrupt comes, start over */
		smp_call_function_single(task_cpu(t), graph_forget_interrupted, visit, true);
		if (visit->done)
			break;
	}
}

/* Let others run. Return: are both tasks still on the list of tasks? */
static bool graph_forget_pause(struct task_struct *g, struct task_struct *t)
{
	bool alive;

	get_task_struct(g);
	get_task_struct(t);
	rcu_read_unlock();
	cond_resched();
	rcu_read_lock();
	alive = pid_alive(g) && pid_alive(t);
	put_task_struct(t);
	put_task_struct(g);
	return alive;
}

/*
 * All on the list of tasks: a task forked meanwhile has no frames. Return: false if
 * the walk has paused at a task that has gone then, and has to start over.
 */
static bool graph_forget_tasks(struct graph_visit *visit)
{
	struct task_struct *g, *t;

	guard(rcu)();
	for_each_process_thread(g, t) {
		graph_forget_task(t, visit);
		if (need_resched() && !graph_forget_pause(g, t))
			return false;
	}
	return true;
}

/* Return: how many frames named the index */
static unsigned int graph_forget(unsigned int index)
{
	struct graph_visit visit = { .index = index };
	int cpu;

	/* Who comes back gets an empty shadow stack for its idle task */
	scoped_guard(cpus_read_lock) {
		for_each_online_cpu(cpu)
			graph_forget_task(idle_task(cpu), &visit);
	}
	while (!graph_forget_tasks(&visit))
		;
	return visit.named;
}

/* The former user of an index is called neither on entry nor on return */
static void graph_clean_index(unsigned int index)
{
	unsigned long left = graph_left[index];

	if (!left)
		return;
	/* Who was called before it went may be about to write its frame */
	if (!ftrace_mux_is_clean(left))
		ftrace_mux_wait_for_callers(left);
	/* A task that read a frame before calls the former user, fgraph_stub now */
	if (graph_forget(index))
		ftrace_mux_wait_for_callers(ftrace_mux_seq);
}

/**
 * ftrace_mux_graph_join - a user is about to be called
 * @gops: what has got an index in fgraph_array, where it is not yet
 *
 * Context: ftrace_lock held, may sleep and may wait for a grace period.
 */
void ftrace_mux_graph_join(struct fgraph_ops *gops)
{
	ftrace_mux_graph_changed();
	graph_clean_index(gops->idx);
	ftrace_mux_add_tracer(&gops->ops);
}

/**
 * ftrace_mux_graph_leave - a user is called no more
 * @gops: what has lost its index in fgraph_array
 *
 * Context: ftrace_lock held, may sleep.
 */
void ftrace_mux_graph_leave(struct fgraph_ops *gops)
{
	ftrace_mux_graph_changed();
	graph_left[gops->idx] = ftrace_mux_seq;
	ftrace_mux_next_grace();
}

#endif /* CONFIG_FTRACE_MUX */
