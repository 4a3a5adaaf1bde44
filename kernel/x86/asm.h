/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _ASM_X86_FTRACE_MUX_H
#define _ASM_X86_FTRACE_MUX_H

/* What kernel/trace/mux/arch.h says of it */

#include <linux/ftrace.h>

/* Two words: no slot is in two cache lines */
#define FTRACE_MUX_SLOTS_ALIGN	16

/* The return address is on the stack, and stays at its place */
static __always_inline unsigned long *arch_ftrace_mux_parent(struct ftrace_regs *fregs)
{
	return (unsigned long *)ftrace_regs_get_stack_pointer(fregs);
}

static __always_inline unsigned long arch_ftrace_mux_frame(struct ftrace_regs *fregs)
{
	return 0;
}

static __always_inline unsigned long *arch_ftrace_mux_retp(struct ftrace_regs *fregs)
{
	return arch_ftrace_mux_parent(fregs);
}

#endif /* _ASM_X86_FTRACE_MUX_H */
