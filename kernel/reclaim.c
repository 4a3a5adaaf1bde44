// SPDX-License-Identifier: GPL-2.0
/*
 * The work in the background after an update: a grace period, after which the stubs
 * that call sites have left are clean, and the lists that no stub leads to are freed.
 *
 *   update --> delay --> grace period --> clean
 *                           ^
 *                           a task that needs it now waits for this one
 *
 * Calls: grace.c lists.c stubs.c
 */

#include <linux/ftrace.h>
#include <linux/workqueue.h>

#include "../ftrace_internal.h"
#include "internal.h"

static void reclaim_func(struct work_struct *work)
{
	unsigned long left;

	scoped_guard(mutex, &ftrace_lock)
		left = ftrace_mux_seq - 1;
	ftrace_mux_wait_unlocked(left);

	guard(mutex)(&ftrace_lock);
	ftrace_mux_free_lists();
}

static DECLARE_DELAYED_WORK(reclaim_work, reclaim_func);

/**
 * ftrace_mux_grace_delay - when the grace period after an update should begin
 *
 * Not at once: an unregister that follows needs a grace period of its own, which
 * also covers this one. The delay is that of RCU tasks for callbacks that nobody
 * waits for. But where stubs or lists run out, call sites would have to call
 * ftrace_caller.
 *
 * Context: ftrace_lock held, outside of an update.
 * Return: the delay in jiffies.
 */
unsigned long ftrace_mux_grace_delay(void)
{
	if (ftrace_mux_unused(NULL, true) <= FTRACE_MUX_STUBS / 4 ||
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
 * Context: ftrace_lock held, outside of an update.
 */
void ftrace_mux_next_grace(void)
{
	unsigned long delay;

	if (ftrace_mux_nobody_to_wait_for()) {
		ftrace_mux_set_clean();
		return;
	}
	delay = ftrace_mux_grace_delay();
	/* What is to come sooner stays: else one update after the other would put it off */
	if (time_after(reclaim_work.timer.expires, jiffies + delay))
		cancel_delayed_work(&reclaim_work);
	schedule_delayed_work(&reclaim_work, delay);
	ftrace_mux_seq++;
}
