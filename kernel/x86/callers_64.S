/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The stubs that call sites call, and the bodies that they jump to.
 *
 * For each mask there are two bodies, the static callers: one saves the arguments,
 * the other one all registers. Each calls the slot of each tracer in the mask, lowest
 * ID first.
 * A slot loads the arguments and jumps to the tracer's function. All lists share
 * the list body, which calls the members of a list; in front of it is an entry for
 * each list, which pushes the list's index. All groups share a body, too: it saves
 * the registers that can hold arguments and calls a C function with the mask, which
 * the entry of the group puts into %r11, which holds nothing at the entry of a function.
 *
 * The frame of all bodies but that of the groups. It is the same in all that call
 * slots, so that they share the slots:
 *
 *     parent's return address    <- regs->sp
 *     return address, ip + 5     <- at entry, %rsp
 *     [index of the list]           list body only
 *     [frame pointer records]       CONFIG_FRAME_POINTER only
 *     struct pt_regs             <- the ftrace_regs of the tracers
 *     parent_ip
 *     ip                         <- %rsp in a body
 *
 * ip and parent_ip are latched below the pt_regs, because a tracer may change
 * regs->ip (livepatch, kprobes) or the return address of the traced function
 * (function graph, rethook) and the next one still has to see the original.
 * A body that calls a single tracer does not need that.
 */

#include <linux/linkage.h>
#include <linux/objtool.h>
#include <asm/asm.h>
#include <asm/asm-offsets.h>
#include <asm/frame.h>
#include <asm/ftrace.h>
#include <asm/nops.h>
#include <asm/nospec-branch.h>
#include <asm/ptrace.h>
#include <asm/unwind_hints.h>

/* See struct ftrace_mux_slot and struct ftrace_mux_list; the C side asserts all */
#define SLOT_SIZE		16
#define SLOT_OPS		8
#define FTRACE_MUX_LISTS	127
#define LIST_REGS		0

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

/* From %rsp in a body to the return address; one word more in the list body */
	frame_of_mask = REGS + FRAME_SIZE + RECORDS
	frame_of_list = frame_of_mask + 8

	.section .text, "ax"

/*
 * Slots. A body has loaded %rdi and %rsi when it calls its first slot, and enters
 * that slot by a separate entry. The functions of the tracers before have clobbered
 * these registers for the other slots. The jumps of both entries are poked to the
 * tracer's function. Each entry is a separate function, with the padding in front
 * of it where call depth tracking puts its accounting.
 */
.macro SLOT_TAIL slot
	movq	ftrace_mux_slots+SLOT_SIZE*\slot+SLOT_OPS(%rip), %rdx
	leaq	REGS+8(%rsp), %rcx
.Lslot_jmp_\@:
	/* A 5-byte jump to be poked, for any distance */
	.byte	0xe9
	.long	ftrace_stub - . - 4
	.pushsection .rodata
	.long	.Lslot_jmp_\@ - ftrace_mux_callers
	.popsection
.endm

.macro SLOT slot
SYM_START(ftrace_mux_first_\slot, SYM_L_LOCAL, SYM_F_ALIGN)
	ANNOTATE_NOENDBR
	SLOT_TAIL \slot
SYM_FUNC_END(ftrace_mux_first_\slot)
_ASM_NOKPROBE(ftrace_mux_first_\slot)

SYM_START(ftrace_mux_slot_\slot, SYM_L_LOCAL, SYM_F_ALIGN)
	ANNOTATE_NOENDBR
	movq	LATCHED_IP+8(%rsp), %rdi
	movq	LATCHED_PARENT+8(%rsp), %rsi
	SLOT_TAIL \slot
SYM_FUNC_END(ftrace_mux_slot_\slot)
_ASM_NOKPROBE(ftrace_mux_slot_\slot)
.endm

	.pushsection .rodata
	.balign 4
SYM_DATA_START(ftrace_mux_slot_offsets)
	.popsection

	.irp slot, 0, 1, 2, 3, 4, 5, 6, 7
	.if \slot < CONFIG_FTRACE_MUX_TRACERS
	SLOT \slot
	.endif
	.endr

	.pushsection .rodata
SYM_DATA_END(ftrace_mux_slot_offsets)
	.popsection

/* Call the slots of a mask; the first one finds its arguments in registers */
.macro CALL_SLOTS mask
	.irp slot, 0, 1, 2, 3, 4, 5, 6, 7
	.if (\mask >> \slot) & 1
	.if \mask & ((1 << \slot) - 1)
	call	ftrace_mux_slot_\slot
	.else
	call	ftrace_mux_first_\slot
	.endif
	.endif
	.endr
.endm

/*
 * Leave the frame pointers that a stack trace through the caller needs. Not
 * the address of the pt_regs, as ftrace_regs_caller does with
 * ENCODE_FRAME_POINTER: a trace would continue from there with the traced
 * function's %rbp, leave out its caller, and be unreliable.
 */
.macro PUSH_RECORDS frame
#ifdef CONFIG_FRAME_POINTER
	pushq	%rbp
	pushq	8*2+\frame-frame_of_mask(%rsp)
	pushq	%rbp
	movq	%rsp, %rbp
	pushq	8*3+\frame-frame_of_mask(%rsp)
	pushq	%rbp
	movq	%rsp, %rbp
#endif
.endm

/* Save what both flavours save. Leaves the flags alone, as LOAD_IPS does */
.macro SAVE_ARGS frame
	movq	%rax, REGS+RAX(%rsp)
	movq	%rcx, REGS+RCX(%rsp)
	movq	%rdx, REGS+RDX(%rsp)
	movq	%rsi, REGS+RSI(%rsp)
	movq	%rdi, REGS+RDI(%rsp)
	movq	%r8, REGS+R8(%rsp)
	movq	%r9, REGS+R9(%rsp)
#ifdef CONFIG_FRAME_POINTER
	movq	\frame-8(%rsp), %rdx
	movq	%rdx, REGS+RBP(%rsp)
#else
	movq	%rbp, REGS+RBP(%rsp)
#endif
.endm

/* The registers that only the full set has */
.macro SAVE_REST
	movq	%rbx, REGS+RBX(%rsp)
	movq	%r10, REGS+R10(%rsp)
	movq	%r11, REGS+R11(%rsp)
	movq	%r12, REGS+R12(%rsp)
	movq	%r13, REGS+R13(%rsp)
	movq	%r14, REGS+R14(%rsp)
	movq	%r15, REGS+R15(%rsp)
	movq	$__KERNEL_DS, REGS+SS(%rsp)
	movq	$__KERNEL_CS, REGS+CS(%rsp)
	movq	$0, REGS+ORIG_RAX(%rsp)
.endm

/*
 * The arguments only: regs->cs is zero. orig_ax stays unset: only ftrace_partial_regs()
 * of Linux 7.2 shows it, and clears it.
 */
.macro NO_REST
	movq	$0, REGS+CS(%rsp)
.endm

/* Load the first two arguments: %rdi = ip, %rsi = parent_ip */
.macro LOAD_IPS frame, latch
	movq	\frame+8(%rsp), %rsi
	movq	\frame(%rsp), %rdi
	movq	%rdi, REGS+RIP(%rsp)
	leaq	\frame+8(%rsp), %rcx
	movq	%rcx, REGS+RSP(%rsp)
	leaq	-MCOUNT_INSN_SIZE(%rdi), %rdi
	.if \latch
	movq	%rdi, LATCHED_IP(%rsp)
	movq	%rsi, LATCHED_PARENT(%rsp)
	.endif
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
 * before it: it is a row of NOPs except with call depth tracking, where stubs
 * jump to the address in front of it (see body_of()). What aligns it has the
 * entry's hint: so it takes no separate entry in the ORC table.
 */
.macro ENTRY_OF_CALLER
	UNWIND_HINT_FUNC
	.balign 8, 0xcc
.Ldepth_\@:
	UNWIND_HINT_FUNC
	ANNOTATE_NOENDBR
	CALL_DEPTH_ACCOUNT
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
	PUSH_RECORDS frame_of_mask
	subq	$(REGS + FRAME_SIZE), %rsp
	SAVE_ARGS frame_of_mask
	LOAD_IPS frame_of_mask, \mask&(\mask-1)
	NO_REST
	CALL_SLOTS \mask
	ARGS_OUT frame_of_mask
.endm

/* Some tracer of the set wants all registers */
.macro REGS_CALLER mask
	ENTRY_OF_CALLER
	PUSH_RECORDS frame_of_mask
	leaq	-(REGS + FRAME_SIZE)(%rsp), %rsp
	/* The flags before anything changes them; pop counts %rsp after it */
	pushfq
	popq	REGS+EFLAGS(%rsp)
	SAVE_ARGS frame_of_mask
	SAVE_REST
	LOAD_IPS frame_of_mask, \mask&(\mask-1)
	CALL_SLOTS \mask
	jmp	.Lregs_out
.endm

/* What follows the calls of a body that saved the arguments only */
.macro ARGS_OUT frame
	/* Tracers can change the RIP */
	movq	REGS+RIP(%rsp), %rax
	movq	%rax, \frame(%rsp)
	RESTORE_ARGS
#ifdef CONFIG_FRAME_POINTER
	movq	REGS+RBP(%rsp), %rbp
#endif
	addq	$\frame, %rsp
	RET
.endm

	.pushsection .rodata
	.balign 4
SYM_DATA_START(ftrace_mux_caller_offsets)
	.popsection

SYM_CODE_START(ftrace_mux_callers)
	/*
	 * The stubs, 8 bytes each: see arch_ftrace_mux_stub(). What fills them up is
	 * one instruction with the same hint: so all of them take one entry in the
	 * ORC table.
	 */
	.rept CONFIG_FTRACE_MUX_STUBS
	UNWIND_HINT_FUNC
	ANNOTATE_NOENDBR
	.byte	0xe9
	.long	ftrace_stub - . - 4
	UNWIND_HINT_FUNC
	.byte	BYTES_NOP3
	.endr

	/* The entries of the lists, 8 bytes each */
.Llists:
	list = 0
	.rept FTRACE_MUX_LISTS
	UNWIND_HINT_FUNC
	ANNOTATE_NOENDBR
	pushq	$list
	/* Five bytes for any distance: all entries have the same size */
	jmp.d32	.Llist_body
	UNWIND_HINT_FUNC
	nop
	list = list + 1
	.endr

#ifdef CONFIG_FTRACE_MUX_GROUPS
	/*
	 * The entries of the groups, 8 bytes each, by their masks. Nothing is pushed, so
	 * that all of them take one entry in the ORC table.
	 */
.Lgroups:
	mask = 1
	.rept (1 << CONFIG_FTRACE_MUX_TRACERS) - 1
	UNWIND_HINT_FUNC
	ANNOTATE_NOENDBR
	movb	$mask, %r11b
	jmp.d32	.Lgroup_body
	mask = mask + 1
	.endr
#endif

	mask = 1
	.rept (1 << CONFIG_FTRACE_MUX_TRACERS) - 1
	ARGS_CALLER mask
	mask = mask + 1
	.endr

	mask = 1
	.rept (1 << CONFIG_FTRACE_MUX_TRACERS) - 1
	REGS_CALLER mask
	mask = mask + 1
	.endr

.macro REGS_OUT frame
	/* Tracers can change the RIP */
	movq	REGS+RIP(%rsp), %rax
	movq	%rax, \frame(%rsp)

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
	jnz	.Ldirect_\@

	RESTORE_ARGS
	pushq	REGS+EFLAGS(%rsp)
	popfq
	leaq	\frame(%rsp), %rsp
	RET

.Ldirect_\@:
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_JMP
	testb	$1, %al
	jnz	.Ldirect_jmp_\@
#endif
	/*
	 * Go to the direct function as if the traced one had called it: its
	 * address goes into the last word of the frame, from where RET takes
	 * it, below the return address to the traced function.
	 */
	movq	%rax, \frame-8(%rsp)
	RESTORE_ARGS
	pushq	REGS+EFLAGS(%rsp)
	popfq
	leaq	\frame-8(%rsp), %rsp
	UNWIND_HINT_FUNC

	/* This RET has no CALL: rebalance the RSB, as ftrace_regs_caller does */
	ANNOTATE_INTRA_FUNCTION_CALL
	call	.Lrebalance_\@
	int3
.Lrebalance_\@:
	leaq	8(%rsp), %rsp
	ALTERNATIVE __stringify(RET), \
		    __stringify(ANNOTATE_UNRET_SAFE; ret; int3), \
		    X86_FEATURE_CALL_DEPTH

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_JMP
.Ldirect_jmp_\@:
	/*
	 * Bit 0 marks a direct function that the traced one jumps to, so it has
	 * no return address to it: take that one's place.
	 */
	andq	$~1, %rax
	movq	%rax, \frame(%rsp)
	RESTORE_ARGS
	pushq	REGS+EFLAGS(%rsp)
	popfq
	leaq	\frame(%rsp), %rsp
	RET
#endif
.endm

.Lregs_out:
	REGS_OUT frame_of_mask

	/*
	 * The list body. The list says whether the rest of the registers is wanted;
	 * the flags are as they were until that is known.
	 */
.Llist_body:
	PUSH_RECORDS frame_of_list
	/* The accounting of the call is out of line: without it each call would execute NOPs */
	ALTERNATIVE __stringify(leaq -(REGS + FRAME_SIZE)(%rsp), %rsp), \
		    "jmp .Llist_account", X86_FEATURE_CALL_DEPTH
.Llist_save:
	SAVE_ARGS frame_of_list
	LOAD_IPS frame_of_list, 0
	movq	frame_of_list-8(%rsp), %rax
	movq	ftrace_mux_lists(, %rax, 8), %rdx
	movzbl	LIST_REGS(%rdx), %ecx
	jrcxz	.Llist_args
	jmp	.Llist_regs

.Llist_args:
	NO_REST
	leaq	REGS(%rsp), %rcx
	call	ftrace_mux_list_func
	ARGS_OUT frame_of_list

.Llist_regs:
	pushfq
	popq	REGS+EFLAGS(%rsp)
	SAVE_REST
	leaq	REGS(%rsp), %rcx
	call	ftrace_mux_list_func
	REGS_OUT frame_of_list

.Llist_account:
	CALL_DEPTH_ACCOUNT
	leaq	-(REGS + FRAME_SIZE)(%rsp), %rsp
	jmp	.Llist_save

#ifdef CONFIG_FTRACE_MUX_GROUPS
	/* From %rsp in the body of the groups to the return address */
	frame_of_group = 7*8 + RECORDS

	/* Recorders look at no registers and change none */
.Lgroup_body:
	UNWIND_HINT_FUNC
	PUSH_RECORDS frame_of_mask
	pushq	%rax
	pushq	%rcx
	pushq	%rdx
	pushq	%rsi
	pushq	%rdi
	pushq	%r8
	pushq	%r9
	/* As in the list body */
	ALTERNATIVE __stringify(leaq frame_of_group+8(%rsp), %rcx), \
		    "jmp .Lgroup_account", X86_FEATURE_CALL_DEPTH
.Lgroup_call:
	movq	(%rcx), %rsi
	movq	-8(%rcx), %rdi
	subq	$MCOUNT_INSN_SIZE, %rdi
	movzbl	%r11b, %edx
	call	ftrace_mux_record_group
	popq	%r9
	popq	%r8
	popq	%rdi
	popq	%rsi
	popq	%rdx
	popq	%rcx
	popq	%rax
#ifdef CONFIG_FRAME_POINTER
	movq	RECORDS-8(%rsp), %rbp
	addq	$RECORDS, %rsp
#endif
	RET

.Lgroup_account:
	CALL_DEPTH_ACCOUNT
	leaq	frame_of_group+8(%rsp), %rcx
	jmp	.Lgroup_call
#endif
SYM_CODE_END(ftrace_mux_callers)
_ASM_NOKPROBE(ftrace_mux_callers)

	.pushsection .rodata
SYM_DATA_END(ftrace_mux_caller_offsets)
	.balign 4
SYM_DATA(ftrace_mux_depth_size, .long depth_size)
SYM_DATA(ftrace_mux_list_entries, .long .Llists - ftrace_mux_callers)
#ifdef CONFIG_FTRACE_MUX_GROUPS
SYM_DATA(ftrace_mux_group_entries, .long .Lgroups - ftrace_mux_callers)
#endif
	.popsection
