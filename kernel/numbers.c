// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers: which stub has which set, and when one may get another.
 *
 * The life of a number:
 *
 *              its stub is pointed to a set
 *    +-------+ ----------------------------> +--------+ --. its stub is pointed
 *    | CLEAN |                               | IN USE |   | to another set
 *    +-------+ <-------------+               +--------+ <-'
 *        a grace period      |                 |    ^
 *                            |  no call site   |    |  a call site that wants
 *                          +------+ <----------'    |  this very set
 *                          | LEFT | ----------------'
 *                          +------+
 *
 * A task may be preempted at a stub or in a body after its call site has left
 * the stub. It calls whom the stub leads to when it goes on. So a stub that call
 * sites have left gets another set only after a grace period of tasks RCU; one
 * runs after each update, and an update waits for it only if it cannot do
 * without that stub.
 */

#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/memory.h>
#include <linux/rcupdate.h>
#include <linux/workqueue.h>

#include "../ftrace_internal.h"
#include "mux.h"

struct ftrace_mux_stub ftrace_mux_stubs[FTRACE_MUX_NUMBERS + 1];

/* Counts the updates; and the last one after which a grace period has ended */
unsigned long ftrace_mux_seq = 1;
static unsigned long clean_seq;

/* The number that a set had when it was last looked for */
static u16 hints[FTRACE_MUX_SETS];

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

/* Does the stub lead to the set, and will it after the update? */
static bool has_set(unsigned int number, unsigned int set)
{
	const struct ftrace_mux_stub *stub = &ftrace_mux_stubs[number];

	return number && stub->set == set && stub->next == set;
}

/**
 * ftrace_mux_number_with - a number that has a set, and keeps it
 * @set: the set, not 0
 *
 * Context: ftrace_lock held.
 * Return: the number, one with call sites if there is any, or 0.
 */
unsigned int ftrace_mux_number_with(unsigned int set)
{
	unsigned int i, found = 0;

	if (has_set(hints[set], set))
		return hints[set];
	for (i = 1; i <= FTRACE_MUX_NUMBERS; i++) {
		if (!has_set(i, set))
			continue;
		found = i;
		if (ftrace_mux_stubs[i].count)
			break;
	}
	hints[set] = found;
	return found;
}

/**
 * ftrace_mux_redirect - point the stub of a number to a set
 * @number: the number
 * @set: the set, not 0
 *
 * Context: ftrace_lock and text_mutex held. arch_ftrace_mux_finish() has to follow.
 */
void ftrace_mux_redirect(unsigned int number, unsigned int set)
{
	struct ftrace_mux_stub *stub = &ftrace_mux_stubs[number];

	arch_ftrace_mux_point(number, set);
	ftrace_mux_use_set(set, 1);
	ftrace_mux_use_set(stub->set, -1);
	stub->set = set;
	stub->next = set;
}

/**
 * ftrace_mux_number_for - the number for a call site that is patched
 * @set: the set that it wants, not 0
 *
 * Context: ftrace_lock and text_mutex held.
 * Return: a number that has the set; 0 if none has it and none is clean: then the
 * call site calls ftrace_caller.
 */
unsigned int ftrace_mux_number_for(unsigned int set)
{
	unsigned int i = ftrace_mux_number_with(set);

	if (i)
		return i;
	for (i = 1; i <= FTRACE_MUX_NUMBERS; i++) {
		if (ftrace_mux_stubs[i].count || !ftrace_mux_is_clean(ftrace_mux_stubs[i].left))
			continue;
		ftrace_mux_redirect(i, set);
		arch_ftrace_mux_finish();
		hints[set] = i;
		return i;
	}
	return 0;
}

/**
 * ftrace_mux_unused - how many numbers have no call sites?
 * @clean: count those only that may get another set now
 *
 * Context: ftrace_lock held.
 */
unsigned int ftrace_mux_unused(bool clean)
{
	const struct ftrace_mux_stub *stub;
	unsigned int n = 0;

	for (stub = ftrace_mux_stubs + 1; stub <= ftrace_mux_stubs + FTRACE_MUX_NUMBERS; stub++)
		n += !stub->count && (!clean || ftrace_mux_is_clean(stub->left));
	return n;
}

/* Is there only the one task that boots, which is not in any stub? */
static bool nobody_to_wait_for(void)
{
	return system_state < SYSTEM_SCHEDULING;
}

/* No task is at a stub or in a body that it entered before this was called */
static void wait_for_callers(void)
{
	if (nobody_to_wait_for())
		return;
	/* Tasks that are preempted there, and idle and the like */
	synchronize_rcu_tasks_rude();
	synchronize_rcu_tasks();
}

/**
 * ftrace_mux_wait_for_callers - wait until all that was left is clean
 *
 * Context: ftrace_lock held, text_mutex not held, may sleep. In an update: what is
 * left after it is another matter.
 */
void ftrace_mux_wait_for_callers(void)
{
	wait_for_callers();
	clean_seq = ftrace_mux_seq++;
}

static void grace_work_func(struct work_struct *work);
static DECLARE_WORK(grace_work, grace_work_func);

static void grace_work_func(struct work_struct *work)
{
	unsigned long seq;

	/* The updates so far have ended: their call sites are patched */
	scoped_guard(mutex, &ftrace_lock)
		seq = ftrace_mux_seq - 1;

	wait_for_callers();

	guard(mutex)(&ftrace_lock);
	clean_seq = max(clean_seq, seq);
	ftrace_mux_free_lists();
	if (ftrace_mux_seq - 1 > clean_seq)
		queue_work(system_unbound_wq, &grace_work);
}

/**
 * ftrace_mux_next_grace - what has been left so far waits for a grace period
 *
 * Context: ftrace_lock held.
 */
void ftrace_mux_next_grace(void)
{
	if (nobody_to_wait_for())
		clean_seq = ftrace_mux_seq;
	else
		queue_work(system_unbound_wq, &grace_work);
	ftrace_mux_seq++;
}
