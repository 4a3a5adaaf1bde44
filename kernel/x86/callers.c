// SPDX-License-Identifier: GPL-2.0
/*
 * The x86 side of the multiplexing function tracer: pointing the stubs
 * to the bodies of the sets, and the slots to the tracers' functions.
 *
 *   stub: jmp32 --> body, or entry of a list or a group     callers_64.S
 *   slot: jmp32, jmp32 --> the tracer's function
 *
 * See kernel/trace/mux/arch.h for what each function does.
 *
 * Calls: nothing
 */

#include <linux/cpufeature.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/memory.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <asm/nops.h>

#include "../../../../kernel/trace/mux/internal.h"
#include "callers.h"
#include "compat.h"

static_assert(FTRACE_MUX_LISTS == 127);
static_assert(sizeof(struct ftrace_mux_slot) == 16);
static_assert(offsetof(struct ftrace_mux_slot, ops) == 8);

unsigned long arch_ftrace_mux_stub(unsigned int stub)
{
	return (unsigned long)ftrace_mux_callers + (stub - 1) * FTRACE_MUX_STUB_SIZE;
}

/* The body of a set */
static unsigned long body_of(unsigned int set)
{
	unsigned long addr = (unsigned long)ftrace_mux_callers;
	unsigned int mask = set & FTRACE_MUX_MASK;

	if (set >= FTRACE_MUX_LIST)
		return addr + ftrace_mux_list_entries +
		       (set - FTRACE_MUX_LIST) * FTRACE_MUX_STUB_SIZE;
	if (IS_ENABLED(CONFIG_FTRACE_MUX_GROUPS) && set & FTRACE_MUX_GROUP)
		return addr + ftrace_mux_group_entries + (mask - 1) * FTRACE_MUX_STUB_SIZE;

	addr += ftrace_mux_caller_offsets[!!(set & FTRACE_MUX_REGS)][mask - 1];
	/* The accounting of the call is in front of the entry */
	if (boot_cpu_has(X86_FEATURE_CALL_DEPTH))
		addr -= ftrace_mux_depth_size;
	return addr;
}

/* The jump of a stub; text_gen_insn() has one buffer */
static const void *jump_of(unsigned int stub, unsigned int set)
{
	return text_gen_insn(JMP32_INSN_OPCODE, (void *)arch_ftrace_mux_stub(stub),
			     (void *)body_of(set));
}

void arch_ftrace_mux_point(unsigned int stub, unsigned int set)
{
	smp_text_poke_batch_add((void *)arch_ftrace_mux_stub(stub), jump_of(stub, set),
				JMP32_INSN_SIZE, NULL);
}

void arch_ftrace_mux_finish(void)
{
	smp_text_poke_batch_finish();
}

/*
 * With call depth tracking a stub leads to where the accounting of the call is, in
 * front of the body. Until the stubs are pointed again the accounting misses a
 * call, which fills the return stack buffer too early, not too late.
 */
bool __init arch_ftrace_mux_bodies_moved(void)
{
	return boot_cpu_has(X86_FEATURE_CALL_DEPTH);
}

bool arch_ftrace_mux_points(unsigned int stub, unsigned int set)
{
	guard(mutex)(&text_mutex);
	return !memcmp((void *)arch_ftrace_mux_stub(stub), jump_of(stub, set),
		       JMP32_INSN_SIZE);
}

/* Each of the two jumps changes atomically */
void arch_ftrace_mux_slot_changed(unsigned int slot, ftrace_func_t func)
{
	void *target = func;
	int i;

	/* A direct jump needs no landing pad */
	if (mux_starts_with_endbr(target))
		target += ENDBR_INSN_SIZE;

	mutex_lock(&text_mutex);
	for (i = 0; i < 2; i++) {
		void *jmp = (void *)ftrace_mux_callers + ftrace_mux_slot_offsets[slot][i];

		smp_text_poke_single(jmp, text_gen_insn(JMP32_INSN_OPCODE, jmp, target),
				     JMP32_INSN_SIZE, NULL);
	}
	mutex_unlock(&text_mutex);
}

bool arch_ftrace_mux_site_calls(struct dyn_ftrace *rec, unsigned long addr)
{
	unsigned long ip = rec->ip;
	unsigned long jmp = IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_JMP) ? addr & 1 : 0;
	u8 opcode = jmp ? JMP32_INSN_OPCODE : CALL_INSN_OPCODE;
	union text_poke_insn insn;

	if (copy_from_kernel_nofault(&insn, (void *)ip, CALL_INSN_SIZE))
		return false;
	if (!addr)
		return !memcmp(&insn, x86_nops[CALL_INSN_SIZE], CALL_INSN_SIZE);
	return insn.opcode == opcode &&
	       ip + CALL_INSN_SIZE + insn.disp == addr - jmp;
}
