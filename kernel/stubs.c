// SPDX-License-Identifier: GPL-2.0
/*
 * The stubs: which one has which set, and when one may get another.
 *
 * The life of a stub:
 *
 *              it is pointed to a set
 *    +-------+ ----------------------------> +--------+ --. it is pointed
 *    | CLEAN |                               | IN USE |   | to another set
 *    +-------+ <-------------+               +--------+ <-'
 *        a grace period      |                 |    ^
 *                            |  no call site   |    |  a call site that wants
 *                          +------+ <----------'    |  this very set
 *                          | LEFT | ----------------'
 *                          +------+
 *
 * A task may be preempted at a stub or in a body after its call site has left
 * the stub. When it continues, it calls the set that the stub leads to then. So
 * a stub that call sites have left gets another set only after a grace period of
 * tasks RCU; one runs after each update, and an update waits for it only if it
 * cannot do without that stub.
 */

#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/memory.h>
#include <linux/rcupdate.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "../ftrace_internal.h"
#include "mux.h"

struct ftrace_mux_stub ftrace_mux_stubs[FTRACE_MUX_STUBS + 1];

/* Counts the updates */
unsigned long ftrace_mux_seq = 1;

/* The last update after which a grace period has ended: what was left until then is clean */
static unsigned long clean_seq;

/*
 * The last update that grace_work waits for, and has waited for. The second one is
 * changed without a lock, and only grows: who holds ftrace_lock learns of it where
 * clean_seq changes, and so finds the same thing clean, or not, each time it looks.
 */
static unsigned long grace_target, grace_ended;
static DECLARE_WAIT_QUEUE_HEAD(grace_wait);

/* The stub that a set had when it was last looked for */
u16 ftrace_mux_hints[FTRACE_MUX_SETS];

/* The sets that have no stub in the current update, and get none */
static DECLARE_BITMAP(without_stub, FTRACE_MUX_SETS);

struct ftrace_mux_decision ftrace_mux_decision;

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

/* The better it is for call sites that look for a stub with a set */
static unsigned int grade(const struct ftrace_mux_stub *stub)
{
	if (ftrace_mux_is_clean(stub->left))
		return stub->count ? 3 : 2;
	/* The next redirection of it would wait, for all its call sites */
	return 1;
}

/**
 * ftrace_mux_stub_with - a stub that has a set, and keeps it
 * @set: the set, not 0
 *
 * Context: ftrace_lock held.
 * Return: the stub, preferably a clean one with call sites. 0 if there is none,
 * or if it is better to use a new one.
 */
unsigned int ftrace_mux_stub_with(unsigned int set)
{
	unsigned int i, best = 0, found = 0;

	if (ftrace_mux_has_set(ftrace_mux_hints[set], set))
		return ftrace_mux_hints[set];
	for (i = 1; i <= FTRACE_MUX_STUBS && best < 3; i++) {
		if (!ftrace_mux_has_set(i, set) || grade(&ftrace_mux_stubs[i]) <= best)
			continue;
		found = i;
		best = grade(&ftrace_mux_stubs[i]);
	}
	if (best == 1 && ftrace_mux_unused(true) > FTRACE_MUX_STUBS / 2)
		found = 0;
	ftrace_mux_hints[set] = found;
	return found;
}

/**
 * ftrace_mux_redirect - point a stub to a set
 * @index: the stub
 * @set: the set, not 0
 *
 * Context: ftrace_lock and text_mutex held. arch_ftrace_mux_finish() has to follow.
 */
void ftrace_mux_redirect(unsigned int index, unsigned int set)
{
	struct ftrace_mux_stub *stub = &ftrace_mux_stubs[index];

	arch_ftrace_mux_point(index, set);
	ftrace_mux_use_set(set, 1);
	ftrace_mux_use_set(stub->set, -1);
	stub->set = set;
	stub->next = set;
}

/**
 * ftrace_mux_stub_for - the stub for a call site that is patched
 * @set: the set that it wants, not 0
 *
 * Context: ftrace_lock and text_mutex held.
 * Return: a stub that has the set; 0 if none has it and none is clean: then the
 * call site calls ftrace_caller.
 */
unsigned int ftrace_mux_stub_for(unsigned int set)
{
	unsigned int i;

	if (test_bit(set, without_stub))
		return 0;
	i = ftrace_mux_stub_with(set);
	if (i)
		return i;
	for (i = 1; i <= FTRACE_MUX_STUBS; i++) {
		struct ftrace_mux_stub *stub = &ftrace_mux_stubs[i];

		if (stub->count || stub->taken || !ftrace_mux_is_clean(stub->left))
			continue;
		/* A call site of a module that is being loaded takes it right now */
		stub->taken = ftrace_mux_planning;
		ftrace_mux_redirect(i, set);
		arch_ftrace_mux_finish();
		ftrace_mux_hints[set] = i;
		return i;
	}
	if (ftrace_mux_planning)
		__set_bit(set, without_stub);
	return 0;
}

/**
 * ftrace_mux_forget_hints - look for the best stub of each set again
 *
 * Context: ftrace_lock held, before an update patches the first call site, and
 * after the last one.
 */
void ftrace_mux_forget_hints(void)
{
	memset(ftrace_mux_hints, 0, sizeof(ftrace_mux_hints));
	bitmap_zero(without_stub, FTRACE_MUX_SETS);
}

/**
 * ftrace_mux_unused - how many stubs have no call sites, and get none in this update?
 * @clean: count those only that may get another set now
 *
 * Context: ftrace_lock held.
 */
unsigned int ftrace_mux_unused(bool clean)
{
	const struct ftrace_mux_stub *stub;
	unsigned int n = 0;

	for (stub = ftrace_mux_stubs + 1; stub <= ftrace_mux_stubs + FTRACE_MUX_STUBS; stub++)
		n += !stub->count && !stub->taken && (!clean || ftrace_mux_is_clean(stub->left));
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
 * ftrace_mux_set_clean - what has been left so far is clean
 *
 * Context: ftrace_lock held, and it was while a grace period went by.
 */
void ftrace_mux_set_clean(void)
{
	clean_seq = ftrace_mux_seq++;
}

static void grace_work_func(struct work_struct *work)
{
	unsigned long target;
	bool clean;

	/* The updates so far have ended: their call sites are patched */
	scoped_guard(mutex, &ftrace_lock) {
		target = ftrace_mux_seq - 1;
		grace_target = target;
		clean = ftrace_mux_is_clean(target);
	}
	if (!clean)
		wait_for_callers();

	/* Without the lock: who holds it may wait for this */
	WRITE_ONCE(grace_ended, target);
	wake_up_all(&grace_wait);

	guard(mutex)(&ftrace_lock);
	clean_seq = max(clean_seq, target);
	ftrace_mux_free_lists();
}

static DECLARE_DELAYED_WORK(grace_work, grace_work_func);

/**
 * ftrace_mux_grace_delay - when the grace period after an update should begin
 *
 * Not at once: an unregister that follows needs a grace period of its own, which
 * also covers this one. The delay is that of RCU
 * tasks for callbacks that nobody waits for. But where stubs or lists run out,
 * call sites would have to call ftrace_caller.
 *
 * Context: ftrace_lock held.
 * Return: the delay in jiffies.
 */
unsigned long ftrace_mux_grace_delay(void)
{
	if (ftrace_mux_unused(true) <= FTRACE_MUX_STUBS / 4 ||
	    ftrace_mux_unused_lists() <= FTRACE_MUX_LISTS / 2)
		return 1;
	return HZ / 4;
}

/**
 * ftrace_mux_next_grace - let what has been left since the last call become clean
 *
 * The work waits for all that was left before it starts; scheduled while it runs,
 * it runs once more. Scheduled while it is to come, it does not come later.
 *
 * Context: ftrace_lock held.
 */
void ftrace_mux_next_grace(void)
{
	unsigned long delay;

	if (nobody_to_wait_for()) {
		ftrace_mux_set_clean();
		return;
	}
	delay = ftrace_mux_grace_delay();
	/* What is to come sooner stays: else one update after the other would put it off */
	if (time_after(grace_work.timer.expires, jiffies + delay))
		cancel_delayed_work(&grace_work);
	schedule_delayed_work(&grace_work, delay);
	ftrace_mux_seq++;
}
