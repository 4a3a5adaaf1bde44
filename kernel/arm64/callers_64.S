/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The bodies of the sets, where ftrace_caller goes with nothing saved:
 *
 *   x0 to x8   the arguments of the traced function
 *   x9         its return address
 *   x17        the address of the body
 *   x29        the frame pointer of its caller
 *   x30        the return address to it, ip + 4
 *
 * The traced function needs none of x10 to x17. Each body begins with a landing pad
 * for the br x17 that leads there.
 *
 * For each set of IDs there is one body, the static caller, which saves the registers
 * once and calls the slot of each tracer in the set, lowest ID first. All lists share the
 * list body; in front of it is an entry for each list, which puts the list's index into
 * x12. All groups share a body, too: it saves the registers that can hold arguments and
 * calls a C function with the mask, which the entry of the group puts into x12.
 *
 * The frame of a body that calls slots, upwards from sp:
 *
 *     struct ftrace_regs         <- the ftrace_regs of the tracers
 *     frame record of the body   <- x29: the frame of the traced function
 *     frame record of the function  as if it had made one: that of its caller
 *     ip                            two tracers and more only
 *     parent_ip
 *     x19                           four tracers and more only
 *
 * ip and parent_ip are latched above the records, because a tracer may change regs->pc
 * (kprobes) or regs->lr (function graph) and the next one still has to see the original.
 * From four tracers on it takes less to keep the page of the slots in x19, which the
 * tracers preserve, than to find it for each.
 */

#include <linux/linkage.h>
#include <asm/asm-offsets.h>
#include <asm/assembler.h>
#include <asm/ftrace.h>
#include <asm/insn.h>

/* See struct ftrace_mux_slot; the C side asserts both */
#define SLOT_SIZE		16
#define FTRACE_MUX_LISTS	127

/* Offsets from sp in a body that calls slots */
#define RECORDS			FREGS_SIZE
#define LATCHED_IPS		(RECORDS + 2 * 16)
#define SAVED_X19		(LATCHED_IPS + 16)

/* And in the body of the groups, where only arguments are below the records */
#define GROUP_RECORDS		FREGS_FP
#define GROUP_FRAME		(GROUP_RECORDS + 2 * 16)

/* Bytes of the frame: of one tracer, of two or three, of four and more */
	frame_of_one = RECORDS + 2 * 16
	frame_of_two = LATCHED_IPS + 16
	frame_of_four = SAVED_X19 + 16

.macro SAVE_ARGS
	stp	x0, x1, [sp, #FREGS_X0]
	stp	x2, x3, [sp, #FREGS_X2]
	stp	x4, x5, [sp, #FREGS_X4]
	stp	x6, x7, [sp, #FREGS_X6]
	str	x8, [sp, #FREGS_X8]
.endm

.macro RESTORE_ARGS
	ldp	x0, x1, [sp, #FREGS_X0]
	ldp	x2, x3, [sp, #FREGS_X2]
	ldp	x4, x5, [sp, #FREGS_X4]
	ldp	x6, x7, [sp, #FREGS_X6]
	ldr	x8, [sp, #FREGS_X8]
.endm

/* Leave the records that a stack trace through the body needs, as ftrace_caller does */
.macro PUSH_RECORDS at
	stp	x29, x9, [sp, #\at + 16]
	add	x29, sp, #\at + 16
	stp	x29, x30, [sp, #\at]
	add	x29, sp, #\at
.endm

/* The first two arguments of a tracer */
.macro LOAD_IPS
	sub	x0, x30, #AARCH64_INSN_SIZE
	mov	x1, x9
.endm

/* Save the registers, and load all arguments of a tracer but the ops: x0, x1, x3 */
.macro SAVE frame
	mov	x10, sp
	sub	sp, sp, #\frame
	SAVE_ARGS
	stp	x29, x9, [sp, #FREGS_FP]
	stp	x10, x30, [sp, #FREGS_SP]
	PUSH_RECORDS RECORDS
	LOAD_IPS
	mov	x3, sp
.endm

/* Tracers can change the PC and the LR */
.macro RETURN frame
	ldp	x29, x30, [sp, #FREGS_FP]
	ldr	x9, [sp, #FREGS_PC]
	add	sp, sp, #\frame
	ret	x9
.endm

/* Call a slot. A previous tracer has clobbered the arguments, not so for the first one */
.macro CALL_SLOT slot, first, nr
	.if \first && \nr >= 2
	stp	x0, x1, [sp, #LATCHED_IPS]
	.elseif !\first
	ldp	x0, x1, [sp, #LATCHED_IPS]
	mov	x3, sp
	.endif
	.if \nr >= 4
	ldp	x4, x2, [x19, #SLOT_SIZE * \slot]
	.else
	adrp	x4, ftrace_mux_slots
	ldp	x4, x2, [x4, #SLOT_SIZE * \slot]
	.endif
	blr	x4
.endm

.macro CALL_SLOTS mask, nr
	.if \nr >= 4
	str	x19, [sp, #SAVED_X19]
	adrp	x19, ftrace_mux_slots
	.endif
	.irp slot, 0, 1, 2, 3, 4, 5, 6, 7
	.if (\mask >> \slot) & 1
	CALL_SLOT \slot, !(\mask & ((1 << \slot) - 1)), \nr
	.endif
	.endr
	.if \nr >= 4
	ldr	x19, [sp, #SAVED_X19]
	.endif
.endm

/* How many tracers */
.macro COUNT mask
	nr = 0
	.irp slot, 0, 1, 2, 3, 4, 5, 6, 7
	nr = nr + ((\mask >> \slot) & 1)
	.endr
.endm

.macro BODY mask, nr, frame
	bti	c
	SAVE	\frame
	CALL_SLOTS \mask, \nr
	RESTORE_ARGS
	RETURN	\frame
.endm

/*
 * No tracer in a set of IDs has a direct function, as a tracer with one gets no ID. So the
 * place of a direct function in the ftrace_regs is neither cleared nor looked at.
 */
.macro CALLER mask
	COUNT \mask
	.pushsection .rodata
	.long	.Lentry_\@ - ftrace_mux_callers
	.popsection
.Lentry_\@:
	.if nr >= 4
	BODY \mask, nr, frame_of_four
	.elseif nr >= 2
	BODY \mask, nr, frame_of_two
	.else
	BODY \mask, nr, frame_of_one
	.endif
.endm

	.pushsection .rodata
	.balign 4
SYM_DATA_START(ftrace_mux_caller_offsets)
	.popsection

	.text

SYM_CODE_START(ftrace_mux_callers)
	/* The entries of the lists, FTRACE_MUX_ENTRY_SIZE bytes each */
.Llists:
	list = 0
	.rept FTRACE_MUX_LISTS
	bti	c
	mov	w12, #list
	b	.Llist_body
	list = list + 1
	.endr

#ifdef CONFIG_FTRACE_MUX_GROUPS
	/* The entries of the groups, of the same size, by their masks */
.Lgroups:
	mask = 1
	.rept (1 << CONFIG_FTRACE_MUX_TRACERS) - 1
	bti	c
	mov	w12, #mask
	b	.Lgroup_body
	mask = mask + 1
	.endr
#endif

	mask = 1
	.rept (1 << CONFIG_FTRACE_MUX_TRACERS) - 1
	CALLER mask
	mask = mask + 1
	.endr

.Llist_body:
	SAVE	frame_of_one
	str	xzr, [sp, #FREGS_DIRECT_TRAMP]
	adr_l	x2, ftrace_mux_lists
	ldr	x2, [x2, x12, lsl #3]
	bl	ftrace_mux_list_func
	RESTORE_ARGS
	ldr	x17, [sp, #FREGS_DIRECT_TRAMP]
	cbnz	x17, .Llist_direct
	RETURN	frame_of_one

	/* Go to the direct function as ftrace_caller goes there after other tracers */
.Llist_direct:
	ldp	x29, x9, [sp, #FREGS_FP]
	ldr	x30, [sp, #FREGS_PC]
	add	sp, sp, #frame_of_one
	br	x17

#ifdef CONFIG_FTRACE_MUX_GROUPS
	/* Recorders look at no registers and change none */
.Lgroup_body:
	sub	sp, sp, #GROUP_FRAME
	SAVE_ARGS
	PUSH_RECORDS GROUP_RECORDS
	LOAD_IPS
	mov	x2, x12
	add	x3, sp, #GROUP_FRAME
	bl	ftrace_mux_record_group
	RESTORE_ARGS
	ldp	x29, x30, [sp, #GROUP_RECORDS + 16]
	ldr	x9, [sp, #GROUP_RECORDS + 8]
	add	sp, sp, #GROUP_FRAME
	ret	x9
#endif
SYM_CODE_END(ftrace_mux_callers)
NOKPROBE(ftrace_mux_callers)

	.pushsection .rodata
SYM_DATA_END(ftrace_mux_caller_offsets)
	.balign 4
SYM_DATA(ftrace_mux_list_entries, .long .Llists - ftrace_mux_callers)
#ifdef CONFIG_FTRACE_MUX_GROUPS
SYM_DATA(ftrace_mux_group_entries, .long .Lgroups - ftrace_mux_callers)
#endif
	.popsection
