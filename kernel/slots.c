// SPDX-License-Identifier: GPL-2.0
/*
 * The IDs of the multiplexing function tracer and their slots.
 *
 * An ID is a bit and a slot. The life of a slot:
 *
 *              register                  unregister a static ops
 *    +------+ ----------> +------+ ------------------------> +--------+
 *    | FREE |             | USED |                           | ZOMBIE |
 *    +------+ <---------- +------+ <------------------------ +--------+
 *       ^      unregister          the same ops registers         |
 *       |      a dynamic ops       again                          |
 *       +---------------------------------------------------------+
 *              a grace period, when another ops needs the slot
 *
 * A slot holds two things that a task which runs a caller reads one after the
 * other: the pointer to the ops and the jump to its function. So a slot may
 * point to another ops only when no task can be inside a caller that it
 * entered for the previous one. ftrace_shutdown() waits for that before a
 * dynamic ops is released. It does not wait for a static ops, nor for the ops of
 * a trace array, which is kept until the trace array goes; such a slot stays with
 * its ops as a zombie, which costs nothing where a tracer is switched off and on
 * again. "Static" below means both.
 */

#include <linux/ftrace.h>
#include <linux/kprobes.h>

#include "../ftrace_internal.h"
#include "../trace.h"
#include "mux.h"

/*
 * The ops that slot i passes to its function: read by the slots in assembly.
 * NULL for a free slot, the previous user for a zombie.
 */
struct ftrace_ops *ftrace_mux_slot_ops[FTRACE_MUX_IDS] __read_mostly;

/* The slots whose ops is registered */
static unsigned long used_slots;

/* How many registered ops have none */
unsigned int ftrace_mux_without_id;

/* When a zombie became one, see ftrace_mux_is_clean() */
static unsigned long left[FTRACE_MUX_IDS];

/* When the last ops was unregistered that its owner keeps, with an ID or without */
static unsigned long left_kept;

/**
 * ftrace_mux_slot_used - is the ops of a slot registered?
 * @slot: the slot, below FTRACE_MUX_IDS
 *
 * Context: ftrace_lock held.
 */
bool ftrace_mux_slot_used(unsigned int slot)
{
	return test_bit(slot, &used_slots);
}

/*
 * Who gets an ID. An ops with FTRACE_OPS_FL_STUB is
 * never called; livepatch and direct calls attach
 * one ops to each function, so that a few of them would use up all IDs.
 */
static bool wants_id(const struct ftrace_ops *ops)
{
	const unsigned long per_function = FTRACE_OPS_FL_IPMODIFY |
					   FTRACE_OPS_FL_PERMANENT;

	if (ops->flags & (FTRACE_OPS_FL_STUB | FTRACE_OPS_FL_DIRECT))
		return false;
	return (ops->flags & per_function) != per_function;
}

/**
 * ftrace_mux_called_last - has an ops to be called after all others?
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

/*
 * Its own zombie, or the first free slot: 0 only if there is no other one,
 * except for the function tracer. For kprobes, the last free slot.
 */
static int find_slot(const struct ftrace_ops *ops)
{
	bool last = ftrace_mux_called_last(ops);
	int free = -1;
	int i;

	for (i = FTRACE_MUX_IDS - 1; i >= 0; i--) {
		if (ftrace_mux_slot_ops[i] == ops)
			return i;
		if (ftrace_mux_slot_ops[i])
			continue;
		if (free < 0 || (!last && (i || ops == &global_ops)))
			free = i;
	}
	return free;
}

/* Free the zombies that no task can be inside of. Return: false if there are others */
static bool free_zombies(void)
{
	bool all = true;
	int i;

	for (i = 0; i < FTRACE_MUX_IDS; i++) {
		if (test_bit(i, &used_slots))
			continue;
		if (ftrace_mux_slot_ops[i] && !ftrace_mux_is_clean(left[i]))
			all = false;
		else
			ftrace_mux_slot_ops[i] = NULL;
	}
	return all;
}

/* No slot is free: make one of a zombie */
static int reap_slot(const struct ftrace_ops *ops)
{
	bool all = free_zombies();
	int slot = find_slot(ops);

	if (slot >= 0 || all)
		return slot;
	ftrace_mux_wait_for_callers(ftrace_mux_seq - 1);
	free_zombies();
	return find_slot(ops);
}

/**
 * ftrace_mux_register - give an ops an ID, if there is one
 * @ops: the ops that is about to be added to ftrace_ops_list
 *
 * No call site leads to the slot yet. It is pointed to the ops' function by
 * ftrace_mux_update_func(), which __register_ftrace_function() calls through
 * ftrace_update_trampoline() before any call site is patched. It cannot fail:
 * an ops that gets no ID is called by lists, or by a trampoline of its own.
 *
 * Context: ftrace_lock held, may sleep and may wait for a grace period.
 */
void ftrace_mux_register(struct ftrace_ops *ops)
{
	int slot = -1;

	ops->mux_id = 0;

	if (wants_id(ops)) {
		slot = find_slot(ops);
		if (slot < 0)
			slot = reap_slot(ops);
	}
	if (slot >= 0) {
		/* Before the slot is poked, and that before any site is */
		WRITE_ONCE(ftrace_mux_slot_ops[slot], ops);
		set_bit(slot, &used_slots);
		ops->mux_id = slot + 1;
	} else {
		ftrace_mux_without_id++;
	}
	ftrace_mux_add_tracer(ops);
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
	ftrace_func_t func = ftrace_ops_get_func(ops);

	ftrace_mux_update_lists(ops, func);
	if (!ops->mux_id)
		return false;
	arch_ftrace_mux_set_slot(ops->mux_id - 1, func);
	return true;
}

/**
 * ftrace_mux_grace_ended - ftrace_shutdown() has waited for a grace period
 *
 * Context: ftrace_lock held since the call sites have been patched.
 * Return: false if ftrace is dead: call sites may still lead to the trampoline.
 */
bool ftrace_mux_grace_ended(void)
{
	ftrace_mux_set_clean();
	return !ftrace_is_dead();
}

/*
 * ftrace is dead: call sites keep calling what they call, and so may lead to an
 * ops whose memory is about to go. Stop calling it: its slot stays used, and
 * calls a function that does nothing.
 */
static void make_unreachable(struct ftrace_ops *ops)
{
	unsigned int slot = ops->mux_id - 1;

	ftrace_mux_update_lists(ops, ftrace_stub);
	if (ops->mux_id)
		arch_ftrace_mux_set_slot(slot, ftrace_stub);
	ftrace_mux_disarm(ops);

	/* A task that read the old ops still calls the old function */
	ftrace_mux_wait_for_callers(ftrace_mux_seq);
	ftrace_mux_scrub_lists(ops);
	if (ops->mux_id)
		WRITE_ONCE(ftrace_mux_slot_ops[slot], &ftrace_list_end);
	ops->mux_id = 0;
}

/* Does a call site call anybody? */
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
 * Called when ftrace is dead too, where unregistering fails: the owner of @ops
 * frees it even so. While ftrace is off nothing takes the call sites away from
 * @ops: none may call anybody.
 *
 * Context: ftrace_lock held, may sleep.
 */
void ftrace_mux_unregister(struct ftrace_ops *ops)
{
	ftrace_mux_remove_tracer(ops);
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
 * A dynamic ops must have gone through its grace period, unless it is kept. The
 * slot of a static ops, or of one that is kept, which ftrace does not wait for,
 * stays with it.
 *
 * Context: ftrace_lock held, may sleep.
 */
void ftrace_mux_release(struct ftrace_ops *ops)
{
	bool waited = (ops->flags & FTRACE_OPS_FL_DYNAMIC) &&
		      !(ops->flags & FTRACE_OPS_FL_TRACE_ARRAY);
	unsigned int slot;

	if (ftrace_is_dead()) {
		make_unreachable(ops);
		return;
	}
	ftrace_mux_leave_lists(ops);
	if (ops->mux_id) {
		slot = ops->mux_id - 1;
		ops->mux_id = 0;
		clear_bit(slot, &used_slots);
		if (waited)
			ftrace_mux_slot_ops[slot] = NULL;
		left[slot] = ftrace_mux_seq;
	}
	if (ops->flags & FTRACE_OPS_FL_TRACE_ARRAY)
		left_kept = ftrace_mux_seq;
	if (!waited || ftrace_mux_lists_left())
		ftrace_mux_next_grace();
}

/**
 * ftrace_mux_forget - the memory of an ops that was kept is about to go
 * @ops: an ops that is not registered, and that ftrace_shutdown() has not waited for
 *
 * Several that were unregistered one after the other go with one grace period,
 * or with none if one has ended since. Another ops may get the same address: its
 * slot is no zombie of that one.
 *
 * Context: ftrace_lock held, may sleep and may wait for a grace period.
 * Return: true: nothing calls it.
 */
bool ftrace_mux_forget(struct ftrace_ops *ops)
{
	int i;

	if (!ftrace_mux_is_clean(left_kept))
		ftrace_mux_wait_for_callers(left_kept);
	for (i = 0; i < FTRACE_MUX_IDS; i++)
		if (ftrace_mux_slot_ops[i] == ops)
			ftrace_mux_slot_ops[i] = NULL;
	return true;
}
