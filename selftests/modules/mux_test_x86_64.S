/* SPDX-License-Identifier: GPL-2.0 */
/*
 * long mt_call_regs(mt_fn_t fn, struct mt_call *c)
 *
 * Calls fn() with every general register set to a value derived from c, and
 * flags that depend on c->fn: an addition overflows from 16 on. Returns what
 * fn() returned, or 0 when a callee-saved register came back changed. With
 * frame pointers rbp is left alone.
 */
#include <linux/export.h>
#include <linux/linkage.h>
#include <asm/asm.h>
#include <asm/nospec-branch.h>

/* In struct mt_call; the C side asserts it */
#define MT_CALL_FN	24

	.text

SYM_FUNC_START(mt_call_regs)
	pushq	%rbp
#ifdef CONFIG_FRAME_POINTER
	movq	%rsp, %rbp
#endif
	pushq	%rbx
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushq	%r15
	subq	$8, %rsp

	movq	%rsp, (%rsi)
	movq	%rdi, %r10
	movq	%rsi, %rdi
	movb	MT_CALL_FN(%rdi), %al
	addb	$0x70, %al
	/* From here on nothing changes the flags */
	leaq	1(%rdi), %rsi
	leaq	2(%rdi), %rdx
	leaq	3(%rdi), %rcx
	leaq	4(%rdi), %r8
	leaq	5(%rdi), %r9
	leaq	6(%rdi), %rax
	leaq	7(%rdi), %r11
	leaq	8(%rdi), %rbx
	leaq	9(%rdi), %r12
	leaq	10(%rdi), %r13
	leaq	11(%rdi), %r14
	leaq	12(%rdi), %r15
#ifndef CONFIG_FRAME_POINTER
	leaq	13(%rdi), %rbp
#endif
	ANNOTATE_RETPOLINE_SAFE
	call	*%r10
SYM_INNER_LABEL(mt_ret_addr, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	subq	$8, %rbx
	subq	$9, %r12
	subq	$10, %r13
	subq	$11, %r14
	subq	$12, %r15
	cmpq	%rbx, %r12
	jne	.Lchanged
	cmpq	%rbx, %r13
	jne	.Lchanged
	cmpq	%rbx, %r14
	jne	.Lchanged
	cmpq	%rbx, %r15
	jne	.Lchanged
#ifndef CONFIG_FRAME_POINTER
	subq	$13, %rbp
	cmpq	%rbx, %rbp
	jne	.Lchanged
#endif
.Lout:
	addq	$8, %rsp
	popq	%r15
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%rbx
	popq	%rbp
	RET
.Lchanged:
	xorl	%eax, %eax
	jmp	.Lout
SYM_FUNC_END(mt_call_regs)
EXPORT_SYMBOL_GPL(mt_ret_addr)
