// SPDX-License-Identifier: GPL-2.0
/*
 * A part of kernel/trace/fgraph.c, which includes this file after graph.c: users
 * of function graph come, go and change their filters.
 *
 *   join    the index is clean   sets with its index are made   the user is called
 *   leave   the user is not called (fgraph_stub)   sets without its index are made
 *           ... a grace period ...   no frame names the index: it is clean
 *
 * A bitmap names indexes in fgraph_array. A task that was preempted in a call may
 * still have a bitmap with a user that has gone: no other user gets the index until
 * a grace period has ended. And a function that was entered for that user may sleep
 * for long, while its frame on the shadow stack names the index: before another user
 * gets the index, all frames forget it.
 *
 * Calls: access.c grace.c graph.c reclaim.c
 */

#ifdef CONFIG_FTRACE_MUX

#include <linux/cpu.h>
#include <linux/sched/task.h>
#include <linux/smp.h>

/* When the user of an index went, see ftrace_mux_is_clean() */
static unsigned long graph_left[FGRAPH_ARRAY_SIZE];

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
 * not, or cannot run. What runs on top of it, an NMI too, only uses frames that it
 * pushes above these. The code that was interrupted reads the word of a frame once,
 * or writes the word of a new frame.
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

/* Let the frames of a task forget the index. Only the task and its processor are held up */
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

/* Let other tasks run. Return: are both tasks still on the list of tasks? */
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
 * Visit all tasks on the list; a task that is forked meanwhile has no frames. Return:
 * false if the walk has paused at a task that has then gone, and has to start over.
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

	/* A processor that comes back gets an empty shadow stack for its idle task */
	scoped_guard(cpus_read_lock) {
		for_each_online_cpu(cpu)
			graph_forget_task(idle_task(cpu), &visit);
	}
	while (!graph_forget_tasks(&visit))
		;
	return visit.named;
}

/**
 * ftrace_mux_graph_clean_next - let the index that is used next be clean
 *
 * Called before a user gets it, when nothing has been done for that user yet. The
 * former user of the index is called neither on entry nor on return. This can take two
 * grace periods. One before the frames are changed: a task that called the user before
 * it left may be about to write a frame that names the index. One after a frame was
 * changed: a task that read it before calls the user of the index, which is fgraph_stub
 * until then.
 *
 * Context: ftrace_lock held. It is dropped while this waits for a grace period, which
 * a task that stays in the kernel holds up.
 */
void ftrace_mux_graph_clean_next(void)
{
	while (true) {
		int index = fgraph_lru_table[fgraph_lru_next];
		unsigned long left = index < 0 ? 0 : graph_left[index];

		if (!left)
			return;
		if (ftrace_mux_is_clean(left)) {
			graph_left[index] = graph_forget(index) ? ftrace_mux_seq : 0;
			continue;
		}
		mutex_unlock(&ftrace_lock);
		ftrace_mux_wait_unlocked(left);
		mutex_lock(&ftrace_lock);
	}
}

/**
 * ftrace_mux_graph_leave - a user is no longer called
 * @gops: the user; it is no longer in fgraph_array
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
