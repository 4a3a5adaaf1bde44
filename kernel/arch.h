/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_KERNEL_FTRACE_MUX_ARCH_H
#define _LINUX_KERNEL_FTRACE_MUX_ARCH_H

#include <linux/ftrace.h>

/*
 * What the multiplexer needs of an architecture. Nothing else in kernel/trace/mux/
 * knows how a call site finds the tracers:
 *
 *   call site --> stub --> body of a set --> slots, or the members
 *                                              of a list
 *
 * An architecture whose functions have a pointer to an ops in front of them can
 * have such an ops as a stub: then pointing the stub to a set is a store.
 *
 * A set is what ftrace_mux_want_set() gives; see mux.h. The body of a set of
 * IDs calls their slots, lowest ID first. The body of a list set saves the same
 * registers and calls ftrace_mux_list_func() with that list.
 */

/**
 * arch_ftrace_mux_stub - the address of a stub, which call sites call
 * @stub: from 1 to FTRACE_MUX_STUBS
 */
unsigned long arch_ftrace_mux_stub(unsigned int stub);

/**
 * arch_ftrace_mux_point - let a stub lead to the body of a set
 * @stub: the stub
 * @set: the set, not 0
 *
 * A call that runs meanwhile finds the old set or the new one. It has happened
 * when arch_ftrace_mux_finish() returns.
 *
 * Context: text_mutex held, may sleep.
 */
void arch_ftrace_mux_point(unsigned int stub, unsigned int set);

/**
 * arch_ftrace_mux_finish - all stubs have been pointed
 *
 * Context: text_mutex held, may sleep.
 */
void arch_ftrace_mux_finish(void);

/**
 * arch_ftrace_mux_bodies_moved - do stubs that were pointed early have to be pointed again?
 *
 * Context: boot, when the mitigations of the processor have been chosen.
 */
bool arch_ftrace_mux_bodies_moved(void);

/**
 * arch_ftrace_mux_set_slot - point a slot to a function
 * @slot: the slot, an ID
 * @func: the tracer function that it calls
 *
 * A call that runs meanwhile finds the old function or the new one.
 *
 * Context: text_mutex not held, may sleep.
 */
void arch_ftrace_mux_set_slot(unsigned int slot, ftrace_func_t func);

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
 * @ip: the call site
 * @addr: the address that it should call; 0 for a nop. Where ftrace knows direct
 * functions that are jumped to, bit 0 marks one
 */
bool arch_ftrace_mux_site_calls(unsigned long ip, unsigned long addr);

#endif /* _LINUX_KERNEL_FTRACE_MUX_ARCH_H */
