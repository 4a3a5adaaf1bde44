// SPDX-License-Identifier: GPL-2.0
/*
 * A part of kernel/trace/trace_functions.c, which includes this file at its end:
 * recording a call for several trace arrays.
 *
 *   stub --> entry {0,2} --> body --> ftrace_mux_record_group(ip, parent_ip, 0x5)
 *                                      |   recursion, flags, CPU, time: once
 *   arrays[0] --> trace array, buffer <+   an event
 *   arrays[2] --> trace array, buffer <+   an event
 *
 * What is the same for all of them is done once. Each event takes the short way into
 * its buffer, or else the long one: the events are those that function_trace_call()
 * writes when it is called for one trace array after the other.
 *
 * Calls: nothing
 */

#ifdef CONFIG_FTRACE_MUX_GROUPS

#include "internal.h"
#include "compat_record.h"

/* The IDs that are recorders: a set of several of them, and no others, is a group */
unsigned int ftrace_mux_recorders;

/* The trace array that each of them records for */
static struct trace_array *arrays[FTRACE_MUX_IDS] __read_mostly;

/*
 * The IDs that groups record for. A call may be in a group when an ID leaves
 * ftrace_mux_recorders, so the ID stays here until its slot is cleared. It leaves at
 * once if ftrace is dead, since call sites keep calling the group.
 */
static unsigned long live;

/**
 * ftrace_mux_recorder_of - is an ops a plain recorder?
 * @ops: the ops
 *
 * Context: ftrace_lock held.
 * Return: its trace array; NULL if it is not.
 */
struct trace_array *ftrace_mux_recorder_of(const struct ftrace_ops *ops)
{
	if (ops->func != function_trace_call ||
	    ops->flags & (FTRACE_OPS_FL_RECURSION | FTRACE_OPS_FL_RCU | FTRACE_OPS_FL_SAVE_REGS))
		return NULL;
	return ops->private;
}

/**
 * ftrace_mux_join_groups - an ID is a recorder: sets with it may be groups
 * @slot: the ID
 * @tr: the trace array that it records for
 *
 * Context: ftrace_lock held.
 */
void ftrace_mux_join_groups(unsigned int slot, struct trace_array *tr)
{
	/* Before a stub leads to a group with it */
	WRITE_ONCE(arrays[slot], tr);
	/* Pairs with the read of the mask: the array is there before its bit */
	smp_store_release(&live, live | BIT(slot));
	ftrace_mux_recorders |= BIT(slot);
}

/**
 * ftrace_mux_leave_groups - no set with an ID is a group from now on
 * @slot: the ID
 *
 * Groups that stubs lead to record for it.
 *
 * Context: ftrace_lock held.
 */
void ftrace_mux_leave_groups(unsigned int slot)
{
	ftrace_mux_recorders &= ~BIT(slot);
}

/**
 * ftrace_mux_forget_recorder - no group records for an ID
 * @slot: the ID
 *
 * Context: ftrace_lock held.
 */
void ftrace_mux_forget_recorder(unsigned int slot)
{
	ftrace_mux_leave_groups(slot);
	WRITE_ONCE(live, live & ~BIT(slot));
}

/* Drop the IDs in front of the first one that records. Return: false if none does */
static __always_inline bool find_recorder(unsigned long *mask, struct trace_array **tr)
{
	while (*mask) {
		*tr = arrays[__ffs(*mask)];
		if (likely(ftrace_mux_records(*tr)))
			return true;
		*mask &= *mask - 1;
	}
	return false;
}

/* Drop the first ID, and those up to the next one that records. Return: false if none does */
static __always_inline bool next_recorder(unsigned long *mask, struct trace_array **tr)
{
	*mask &= *mask - 1;
	return find_recorder(mask, tr);
}

/*
 * In an interrupt, where function_trace_task() returns false, or while events are exported:
 * one trace array after the other
 */
static noinline void record_each(unsigned long ip, unsigned long parent_ip,
				 struct trace_array *tr, unsigned long mask)
{
	do {
		function_trace_call_any(tr, ip, parent_ip);
	} while (next_recorder(&mask, &tr));
}

/* The short way is not open for the first ID of the mask */
static noinline void record_long(unsigned long mask, unsigned long ip, unsigned long parent_ip)
{
	mux_trace_function(arrays[__ffs(mask)], ip, parent_ip, function_trace_ctx());
}

/* The first part of all events of a call, in one word */
static __always_inline u64 head_of(unsigned int trace_ctx)
{
	struct trace_entry ent;
	u64 head;

	BUILD_BUG_ON(sizeof(head) != sizeof(ent));
	tracing_generic_entry_update(&ent, TRACE_FN, trace_ctx);
	memcpy(&head, &ent, sizeof(head));
	return head;
}

/* function_trace_record() on the short way, but for what is the same for all events of a call */
static __always_inline bool record_event(struct trace_array *tr, const struct rb_writer *writer,
					 unsigned long ip, unsigned long parent_ip, u64 head)
{
	struct trace_buffer *buffer = tr->array_buffer.buffer;
	struct ftrace_entry *entry;
	struct rb_fixed fixed;

	if (unlikely(!ring_buffer_fixed_reserve(buffer, writer, sizeof(*entry), &fixed)))
		return false;
	entry = fixed.data;
	memcpy(&entry->ent, &head, sizeof(head));
	entry->ip = ip;
	entry->parent_ip = parent_ip;
	ring_buffer_fixed_commit(buffer, sizeof(*entry), &fixed);
	return true;
}

/**
 * ftrace_mux_record_group - record a call for the members of a group
 * @ip: address of the call site
 * @parent_ip: return address of the traced function
 * @mask: the IDs
 * @sp: the stack pointer when the traced function was entered; on x86 @parent_ip is there
 *
 * Context: any that can be traced, NMI included.
 */
void ftrace_mux_record_group(unsigned long ip, unsigned long parent_ip, unsigned long mask,
			     unsigned long *sp)
{
	struct rb_writer writer;
	struct trace_array *tr;
	unsigned int trace_ctx;
	u64 head;

	mask &= READ_ONCE(live);
	if (unlikely(!find_recorder(&mask, &tr)))
		return;

	parent_ip = mux_true_parent_ip(parent_ip, sp);

	/* An event that is exported takes the long way */
	if (static_branch_unlikely(&trace_function_exports_enabled) ||
	    unlikely(!function_trace_task(&trace_ctx))) {
		record_each(ip, parent_ip, tr, mask);
		return;
	}

	/* As function_trace_call() does for one trace array */
	trace_recursion_set(TRACE_FTRACE_START + TRACE_CTX_NORMAL);
	barrier();
	preempt_disable_notrace();

	head = head_of(trace_ctx);
	rb_writer_init_task(&writer, rb_writer_clock());
	__this_cpu_write(trace_taskinfo_save, true);
	do {
		if (unlikely(!record_event(tr, &writer, ip, parent_ip, head)))
			record_long(mask, ip, parent_ip);
	} while (next_recorder(&mask, &tr));

	trace_clear_recursion(TRACE_FTRACE_START + TRACE_CTX_NORMAL);
}

#endif /* CONFIG_FTRACE_MUX_GROUPS */
