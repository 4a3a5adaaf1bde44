// SPDX-License-Identifier: GPL-2.0
/*
 * When what has been left may be used again: a stub that call sites have left, a
 * list that stubs have left, the slot of a zombie.
 *
 *   updates, counted by ftrace_mux_seq     1   2   3   4   5
 *   clean_seq: a grace period has ended        ^
 *
 * What was left in update 1 or 2 is clean: no task is still at a stub or in a body
 * that it entered before. What was left in 3 or later needs another grace period.
 *
 * Calls: nothing
 */

#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <linux/wait.h>

#include "../ftrace_internal.h"
#include "internal.h"

/* Counts the updates */
unsigned long ftrace_mux_seq = 1;

/* The last update after which a grace period has ended: what was left until then is clean */
static unsigned long clean_seq;

/*
 * The last update that the work in the background waits for, and has waited for.
 * The second one is changed without a lock, and only grows: a task that holds
 * ftrace_lock learns of it where clean_seq changes, and so finds the same thing
 * clean, or not, each time it looks.
 */
static unsigned long grace_target, grace_ended;
static DECLARE_WAIT_QUEUE_HEAD(grace_wait);

/**
 * ftrace_mux_is_clean - has a grace period ended since?
 * @left: the update in which something was left
 *
 * Context: ftrace_lock held.
 */
bool ftrace_mux_is_clean(unsigned long left)
{
	return left <= clean_seq;
}

/**
 * ftrace_mux_clean_seq - what is clean?
 *
 * Context: ftrace_lock held.
 * Return: the last update of which all that was left is clean. It changes where
 * something becomes clean.
 */
unsigned long ftrace_mux_clean_seq(void)
{
	return clean_seq;
}

/**
 * ftrace_mux_nobody_to_wait_for - is there only the task that boots?
 *
 * It is not in any stub.
 */
bool ftrace_mux_nobody_to_wait_for(void)
{
	return system_state < SYSTEM_SCHEDULING;
}

/* Wait until no task is at a stub or in a body that it entered before */
static void wait_for_callers(void)
{
	if (ftrace_mux_nobody_to_wait_for())
		return;
	/* Tasks that are preempted there, and idle and the like */
	synchronize_rcu_tasks_rude();
	synchronize_rcu_tasks();
}

/**
 * ftrace_mux_set_clean - what has been left so far is clean
 *
 * Context: ftrace_lock held, and it was while a grace period went by.
 */
void ftrace_mux_set_clean(void)
{
	clean_seq = ftrace_mux_seq++;
}

/**
 * ftrace_mux_wait_for_callers - wait until what has been left is clean
 * @left: the update in which it was left
 *
 * A grace period that has begun is waited for, if that is enough.
 *
 * Context: ftrace_lock held, text_mutex not held, may sleep.
 */
void ftrace_mux_wait_for_callers(unsigned long left)
{
	if (left <= grace_target) {
		wait_event(grace_wait, READ_ONCE(grace_ended) >= left);
		clean_seq = max(clean_seq, left);
		return;
	}
	wait_for_callers();
	ftrace_mux_set_clean();
}

/**
 * ftrace_mux_grace_begin - a grace period in the background begins
 *
 * Context: ftrace_lock held: the updates so far have ended, their call sites are
 * patched.
 * Return: the last update that it covers.
 */
unsigned long ftrace_mux_grace_begin(void)
{
	grace_target = ftrace_mux_seq - 1;
	return grace_target;
}

/**
 * ftrace_mux_grace_wait - wait for the grace period in the background
 * @target: what ftrace_mux_grace_begin() has returned
 * @clean: that was clean already
 *
 * Context: ftrace_lock not held: a task that holds it may wait for this.
 */
void ftrace_mux_grace_wait(unsigned long target, bool clean)
{
	if (!clean)
		wait_for_callers();
	WRITE_ONCE(grace_ended, target);
	wake_up_all(&grace_wait);
}

/**
 * ftrace_mux_grace_end - what was left before the grace period is clean
 * @target: what ftrace_mux_grace_begin() has returned
 *
 * Context: ftrace_lock held.
 */
void ftrace_mux_grace_end(unsigned long target)
{
	clean_seq = max(clean_seq, target);
}
