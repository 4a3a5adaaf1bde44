/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_KERNEL_FTRACE_MUX_ARCH_H
#define _LINUX_KERNEL_FTRACE_MUX_ARCH_H

#include <linux/ftrace.h>
#include <asm/ftrace_mux.h>

/*
 * What the multiplexer needs of an architecture. Nothing else in kernel/trace/mux/
 * knows how a call site finds the tracers:
 *
 *   call site --> stub --> body of a set --> slots, the members of a list,
 *                                            or the buffers of a group
 *
 *             x86                           arm64
 *   call site a call of the stub            a call of ftrace_caller, and a pointer to
 *                                           the stub in front of the function
 *   stub      a jump, in the text           an ops that has a direct function only
 *   slot      two jumps, in the text        an entry of ftrace_mux_slots[], loaded
 *
 * A set is what ftrace_mux_want_set() gives; see internal.h. The body of a set of
 * IDs calls their slots, lowest ID first. The body of a list set saves the same
 * registers and calls ftrace_mux_list_func() with that list. The body of a group
 * calls ftrace_mux_record_group() with its mask.
 *
 * <asm/ftrace_mux.h> defines
 *
 *   FTRACE_MUX_SLOTS_ALIGN   the alignment of ftrace_mux_slots[], in bytes
 *   arch_ftrace_mux_parent   function graph: where the return address of the traced
 *                            function is, which it replaces
 *   arch_ftrace_mux_frame    the frame pointer, and
 *   arch_ftrace_mux_retp     the place of the return address, both as
 *                            ftrace_push_return_trace() remembers them
 */

/**
 * struct ftrace_mux_slot - what is called for an ID
 * @func: the function
 * @ops: what it is called with. NULL for a free slot, the previous user for a zombie
 */
struct ftrace_mux_slot {
	ftrace_func_t		func;
	struct ftrace_ops	*ops;
};

/**
 * arch_ftrace_mux_stub - the address that the call sites of a stub call
 * @stub: from 1 to FTRACE_MUX_STUBS
 *
 * Return: the address, which is the same for all stubs where a call site has a
 * pointer to an ops, see arch_ftrace_mux_ops().
 */
unsigned long arch_ftrace_mux_stub(unsigned int stub);

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS
/**
 * arch_ftrace_mux_ops - what the pointer in front of a function is for a stub
 * @stub: from 1 to FTRACE_MUX_STUBS
 */
const struct ftrace_ops *arch_ftrace_mux_ops(unsigned int stub);

/**
 * arch_ftrace_mux_forget - let a call site not call an ops through that pointer
 * @rec: its record; its function may be that of a module that has gone
 * @ops: the ops
 *
 * The call site calls no tracer instead. Does nothing if the pointer is another one.
 */
void arch_ftrace_mux_forget(struct dyn_ftrace *rec, const struct ftrace_ops *ops);
#endif

/**
 * arch_ftrace_mux_point - let a stub lead to the body of a set
 * @stub: the stub
 * @set: the set, not 0
 *
 * A call that runs meanwhile finds the old set or the new one. It has happened
 * when arch_ftrace_mux_finish() returns. A call that finds a list finds what has
 * been written of it before.
 *
 * Context: ftrace_lock held, and text_mutex if ftrace patches under it; may sleep.
 */
void arch_ftrace_mux_point(unsigned int stub, unsigned int set);

/**
 * arch_ftrace_mux_finish - all stubs have been pointed
 *
 * Context: as arch_ftrace_mux_point().
 */
void arch_ftrace_mux_finish(void);

/**
 * arch_ftrace_mux_bodies_moved - do stubs that were pointed early have to be pointed again?
 *
 * Context: boot, when the mitigations of the processor have been chosen.
 */
bool arch_ftrace_mux_bodies_moved(void);

/**
 * arch_ftrace_mux_slot_changed - ftrace_mux_slots[] has another function, or another ops
 * @slot: the slot, an ID
 * @func: its function
 *
 * A call that runs meanwhile finds the old function or the new one. A call that is
 * led to the slot, or to a group that has it, after this returns finds what has been
 * written before.
 *
 * Context: text_mutex not held, may sleep.
 */
void arch_ftrace_mux_slot_changed(unsigned int slot, ftrace_func_t func);

/**
 * arch_ftrace_mux_points - does a stub lead to the body of a set?
 * @stub: the stub
 * @set: the set, not 0
 *
 * Context: may sleep.
 */
bool arch_ftrace_mux_points(unsigned int stub, unsigned int set);

/**
 * arch_ftrace_mux_site_calls - does a call site call what it should?
 * @rec: its record
 * @addr: the address that it should call; 0 for a nop. Where ftrace knows direct
 * functions that are jumped to, bit 0 marks one
 */
bool arch_ftrace_mux_site_calls(struct dyn_ftrace *rec, unsigned long addr);

#endif /* _LINUX_KERNEL_FTRACE_MUX_ARCH_H */
