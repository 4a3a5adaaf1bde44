/* SPDX-License-Identifier: GPL-2.0 */
/*
 * long mt_call_regs(mt_fn_t fn, struct mt_call *c)
 *
 * Calls fn() with every general register set to a value derived from c, but x9 to
 * x18, which a call site may use, and the frame pointer. Returns what fn()
 * returned, or 0 when a callee-saved register came back changed.
 */
#include <linux/export.h>
#include <linux/linkage.h>

	.text

SYM_FUNC_START(mt_call_regs)
	stp	x29, x30, [sp, #-96]!
	mov	x29, sp
	stp	x19, x20, [sp, #16]
	stp	x21, x22, [sp, #32]
	stp	x23, x24, [sp, #48]
	stp	x25, x26, [sp, #64]
	stp	x27, x28, [sp, #80]

	mov	x9, sp
	str	x9, [x1]
	mov	x16, x0
	mov	x0, x1
	.irp	n, 1, 2, 3, 4, 5, 6, 7, 8, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28
	add	x\n, x0, #\n
	.endr
	blr	x16
SYM_INNER_LABEL(mt_ret_addr, SYM_L_GLOBAL)
	.irp	n, 20, 21, 22, 23, 24, 25, 26, 27, 28
	sub	x9, x\n, #(\n - 19)
	cmp	x9, x19
	b.ne	.Lchanged
	.endr
.Lout:
	ldp	x19, x20, [sp, #16]
	ldp	x21, x22, [sp, #32]
	ldp	x23, x24, [sp, #48]
	ldp	x25, x26, [sp, #64]
	ldp	x27, x28, [sp, #80]
	ldp	x29, x30, [sp], #96
	ret
.Lchanged:
	mov	x0, #0
	b	.Lout
SYM_FUNC_END(mt_call_regs)
EXPORT_SYMBOL_GPL(mt_ret_addr)
