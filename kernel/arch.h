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
 * A set is what ftrace_mux_want_set() gives; see internal.h. Its body calls, for
 *
 *   a mask    the slots, lowest ID first: func(ip, parent_ip, ops, fregs)
 *   a list    ftrace_mux_list_func(ip, parent_ip, list, fregs)
 *   a group   ftrace_mux_record_group(ip, parent_ip, mask, sp), where sp is what
 *             ftrace_regs_get_stack_pointer() would return
 *
 * The bodies:
 *
 * - A body for each mask, and with DYNAMIC_FTRACE_WITH_REGS another one for each with
 *   FTRACE_MUX_REGS. One for all lists with an entry for each index, one for all groups
 *   with an entry for each mask.
 * - ip is rec->ip. Each slot gets ip and parent_ip as they were before the first one.
 * - The bodies of masks and lists save the arguments in a struct ftrace_regs; with
 *   FTRACE_MUX_REGS, or if list->regs says so, all registers. If a struct ftrace_regs
 *   has room for all, arch_ftrace_get_regs() returns NULL where only the arguments are
 *   saved. Afterwards they restore the registers, and return to the PC in there.
 * - The body of lists clears what arch_ftrace_set_direct_caller() writes before it calls
 *   anything, and goes to that function afterwards. A mask has no direct function.
 * - Nothing of this is traced or probed, and a stack trace through it is complete.
 *
 * The architecture has 64 bits, kernel addresses with the top bit set,
 * DYNAMIC_FTRACE_WITH_ARGS and, for function graph, ftrace_graph_func(). Its ftrace.c
 * takes the pointer to an ops, if call sites have one, from ftrace_mux_rec_ops(), and
 * writes it even if the address to call stays the same. It may pass over the records of
 * ftrace_mux_skip_idle().
 *
 * <asm/ftrace_mux.h> defines
 *
 *   FTRACE_MUX_SLOTS_ALIGN          the alignment of ftrace_mux_slots[], in bytes
 *   arch_ftrace_mux_parent(fregs)   where the return address of the traced function is,
 *                                   which function graph replaces
 *   arch_ftrace_mux_frame(fregs)    what ftrace_graph_func() passes to
 *                                   ftrace_push_return_trace() as the frame pointer,
 *   arch_ftrace_mux_retp(fregs)     and as the place of the return address
 */

/**
 * struct ftrace_mux_slot - what is called for an ID
 * @func: the function
 * @ops: what it is called with. NULL for a free slot, for a zombie (ids.c) its previous
 * user, and ftrace_list_end if that was unregistered after ftrace had died
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
 * Context: ftrace_lock held, may sleep. text_mutex is held too, except while ftrace
 * patches on an architecture where it does so without it: there, do not rely on it.
 */
void arch_ftrace_mux_point(unsigned int stub, unsigned int set);

/**
 * arch_ftrace_mux_finish - all stubs have been pointed
 *
 * Called also while ftrace has call sites queued, for a stub that one of them needs.
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
 * Context: ftrace_lock held, text_mutex not held, may sleep.
 */
bool arch_ftrace_mux_points(unsigned int stub, unsigned int set);

/**
 * arch_ftrace_mux_site_calls - does a call site call what it should?
 * @rec: its record
 * @addr: the address that it should call; 0 for a nop. Where ftrace knows direct
 * functions that are jumped to, bit 0 marks one
 *
 * Where a call site has a pointer to an ops, that has to be the right one too.
 *
 * Context: ftrace_lock held, may sleep.
 */
bool arch_ftrace_mux_site_calls(struct dyn_ftrace *rec, unsigned long addr);

#endif /* _LINUX_KERNEL_FTRACE_MUX_ARCH_H */
