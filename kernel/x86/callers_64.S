/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The static callers of the multiplexing function tracer.
 *
 * For each set of tracers there is one caller that saves the registers once
 * and calls the slot of each tracer in the set, lowest ID first. A slot is a
 * stub that loads the arguments and jumps to the tracer's function.
 *
 * The frame, the same in both flavours, so that they share the slots:
 *
 *     parent's return address    <- regs->sp
 *     return address, ip + 5     <- at entry, %rsp
 *     [frame pointer records]       CONFIG_FRAME_POINTER only
 *     struct pt_regs             <- the ftrace_regs of the tracers
 *     parent_ip
 *     ip                         <- %rsp in a caller
 *
 * ip and parent_ip are latched below the pt_regs, because a tracer may change
 * regs->ip (livepatch, kprobes) or the return address of the traced function
 * (function graph, rethook) and the next one still has to see the original.
 */

#include <linux/linkage.h>
#include <linux/objtool.h>
#include <asm/asm.h>
#include <asm/asm-offsets.h>
#include <asm/frame.h>
#include <asm/ftrace.h>
#include <asm/nospec-branch.h>
#include <asm/ptrace.h>
#include <asm/unwind_hints.h>

#define LANE_BIT	(CONFIG_FTRACE_MUX_TRACERS - 1)

/* The two words under pt_regs */
#define LATCHED_IP	0
#define LATCHED_PARENT	8
#define REGS		16

#ifdef CONFIG_FRAME_POINTER
/* The traced function's and its parent's records, see save_mcount_regs */
#define RECORDS		(8 + 16 * 2)
#else
#define RECORDS		0
#endif

/* From %rsp in a caller to the return address */
#define FRAME		(REGS + FRAME_SIZE + RECORDS)

	.section .text, "ax"

/*
 * Slots. A caller leaves %rdi and %rsi loaded for the first slot that it
 * calls, which so has an entry of its own; the function of a previous tracer
 * has clobbered them for the others. Both jumps are poked to the tracer's
 * function. Every entry is a function of its own, with the padding in front of
 * it where call depth tracking puts its accounting.
 */
.macro SLOT_TAIL slot
	.if \slot == LANE_BIT
	leaq	REGS+8(%rsp), %rcx
	jmp	ftrace_mux_lane_func
	.else
	movq	ftrace_mux_slot_ops+8*\slot(%rip), %rdx
	leaq	REGS+8(%rsp), %rcx
.Lslot_jmp_\@:
	/* A 5-byte jump to be poked, whatever the distance */
	.byte	0xe9
	.long	ftrace_stub - . - 4
	.pushsection .rodata
	.long	.Lslot_jmp_\@ - ftrace_mux_callers
	.popsection
	.endif
.endm

/* Called with .altmacro, which the macros of the annotations do not bear */
.macro SLOT slot
	.noaltmacro
SYM_START(ftrace_mux_first_\slot, SYM_L_LOCAL, SYM_F_ALIGN)
	ANNOTATE_NOENDBR
	SLOT_TAIL \slot
SYM_FUNC_END(ftrace_mux_first_\slot)

SYM_START(ftrace_mux_slot_\slot, SYM_L_LOCAL, SYM_F_ALIGN)
	ANNOTATE_NOENDBR
	movq	LATCHED_IP+8(%rsp), %rdi
	movq	LATCHED_PARENT+8(%rsp), %rsi
	SLOT_TAIL \slot
SYM_FUNC_END(ftrace_mux_slot_\slot)
.endm

	.pushsection .rodata
	.balign 4
SYM_DATA_START(ftrace_mux_slot_offsets)
	.popsection

	slot = 0
	.rept CONFIG_FTRACE_MUX_TRACERS
	.altmacro
	SLOT %slot
	slot = slot + 1
	.endr

	.pushsection .rodata
SYM_DATA_END(ftrace_mux_slot_offsets)
	.popsection

/* Call the slots of a mask. first: no slot has been called yet */
.macro CALL_SLOT kind slot
	call	ftrace_mux_\kind\()_\slot
.endm

.macro CALL_SLOTS mask
	kind_first = 1
	bit = 0
	.rept CONFIG_FTRACE_MUX_TRACERS
	.if (\mask >> bit) & 1
	.if bit == LANE_BIT
	/* The lane has no ops to pass, but wants to know who is called besides */
	movl	$\mask, %edx
	.endif
	.altmacro
	.if kind_first
	CALL_SLOT first %bit
	.else
	CALL_SLOT slot %bit
	.endif
	.noaltmacro
	kind_first = 0
	.endif
	bit = bit + 1
	.endr
.endm

/*
 * Leave the frame pointers that a stack trace through the caller needs. Not
 * the address of the pt_regs, as ftrace_regs_caller does with
 * ENCODE_FRAME_POINTER: a trace would go on from there with the traced
 * function's %rbp, leave out its caller, and be unreliable.
 */
.macro PUSH_RECORDS
#ifdef CONFIG_FRAME_POINTER
	pushq	%rbp
	pushq	8*2(%rsp)
	pushq	%rbp
	movq	%rsp, %rbp
	pushq	8*3(%rsp)
	pushq	%rbp
	movq	%rsp, %rbp
#endif
.endm

/*
 * Save what both flavours save and load the first two arguments: %rdi = ip,
 * %rsi = parent_ip. Leaves the flags alone up to the subq.
 */
.macro SAVE_ARGS
	movq	%rax, REGS+RAX(%rsp)
	movq	%rcx, REGS+RCX(%rsp)
	movq	%rdx, REGS+RDX(%rsp)
	movq	%rsi, REGS+RSI(%rsp)
	movq	%rdi, REGS+RDI(%rsp)
	movq	%r8, REGS+R8(%rsp)
	movq	%r9, REGS+R9(%rsp)
#ifdef CONFIG_FRAME_POINTER
	movq	FRAME-8(%rsp), %rdx
	movq	%rdx, REGS+RBP(%rsp)
#else
	movq	%rbp, REGS+RBP(%rsp)
#endif
.endm

.macro LOAD_IPS
	movq	FRAME+8(%rsp), %rsi
	movq	FRAME(%rsp), %rdi
	movq	%rdi, REGS+RIP(%rsp)
	leaq	FRAME+8(%rsp), %rcx
	movq	%rcx, REGS+RSP(%rsp)
	subq	$MCOUNT_INSN_SIZE, %rdi
	movq	%rdi, LATCHED_IP(%rsp)
	movq	%rsi, LATCHED_PARENT(%rsp)
.endm

.macro RESTORE_ARGS
	movq	REGS+R9(%rsp), %r9
	movq	REGS+R8(%rsp), %r8
	movq	REGS+RDI(%rsp), %rdi
	movq	REGS+RSI(%rsp), %rsi
	movq	REGS+RDX(%rsp), %rdx
	movq	REGS+RCX(%rsp), %rcx
	movq	REGS+RAX(%rsp), %rax
.endm

/*
 * The entry of a caller. The accounting of the call that led here comes
 * before it: it is a row of NOPs except with call depth tracking, where call
 * sites are given the address in front of it (see arch_ftrace_mux_caller()).
 */
.macro ENTRY_OF_CALLER
.Ldepth_\@:
	UNWIND_HINT_FUNC
	ANNOTATE_NOENDBR
	CALL_DEPTH_ACCOUNT
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_JMP
	/* An odd address would be one to jump to */
	.balign 2, 0x90
#endif
.Lentry_\@:
	ANNOTATE_NOENDBR
	depth_size = .Lentry_\@ - .Ldepth_\@
	.pushsection .rodata
	.long	.Lentry_\@ - ftrace_mux_callers
	.popsection
.endm

/* All tracers of the set want the arguments only: regs->cs is zero */
.macro ARGS_CALLER mask
	ENTRY_OF_CALLER
	PUSH_RECORDS
	subq	$(REGS + FRAME_SIZE), %rsp
	SAVE_ARGS
	LOAD_IPS
	movq	$0, REGS+CS(%rsp)
	CALL_SLOTS \mask
	/* Tracers can change the RIP */
	movq	REGS+RIP(%rsp), %rax
	movq	%rax, FRAME(%rsp)
	RESTORE_ARGS
#ifdef CONFIG_FRAME_POINTER
	movq	REGS+RBP(%rsp), %rbp
#endif
	addq	$FRAME, %rsp
	RET
.endm

/* Some tracer of the set wants all registers, or there is a direct call */
.macro REGS_CALLER mask
	ENTRY_OF_CALLER
	PUSH_RECORDS
	leaq	-(REGS + FRAME_SIZE)(%rsp), %rsp
	/* The flags before anything changes them; pop counts %rsp after it */
	pushfq
	popq	REGS+EFLAGS(%rsp)
	SAVE_ARGS
	movq	%rbx, REGS+RBX(%rsp)
	movq	%r10, REGS+R10(%rsp)
	movq	%r11, REGS+R11(%rsp)
	movq	%r12, REGS+R12(%rsp)
	movq	%r13, REGS+R13(%rsp)
	movq	%r14, REGS+R14(%rsp)
	movq	%r15, REGS+R15(%rsp)
	movq	$0, REGS+ORIG_RAX(%rsp)
	movq	$__KERNEL_DS, REGS+SS(%rsp)
	movq	$__KERNEL_CS, REGS+CS(%rsp)
	LOAD_IPS
	CALL_SLOTS \mask
	jmp	.Lregs_out
.endm

	.pushsection .rodata
	.balign 4
SYM_DATA_START(ftrace_mux_caller_offsets)
	.popsection

SYM_CODE_START(ftrace_mux_callers)
	mask = 1
	.rept (1 << CONFIG_FTRACE_MUX_TRACERS) - 1
	ARGS_CALLER mask
	.balign 8, 0xcc
	mask = mask + 1
	.endr

	mask = 1
	.rept (1 << CONFIG_FTRACE_MUX_TRACERS) - 1
	REGS_CALLER mask
	.balign 8, 0xcc
	mask = mask + 1
	.endr

.Lregs_out:
	/* Tracers can change the RIP */
	movq	REGS+RIP(%rsp), %rax
	movq	%rax, FRAME(%rsp)

	movq	REGS+R15(%rsp), %r15
	movq	REGS+R14(%rsp), %r14
	movq	REGS+R13(%rsp), %r13
	movq	REGS+R12(%rsp), %r12
	movq	REGS+R10(%rsp), %r10
	movq	REGS+RBX(%rsp), %rbx
	movq	REGS+RBP(%rsp), %rbp

	/* A direct call? See arch_ftrace_set_direct_caller() */
	movq	REGS+ORIG_RAX(%rsp), %rax
	testq	%rax, %rax
	jnz	.Ldirect

	RESTORE_ARGS
	pushq	REGS+EFLAGS(%rsp)
	popfq
	leaq	FRAME(%rsp), %rsp
	RET

.Ldirect:
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_JMP
	testb	$1, %al
	jnz	.Ldirect_jmp
#endif
	/*
	 * Go to the direct function as if the traced one had called it: its
	 * address goes into the last word of the frame, from where RET takes
	 * it, below the return address to the traced function.
	 */
	movq	%rax, FRAME-8(%rsp)
	RESTORE_ARGS
	pushq	REGS+EFLAGS(%rsp)
	popfq
	leaq	FRAME-8(%rsp), %rsp
	UNWIND_HINT_FUNC

	/* This RET has no CALL: rebalance the RSB, as ftrace_regs_caller does */
	ANNOTATE_INTRA_FUNCTION_CALL
	call	.Lrebalance
	int3
.Lrebalance:
	leaq	8(%rsp), %rsp
	ALTERNATIVE __stringify(RET), \
		    __stringify(ANNOTATE_UNRET_SAFE; ret; int3), \
		    X86_FEATURE_CALL_DEPTH

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_JMP
.Ldirect_jmp:
	/*
	 * Bit 0 marks a direct function that the traced one jumps to, so it has
	 * no return address to it: take that one's place.
	 */
	andq	$~1, %rax
	movq	%rax, FRAME(%rsp)
	RESTORE_ARGS
	pushq	REGS+EFLAGS(%rsp)
	popfq
	leaq	FRAME(%rsp), %rsp
	RET
#endif
SYM_CODE_END(ftrace_mux_callers)
_ASM_NOKPROBE(ftrace_mux_callers)

	.pushsection .rodata
SYM_DATA_END(ftrace_mux_caller_offsets)
	.balign 4
SYM_DATA(ftrace_mux_depth_size, .long depth_size)
	.popsection
