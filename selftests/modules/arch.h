/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _MUX_MODULES_ARCH_H
#define _MUX_MODULES_ARCH_H

/*
 * What differs between the architectures that the modules are for: x86-64 and arm64.
 *
 *   MT_SITE_OFFSET	bytes from the address of a function to its call site
 *   mt_entry_sp	the stack pointer where a function is entered that mt_call_regs() calls
 *   mt_regs_ok		the registers beyond the arguments, as mt_call_regs() sets them
 *   PROBE_TRAMP	a direct function FUNC_tramp that calls FUNC with the arguments of the
 *			traced function, and returns to what follows the call site; with
 *			PROBE_TRAMP_JUMP the call site jumps there
 */

#include <linux/ftrace.h>
#include <linux/ptrace.h>

#include "mux_test.h"

#ifdef CONFIG_X86_64
#include <asm/ibt.h>
#include <asm/segment.h>
#include <asm/unwind_hints.h>

#define MT_SITE_OFFSET	ENDBR_INSN_SIZE

/* Below the return address */
static inline unsigned long mt_entry_sp(const struct mt_call *c)
{
	return c->sp - sizeof(long);
}

static __always_inline bool mt_regs_ok(struct mt_call *c, struct pt_regs *regs)
{
	return regs->ax == MT_ARG(c, 6) && regs->r11 == MT_ARG(c, 7) &&
	       regs->bx == MT_ARG(c, 8) && regs->r12 == MT_ARG(c, 9) &&
	       regs->r13 == MT_ARG(c, 10) && regs->r14 == MT_ARG(c, 11) &&
	       regs->r15 == MT_ARG(c, 12) &&
	       (IS_ENABLED(CONFIG_FRAME_POINTER) || regs->bp == MT_ARG(c, 13)) &&
	       regs->r10 == (unsigned long)mt_fns[c->fn] &&
	       regs->cs == __KERNEL_CS && regs->ss == __KERNEL_DS &&
	       (regs->flags & X86_EFLAGS_FIXED);
}

#define __PROBE_TRAMP(func, back)					\
asm("	.pushsection .text, \"ax\", @progbits\n"			\
"	.balign 16\n"							\
"	.type " #func "_tramp, @function\n"				\
"	.globl " #func "_tramp\n"					\
#func "_tramp:\n"							\
	ASM_ENDBR							\
"	pushq %rbp\n"							\
"	movq %rsp, %rbp\n"						\
"	pushq %rdi\n"							\
"	pushq %rsi\n"							\
"	pushq %rdx\n"							\
"	pushq %rcx\n"							\
"	pushq %r8\n"							\
"	pushq %r9\n"							\
"	call " #func "\n"						\
"	popq %r9\n"							\
"	popq %r8\n"							\
"	popq %rcx\n"							\
"	popq %rdx\n"							\
"	popq %rsi\n"							\
"	popq %rdi\n"							\
"	leave\n"							\
	back								\
	ASM_RET								\
"	.size " #func "_tramp, .-" #func "_tramp\n"			\
"	.popsection\n")

#define PROBE_TRAMP(func)		__PROBE_TRAMP(func, "")
#define PROBE_TRAMP_JUMP(func, back)	\
	__PROBE_TRAMP(func, "	pushq " #back "(%rip)\n" UNWIND_HINT_FUNC)
#endif /* CONFIG_X86_64 */

#ifdef CONFIG_ARM64
/* The instruction that saves the return address comes first, or a landing pad and that */
#define MT_SITE_OFFSET	(IS_ENABLED(CONFIG_ARM64_BTI_KERNEL) ? 8 : 4)

static inline unsigned long mt_entry_sp(const struct mt_call *c)
{
	return c->sp;
}

/* No tracer can have them: there is no DYNAMIC_FTRACE_WITH_REGS */
static __always_inline bool mt_regs_ok(struct mt_call *c, struct pt_regs *regs)
{
	return false;
}

/* x9 is the return address of the traced function, x30 that of the call site */
#define PROBE_TRAMP(func)						\
asm("	.pushsection .text, \"ax\", @progbits\n"			\
"	.balign 16\n"							\
"	.type " #func "_tramp, @function\n"				\
"	.globl " #func "_tramp\n"					\
#func "_tramp:\n"							\
"	hint 34\n"	/* bti c */					\
"	sub sp, sp, #80\n"						\
"	stp x9, x30, [sp]\n"						\
"	stp x0, x1, [sp, #16]\n"					\
"	stp x2, x3, [sp, #32]\n"					\
"	stp x4, x5, [sp, #48]\n"					\
"	stp x6, x7, [sp, #64]\n"					\
"	bl " #func "\n"							\
"	ldp x6, x7, [sp, #64]\n"					\
"	ldp x4, x5, [sp, #48]\n"					\
"	ldp x2, x3, [sp, #32]\n"					\
"	ldp x0, x1, [sp, #16]\n"					\
"	ldp x30, x9, [sp]\n"						\
"	add sp, sp, #80\n"						\
"	ret x9\n"							\
"	.size " #func "_tramp, .-" #func "_tramp\n"			\
"	.popsection\n")

/* No call site jumps: there is no DYNAMIC_FTRACE_WITH_JMP */
#define PROBE_TRAMP_JUMP(func, back)	PROBE_TRAMP(func)
#endif /* CONFIG_ARM64 */

/* The first argument of a function that has just been entered */
#define mt_first_argument(regs)		regs_get_kernel_argument(regs, 0)

#endif /* _MUX_MODULES_ARCH_H */
