// SPDX-License-Identifier: GPL-2.0
/*
 * When these may be used again: a stub that call sites have left, a list that stubs
 * have left, the slot of a zombie.
 *
 *   values of ftrace_mux_seq               1   2   3   4   5
 *   clean_seq: a grace period has ended        ^
 *
 * A stub, list or slot that was left when the value was 1 or 2 is clean: no task is
 * still at a stub or in a body that it entered before. One that was left at 3 or later
 * needs another grace period.
 *
 * Calls: nothing
 */

#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "../ftrace_internal.h"
#include "internal.h"

/*
 * What is left now gets this number. It grows when a grace period is asked for or has
 * ended, so that several updates can have the same one.
 */
unsigned long ftrace_mux_seq = 1;

/* A stub, list or slot that was left with this number, or a lower one, is clean */
static unsigned long clean_seq;

/*
 * The last number that a grace period has been asked for, the last one that the grace
 * period which has begun covers, and the last one that a grace period which has ended
 * covers. ftrace_lock protects the first; the worker sets the other two.
 *
 * The end of a grace period alone makes nothing clean: only a task that holds
 * ftrace_lock changes clean_seq. So what a task has found clean, or not, stays so
 * until that task waits or drops the lock.
 */
static unsigned long grace_asked, grace_begun, grace_ended;
static DECLARE_WAIT_QUEUE_HEAD(grace_wait);

/* How long an update or a registration waits with ftrace_lock held; others wait for it */
#define A_WHILE		HZ

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
 * Return: the last update of which all that was left is clean. It changes when
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

/* The worker: wait until no task is at a stub or in a body that it entered before */
static void grace_func(struct work_struct *work)
{
	unsigned long target = READ_ONCE(grace_asked);

	WRITE_ONCE(grace_begun, target);
	if (target <= grace_ended)
		return;
	/* The first waits for idle tasks and the like, the second for preempted tasks */
	synchronize_rcu_tasks_rude();
	synchronize_rcu_tasks();
	WRITE_ONCE(grace_ended, target);
	wake_up_all(&grace_wait);
}

static DECLARE_WORK(grace_work, grace_func);

/**
 * ftrace_mux_set_clean - what has been left so far is clean
 *
 * Context: ftrace_lock held, as it has been during a whole grace period.
 */
void ftrace_mux_set_clean(void)
{
	clean_seq = ftrace_mux_seq++;
}

/*
 * Let a grace period begin that covers what has been left up to the update @left. If
 * that is the current one, what is left from now on counts for the next one. A grace
 * period that has begun is enough if it covers @left.
 */
static void grace_begin(unsigned long left)
{
	if (left == ftrace_mux_seq)
		ftrace_mux_seq++;
	grace_asked = max(grace_asked, ftrace_mux_seq - 1);
	if (READ_ONCE(grace_begun) < left)
		schedule_work(&grace_work);
}

/* Return: true if it has ended before the timeout, in jiffies */
static bool grace_wait_for(unsigned long left, unsigned long timeout)
{
	return wait_event_timeout(grace_wait, READ_ONCE(grace_ended) >= left, timeout);
}

/* All is clean if nobody has to be waited for. Return: is it? */
static bool clean_without_wait(unsigned long left)
{
	if (ftrace_mux_nobody_to_wait_for())
		ftrace_mux_set_clean();
	return ftrace_mux_is_clean(left);
}

static bool wait_locked(unsigned long left, unsigned long timeout)
{
	if (clean_without_wait(left))
		return true;
	grace_begin(left);
	if (!grace_wait_for(left, timeout))
		return false;
	clean_seq = max(clean_seq, left);
	return true;
}

/**
 * ftrace_mux_wait_for_callers - wait until what has been left is clean
 * @left: the update in which it was left
 *
 * Context: ftrace_lock held, text_mutex not held, may sleep. A task that stays in the
 * kernel delays this.
 */
void ftrace_mux_wait_for_callers(unsigned long left)
{
	wait_locked(left, MAX_SCHEDULE_TIMEOUT);
}

/**
 * ftrace_mux_wait_a_while - the same, for a second at most
 * @left: the update in which it was left
 *
 * Context: ftrace_lock held, text_mutex not held, may sleep.
 * Return: is it clean?
 */
bool ftrace_mux_wait_a_while(unsigned long left)
{
	return wait_locked(left, A_WHILE);
}

/**
 * ftrace_mux_wait_unlocked - wait until what has been left is clean, without ftrace_lock
 * @left: the update in which it was left
 *
 * Context: takes ftrace_lock, but does not hold it while it waits.
 */
void ftrace_mux_wait_unlocked(unsigned long left)
{
	scoped_guard(mutex, &ftrace_lock) {
		if (clean_without_wait(left))
			return;
		grace_begin(left);
	}
	grace_wait_for(left, MAX_SCHEDULE_TIMEOUT);

	guard(mutex)(&ftrace_lock);
	clean_seq = max(clean_seq, left);
}
