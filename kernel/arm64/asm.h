/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _ASM_ARM64_FTRACE_MUX_H
#define _ASM_ARM64_FTRACE_MUX_H

/* What kernel/trace/mux/arch.h says of it */

#include <linux/ftrace.h>
#include <linux/sizes.h>

/* An adrp finds the slots, and the offset of each of them fits into the ldp after it */
#define FTRACE_MUX_SLOTS_ALIGN	SZ_4K

/* The return address is in the link register, which the body loads again */
static __always_inline unsigned long *arch_ftrace_mux_parent(struct ftrace_regs *fregs)
{
	return &arch_ftrace_regs(fregs)->lr;
}

static __always_inline unsigned long arch_ftrace_mux_frame(struct ftrace_regs *fregs)
{
	return arch_ftrace_regs(fregs)->fp;
}

/* It has no place on the stack yet: what ftrace_graph_func() passes */
static __always_inline unsigned long *arch_ftrace_mux_retp(struct ftrace_regs *fregs)
{
	return (unsigned long *)arch_ftrace_regs(fregs)->fp;
}

#endif /* _ASM_ARM64_FTRACE_MUX_H */
