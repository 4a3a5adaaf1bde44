// SPDX-License-Identifier: GPL-2.0
/*
 * A part of arch/arm64/kernel/ftrace.c, which includes this file at its end: what needs
 * its static functions. The instruction of a call site and its literal.
 *
 *   literal --> ops       mov x9, lr; bl ftrace_caller, or its entry in the module's PLT
 *
 * Calls: nothing
 */

#ifdef CONFIG_FTRACE_MUX

#include "../../../../kernel/trace/mux/internal.h"

/* Does the literal point to the ops? Not if the function is gone */
static bool mux_literal_is(const struct dyn_ftrace *rec, const struct ftrace_ops *ops)
{
	const struct ftrace_ops *literal;

	return !get_kernel_nofault(literal, (void *)ALIGN_DOWN(rec->ip - 12, 8)) && literal == ops;
}

bool arch_ftrace_mux_site_calls(struct dyn_ftrace *rec, unsigned long addr)
{
	const struct ftrace_ops *ops = &ftrace_nop_ops;
	u32 insn, expected = aarch64_insn_gen_nop();

	if (addr) {
		ops = arm64_rec_get_ops(rec);
		if (!ftrace_find_callable_addr(rec, NULL, &addr))
			return false;
		expected = aarch64_insn_gen_branch_imm(rec->ip, addr, AARCH64_INSN_BRANCH_LINK);
	}
	return mux_literal_is(rec, ops) && !aarch64_insn_read((void *)rec->ip, &insn) &&
	       insn == expected;
}

void arch_ftrace_mux_forget(struct dyn_ftrace *rec, const struct ftrace_ops *ops)
{
	if (mux_literal_is(rec, ops))
		WARN_ON_ONCE(ftrace_rec_set_nop_ops(rec));
}

#endif /* CONFIG_FTRACE_MUX */
