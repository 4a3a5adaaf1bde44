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
 * A slot holds two things that a task in a body reads one after the other: the
 * pointer to the ops and its function. So a slot may get another ops only when no
 * task can be in a body that it entered for the previous one. ftrace_shutdown()
 * waits for that before a dynamic ops is released. It does not wait for a static
 * ops, nor for the ops of a trace array, which is kept until the trace array is
 * removed. Such a slot stays with its ops as a zombie, so that it costs nothing to
 * switch a tracer off and on again. "Static" in the drawing means both.
 *
 * Calls: arch.h grace.c record_group.c hashes.c
 */

#include <linux/ftrace.h>

#include "../ftrace_internal.h"
#include "../trace.h"
#include "internal.h"

/* Read by the architecture's text */
struct ftrace_mux_slot ftrace_mux_slots[FTRACE_MUX_IDS]
	__aligned(FTRACE_MUX_SLOTS_ALIGN) __read_mostly;

/* The slots whose ops is registered */
static unsigned long used_slots;

/* How many registered ops have no ID */
unsigned int ftrace_mux_without_id;

/* When a zombie became one, see ftrace_mux_is_clean() */
static unsigned long left[FTRACE_MUX_IDS];

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
 * Find the zombie of the ops itself, or the first free slot. Only the function
 * tracer gets slot 0 while another one is free. kprobes get the last free slot.
 */
static int find_slot(const struct ftrace_ops *ops)
{
	bool last = ftrace_mux_called_last(ops);
	int free = -1;
	int i;

	for (i = FTRACE_MUX_IDS - 1; i >= 0; i--) {
		if (ftrace_mux_slots[i].ops == ops)
			return i;
		if (ftrace_mux_slots[i].ops)
			continue;
		if (free < 0 || (!last && (i || ops == &global_ops)))
			free = i;
	}
	return free;
}

/* No task is in a body that it entered for the ops of the slot */
static void clear_slot(unsigned int slot)
{
	ftrace_mux_slots[slot].ops = NULL;
	ftrace_mux_forget_recorder(slot);
}

/* Free the zombies that no task can be inside of. Return: false if there are others */
static bool free_zombies(void)
{
	bool all = true;
	int i;

	for (i = 0; i < FTRACE_MUX_IDS; i++) {
		if (test_bit(i, &used_slots))
			continue;
		if (ftrace_mux_slots[i].ops && !ftrace_mux_is_clean(left[i]))
			all = false;
		else
			clear_slot(i);
	}
	return all;
}

/* No slot is free: turn a zombie into a free one, if it becomes clean in time */
static int reap_slot(const struct ftrace_ops *ops)
{
	bool all = free_zombies();
	int slot = find_slot(ops);

	if (slot >= 0 || all)
		return slot;
	ftrace_mux_wait_a_while(ftrace_mux_seq - 1);
	free_zombies();
	return find_slot(ops);
}

/**
 * ftrace_mux_give_id - give an ops an ID, if there is one
 * @ops: an ops that no call site leads to
 *
 * No call site leads to the slot yet.
 *
 * Context: ftrace_lock held, may sleep and may wait a while for a grace period.
 */
void ftrace_mux_give_id(struct ftrace_ops *ops)
{
	int slot = -1;

	ops->mux_id = 0;
	if (ftrace_mux_wants_id(ops)) {
		slot = find_slot(ops);
		if (slot < 0)
			slot = reap_slot(ops);
	}
	if (slot < 0) {
		ftrace_mux_without_id++;
		return;
	}
	/* Before the function of the slot is set, and so before any site is patched */
	WRITE_ONCE(ftrace_mux_slots[slot].ops, ops);
	set_bit(slot, &used_slots);
	ops->mux_id = slot + 1;
}

/**
 * ftrace_mux_set_slot - let a slot call a function
 * @slot: the slot, an ID
 * @func: the function
 *
 * A call that runs meanwhile finds the old function or the new one.
 *
 * Context: ftrace_lock held, text_mutex not held, may sleep.
 */
void ftrace_mux_set_slot(unsigned int slot, ftrace_func_t func)
{
	WRITE_ONCE(ftrace_mux_slots[slot].func, func);
	arch_ftrace_mux_slot_changed(slot, func);
}

/**
 * ftrace_mux_take_id - take the ID of an ops back
 * @ops: an ops with an ID that no call site leads to
 * @clean: a grace period has ended since then, so that its slot is free; otherwise
 * the slot is a zombie
 *
 * Context: ftrace_lock held.
 */
void ftrace_mux_take_id(struct ftrace_ops *ops, bool clean)
{
	unsigned int slot = ops->mux_id - 1;

	ops->mux_id = 0;
	clear_bit(slot, &used_slots);
	if (clean)
		clear_slot(slot);
	left[slot] = ftrace_mux_seq;
}

/**
 * ftrace_mux_free_slot - free the slot of a zombie
 * @ops: an ops that is not registered; no task is in a body that it entered for it
 *
 * Context: ftrace_lock held.
 */
void ftrace_mux_free_slot(const struct ftrace_ops *ops)
{
	int i;

	for (i = 0; i < FTRACE_MUX_IDS; i++) {
		if (ftrace_mux_slots[i].ops == ops)
			clear_slot(i);
	}
}

/**
 * ftrace_mux_ops_id - the ID of an ops, or of the ops that manages a subops
 * @ops: a registered ops or subops
 *
 * Context: ftrace_lock held.
 * Return: the ID, or -1: it has none.
 */
int ftrace_mux_ops_id(const struct ftrace_ops *ops)
{
	if (ops->flags & FTRACE_OPS_FL_SUBOP && ops->managed)
		ops = ops->managed;
	return (int)ops->mux_id - 1;
}
