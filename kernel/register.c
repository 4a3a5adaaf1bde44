// SPDX-License-Identifier: GPL-2.0
/*
 * An ops is registered and unregistered: what ftrace calls, and in which order.
 *
 *   __register_ftrace_function()     ID           ftrace_mux_register()
 *   ftrace_update_trampoline()       slot         ftrace_mux_update_func()
 *   (an update patches the call sites: update.c)
 *
 *   __unregister_ftrace_function()                ftrace_mux_unregister()
 *   (an update takes the call sites away)
 *   (a grace period for a dynamic ops)            ftrace_mux_set_clean()
 *   ftrace_shutdown()                lists, ID    ftrace_mux_release()
 *   a kept ops is freed              slot         ftrace_mux_forget()
 *
 * A kept ops is that of a trace array (FTRACE_OPS_FL_TRACE_ARRAY), which frees it. Nobody
 * waits for it when it is unregistered.
 *
 * Calls: access.c grace.c record_group.c hashes.c ids.c lists.c stubs.c reclaim.c
 */

#include <linux/ftrace.h>

#include "../ftrace_internal.h"
#include "../trace.h"
#include "internal.h"

/* When the last ops was unregistered that its owner keeps, with an ID or without */
static unsigned long left_kept;

/**
 * ftrace_mux_register - give an ops an ID, if there is one
 * @ops: the ops that is about to be added to ftrace_ops_list
 *
 * No call site leads to the slot yet. It is pointed to the ops' function by
 * ftrace_mux_update_func(), which __register_ftrace_function() calls through
 * ftrace_update_trampoline() before any call site is patched. It cannot fail:
 * an ops that gets no ID is called by lists, or by its own trampoline.
 *
 * Context: ftrace_lock held, may sleep and may wait a while for a grace period.
 */
void ftrace_mux_register(struct ftrace_ops *ops)
{
	ftrace_mux_give_id(ops);
}

/*
 * A recorder is about to get another function. Its groups become sets of slots: a
 * call finds one or the other, and either records it. A call that is in a group
 * meanwhile is recorded as before.
 */
static void stop_recording(struct ftrace_ops *ops)
{
	unsigned int slot = ops->mux_id - 1;

	ftrace_mux_leave_groups(slot);
	if (ops->flags & FTRACE_OPS_FL_ENABLED)
		ftrace_mux_retarget();
	/*
	 * If ftrace is dead, call sites keep calling the group. An ops that is about to
	 * be enabled may have been a recorder when it was registered before.
	 */
	if (!(ops->flags & FTRACE_OPS_FL_ENABLED) || ftrace_is_dead())
		ftrace_mux_forget_recorder(slot);
}

/**
 * ftrace_mux_update_func - an ops has another function now
 * @ops: a registered ops whose ->func has been set
 *
 * Context: ftrace_lock held, text_mutex not held, may sleep.
 * Return: true if it needs no trampoline, since it has an ID.
 */
bool ftrace_mux_update_func(struct ftrace_ops *ops)
{
	struct trace_array *tr = ftrace_mux_recorder_of(ops);
	ftrace_func_t func = ftrace_mux_ops_func(ops);
	bool recorded;

	ftrace_mux_update_lists(ops, func);
	if (!ops->mux_id)
		return false;
	recorded = ftrace_mux_recorders & BIT(ops->mux_id - 1);
	if (recorded && !tr)
		stop_recording(ops);
	if (!recorded && tr)
		ftrace_mux_join_groups(ops->mux_id - 1, tr);
	/* And what groups need is seen by all processors then, see arch.h */
	ftrace_mux_set_slot(ops->mux_id - 1, func);
	if (!recorded && tr && ops->flags & FTRACE_OPS_FL_ENABLED)
		ftrace_mux_retarget();
	return true;
}

/*
 * ftrace is dead: call sites stay as they are, and may lead to an ops whose memory
 * is about to be freed. Stop calling it: its slot stays used, and calls a function
 * that does nothing.
 */
static void make_unreachable(struct ftrace_ops *ops)
{
	ftrace_mux_update_lists(ops, ftrace_stub);
	if (ops->mux_id) {
		ftrace_mux_forget_recorder(ops->mux_id - 1);
		ftrace_mux_set_slot(ops->mux_id - 1, ftrace_stub);
	}
	ftrace_mux_disarm(ops);

	/* A task that read the old ops still calls the old function */
	ftrace_mux_wait_for_callers(ftrace_mux_seq);
	ftrace_mux_scrub_lists(ops);
	if (ops->mux_id)
		WRITE_ONCE(ftrace_mux_slots[ops->mux_id - 1].ops, &ftrace_list_end);
	ops->mux_id = 0;
}

/* Does a call site call a tracer? */
static bool any_site_calls(void)
{
	struct ftrace_rec_iter *iter;

	for_ftrace_rec_iter(iter) {
		if (ftrace_rec_iter_record(iter)->flags & FTRACE_FL_ENABLED)
			return true;
	}
	return false;
}

/**
 * ftrace_mux_unregister - an ops is no longer registered
 * @ops: the ops; its call sites are still patched
 *
 * Called also when ftrace is dead: unregistering fails then, and the owner of @ops
 * frees it even so. While ftrace is off, no update takes the call sites away from
 * @ops, so all of them have to be nops.
 *
 * Context: ftrace_lock held, may sleep.
 */
void ftrace_mux_unregister(struct ftrace_ops *ops)
{
	ftrace_mux_without_id -= !ops->mux_id;
	if (!ftrace_enabled && !ftrace_is_dead() && WARN_ON_ONCE(any_site_calls()))
		ftrace_kill();
	if (ftrace_is_dead())
		make_unreachable(ops);
}

/**
 * ftrace_mux_release - take the ID of an ops back
 * @ops: an unregistered ops that no call site leads to, save if ftrace
 * has died while it was unregistered
 *
 * ftrace has waited for a grace period for a dynamic ops that is not kept. A static
 * ops, or one that is kept, was not waited for and keeps its slot.
 *
 * Context: ftrace_lock held, may sleep.
 */
void ftrace_mux_release(struct ftrace_ops *ops)
{
	bool waited = (ops->flags & FTRACE_OPS_FL_DYNAMIC) &&
		      !(ops->flags & FTRACE_OPS_FL_TRACE_ARRAY);

	if (ftrace_is_dead()) {
		make_unreachable(ops);
		return;
	}
	ftrace_mux_leave_lists(ops);
	if (ops->mux_id)
		ftrace_mux_take_id(ops, waited);
	if (ops->flags & FTRACE_OPS_FL_TRACE_ARRAY)
		left_kept = ftrace_mux_seq;
	if (!waited || ftrace_mux_any_list_unused())
		ftrace_mux_next_grace();
}

/**
 * ftrace_mux_forget - the memory of an ops that was kept is about to be freed
 * @ops: an ops that is not registered, and that ftrace_shutdown() has not waited for
 *
 * One grace period is enough for several that were unregistered one after the other,
 * and none is needed if one has ended since then. Another ops may get the same address
 * later: so no zombie may name it.
 *
 * Context: takes ftrace_lock; may wait for a grace period, without it.
 * Return: true: nothing calls it any longer.
 */
bool ftrace_mux_forget(struct ftrace_ops *ops)
{
	unsigned long left;

	scoped_guard(mutex, &ftrace_lock)
		left = left_kept;
	ftrace_mux_wait_unlocked(left);

	guard(mutex)(&ftrace_lock);
	ftrace_mux_free_slot(ops);
	return true;
}
