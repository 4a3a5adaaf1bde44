// SPDX-License-Identifier: GPL-2.0
/*
 * The x86 side of the multiplexing function tracer: finding the caller of a
 * set of tracers, and pointing a slot to a tracer's function.
 */

#include <linux/cpufeature.h>
#include <linux/ftrace.h>
#include <linux/memory.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <asm/nops.h>

#include "../../../../kernel/trace/mux/mux.h"
#include "callers.h"
#include "compat.h"

/**
 * arch_ftrace_mux_caller - the address of the caller of a set of tracers
 * @mask: the IDs of the tracers, and FTRACE_MUX_LANE; not zero
 * @regs: the caller that saves all registers
 */
unsigned long arch_ftrace_mux_caller(unsigned int mask, bool regs)
{
	unsigned long addr = (unsigned long)ftrace_mux_callers +
			     ftrace_mux_caller_offsets[regs][mask - 1];

	/* The accounting of the call is in front of the entry */
	if (boot_cpu_has(X86_FEATURE_CALL_DEPTH))
		addr -= ftrace_mux_depth_size;
	return addr;
}

/**
 * arch_ftrace_mux_set_slot - point a slot to a function
 * @slot: the slot's number
 * @func: the tracer function it is to jump to
 *
 * Each of the slot's two jumps changes atomically; a caller that runs
 * meanwhile jumps to the old or to the new function.
 *
 * Context: may sleep, text_mutex not held.
 */
void arch_ftrace_mux_set_slot(unsigned int slot, ftrace_func_t func)
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

/**
 * arch_ftrace_mux_site_calls - does a call site call what it should?
 * @ip: the call site
 * @addr: the address that it should call; 0 for a nop. Where ftrace knows direct
 * functions that are jumped to, bit 0 marks one
 */
bool arch_ftrace_mux_site_calls(unsigned long ip, unsigned long addr)
{
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
