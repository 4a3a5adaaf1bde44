// SPDX-License-Identifier: GPL-2.0
/*
 * The IDs of the multiplexing function tracer, their slots, and the lane of
 * the tracers that have none.
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
 * dynamic ops is released. It does not wait for a static ops; such a slot
 * stays with its ops as a zombie, which costs nothing where a tracer is
 * switched off and on again.
 */

#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/rcupdate.h>
#include <linux/trace_recursion.h>

#include "../ftrace_internal.h"
#include "mux.h"

/*
 * The ops that slot i passes to its function: read by the slots in assembly.
 * NULL for a free slot, the previous user for a zombie.
 */
struct ftrace_ops *ftrace_mux_slot_ops[FTRACE_MUX_IDS] __read_mostly;

/* The slots whose ops is registered */
static unsigned long used_slots;

/*
 * The lane: a list of its own, so that it costs the number of its members and
 * not that of all tracers. Read with preemption disabled and no lock, changed
 * under ftrace_lock. A member that leaves keeps its ->mux_next for the walkers
 * that stand on it.
 */
static struct ftrace_ops __rcu *lane __read_mostly =
	(struct ftrace_ops __rcu *)&ftrace_list_end;

/**
 * ftrace_mux_lane_func - call the lane's members that trace a function
 * @ip: address of the call site
 * @parent_ip: return address of the traced function
 * @mask: the mask of the caller
 * @fregs: the registers, full ones in the regs callers
 *
 * The same protocol as the list function of ftrace: a recursion bit, no
 * preemption while members are walked, and each member's hashes are tested.
 *
 * Context: any that can be traced, NMI included.
 */
void ftrace_mux_lane_func(unsigned long ip, unsigned long parent_ip,
			  unsigned long mask, struct ftrace_regs *fregs)
{
	struct pt_regs *regs = ftrace_get_regs(fregs);
	struct ftrace_ops *op;
	unsigned int id;
	int bit;

	bit = trace_test_and_set_recursion(ip, parent_ip, TRACE_LIST_START);
	if (bit < 0)
		return;

	/* Pairs with the rcu_assign_pointer()s of lane_add() */
	for (op = rcu_dereference_raw_check(lane); op != &ftrace_list_end;
	     op = rcu_dereference_raw_check(op->mux_next)) {
		/* On its way from a slot to the lane: this caller has its slot */
		id = READ_ONCE(op->mux_id);
		if (unlikely(id) && mask & BIT(id - 1))
			continue;
		if (op->flags & FTRACE_OPS_FL_RCU && !rcu_is_watching())
			continue;
		if (ftrace_ops_test(op, ip, regs))
			op->func(ip, parent_ip, op, fregs);
	}

	trace_clear_recursion(bit);
}

NOKPROBE_SYMBOL(ftrace_mux_lane_func);

static struct ftrace_ops *lane_deref(struct ftrace_ops __rcu *p)
{
	return rcu_dereference_protected(p, lockdep_is_held(&ftrace_lock));
}

static void lane_add(struct ftrace_ops *ops)
{
	/*
	 * A static ops may come back while a walker still stands on it, which
	 * would then go on at the new head of the list and see members twice.
	 * Walkers have preemption disabled.
	 */
	if (lane_deref(ops->mux_next) && !(ops->flags & FTRACE_OPS_FL_DYNAMIC)) {
		synchronize_rcu_tasks_rude();
		synchronize_rcu();
	}

	/* A walker that sees the new head must see where it goes on */
	rcu_assign_pointer(ops->mux_next, lane_deref(lane));
	rcu_assign_pointer(lane, ops);
}

static void lane_del(struct ftrace_ops *ops)
{
	struct ftrace_ops __rcu **p = &lane;
	struct ftrace_ops *op;

	while ((op = lane_deref(*p)) != &ftrace_list_end) {
		if (op == ops) {
			rcu_assign_pointer(*p, lane_deref(ops->mux_next));
			return;
		}
		p = &op->mux_next;
	}
}

/**
 * ftrace_mux_in_lane - is an ops a member of the overflow lane?
 * @ops: the ops
 *
 * Context: ftrace_lock held.
 */
bool ftrace_mux_in_lane(const struct ftrace_ops *ops)
{
	struct ftrace_ops *op;

	for (op = lane_deref(lane); op != &ftrace_list_end; op = lane_deref(op->mux_next)) {
		if (op == ops)
			return true;
	}
	return false;
}

/**
 * ftrace_mux_slot_used - is the ops of a slot registered?
 * @slot: the slot's number, below FTRACE_MUX_IDS
 *
 * Context: ftrace_lock held.
 */
bool ftrace_mux_slot_used(unsigned int slot)
{
	return test_bit(slot, &used_slots);
}

/*
 * Who gets an ID. A stub is never called; livepatch and direct calls attach
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

/* No task is inside a caller that it entered before this was called */
static void wait_for_callers(void)
{
	/* Tasks that are preempted inside a caller, and idle and the like */
	synchronize_rcu_tasks_rude();
	synchronize_rcu_tasks();
}

/*
 * Callers call the slots in order. A return probe replaces the return address
 * on the stack, which function graph reads there, and fprobe with it: what
 * they show as the parent is the true one if they are called first.
 */
static bool called_last(const struct ftrace_ops *ops)
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
	bool last = called_last(ops);
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

static bool reap_zombies(void)
{
	bool waited = false;
	int i;

	for (i = 0; i < FTRACE_MUX_IDS; i++) {
		if (!ftrace_mux_slot_ops[i] || test_bit(i, &used_slots))
			continue;
		if (!waited)
			wait_for_callers();
		waited = true;
		ftrace_mux_slot_ops[i] = NULL;
	}
	return waited;
}

/*
 * Move the ops of a slot to the lane. Its functions are patched from callers
 * that have its bit to callers that have the lane's but not its bit. Until all
 * are, it keeps its ID, by which the lane knows to leave it to the callers that
 * have its bit: it misses no call and sees none twice.
 */
static void demote(unsigned int slot)
{
	struct ftrace_ops *ops = ftrace_mux_slot_ops[slot];

	lane_add(ops);
	ftrace_mux_forget_id(slot);

	if (ftrace_enabled) {
		ftrace_mux_update_begin();
		ftrace_arch_code_modify_prepare();
		arch_ftrace_update_code(FTRACE_UPDATE_CALLS);
		ftrace_arch_code_modify_post_process();
		ftrace_mux_update_end();
	}

	wait_for_callers();
	WRITE_ONCE(ops->mux_id, 0);
	clear_bit(slot, &used_slots);
	ftrace_mux_slot_ops[slot] = NULL;
}

/* A named tracer displaces an unnamed one, the function tracer any other */
static bool make_room(const struct ftrace_ops *ops)
{
	int i;

	if (!ops->name)
		return false;

	for (i = FTRACE_MUX_IDS - 1; i >= 0; i--) {
		if (!ftrace_mux_slot_ops[i]->name) {
			demote(i);
			return true;
		}
	}
	if (ops != &global_ops)
		return false;
	demote(0);
	return true;
}

/**
 * ftrace_mux_register - give an ops an ID or put it into the overflow lane
 * @ops: the ops that is about to be added to ftrace_ops_list
 *
 * No call site leads to the slot or to the ops in the lane yet. The slot is
 * pointed to the ops' function by ftrace_mux_update_func(), which
 * __register_ftrace_function() calls through ftrace_update_trampoline()
 * before any call site is patched. It cannot fail: an ops that gets no ID goes
 * to the lane.
 *
 * Context: ftrace_lock held, may sleep and may wait for a grace period.
 */
void ftrace_mux_register(struct ftrace_ops *ops)
{
	int slot = -1;

	ops->mux_id = 0;

	if (wants_id(ops)) {
		slot = find_slot(ops);
		if (slot < 0 && (reap_zombies() || make_room(ops)))
			slot = find_slot(ops);
	}

	if (slot >= 0) {
		/* Before the slot is poked, and that before any site is */
		WRITE_ONCE(ftrace_mux_slot_ops[slot], ops);
		set_bit(slot, &used_slots);
		ops->mux_id = slot + 1;
	} else if (!(ops->flags & FTRACE_OPS_FL_STUB)) {
		lane_add(ops);
	}

	ftrace_mux_add_tracer(ops);
}

/**
 * ftrace_mux_update_func - point an ops' slot to the function it calls now
 * @ops: a registered ops whose ->func has been set
 *
 * Context: ftrace_lock held, text_mutex not held, may sleep.
 */
void ftrace_mux_update_func(struct ftrace_ops *ops)
{
	if (ops->mux_id)
		arch_ftrace_mux_set_slot(ops->mux_id - 1, ftrace_ops_get_func(ops));
}

/**
 * ftrace_mux_unregister - an ops has been taken off ftrace_ops_list
 * @ops: the ops; its call sites are still patched
 *
 * Context: ftrace_lock held.
 */
void ftrace_mux_unregister(struct ftrace_ops *ops)
{
	ftrace_mux_remove_tracer(ops);
	if (!ops->mux_id)
		lane_del(ops);
}

/**
 * ftrace_mux_release - take the ID of an ops back
 * @ops: an unregistered ops whose bit is in no call site's caller any more
 *
 * A dynamic ops must have gone through its grace period. The slot of a static
 * ops, which ftrace does not wait for, is kept for it.
 *
 * Context: ftrace_lock held.
 */
void ftrace_mux_release(struct ftrace_ops *ops)
{
	unsigned int slot;

	if (!ops->mux_id)
		return;

	slot = ops->mux_id - 1;
	ops->mux_id = 0;
	clear_bit(slot, &used_slots);
	if (ops->flags & FTRACE_OPS_FL_DYNAMIC)
		ftrace_mux_slot_ops[slot] = NULL;
}
