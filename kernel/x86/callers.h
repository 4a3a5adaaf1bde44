/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _ARCH_X86_KERNEL_FTRACE_MUX_CALLERS_H
#define _ARCH_X86_KERNEL_FTRACE_MUX_CALLERS_H

/* What callers_64.S defines. All offsets are from ftrace_mux_callers. */

void ftrace_mux_callers(void);

/* The entries of the args and of the regs callers, by mask - 1 */
extern const s32 ftrace_mux_caller_offsets[2][BIT(FTRACE_MUX_IDS) - 1];

/* The two jumps of each slot */
extern const s32 ftrace_mux_slot_offsets[FTRACE_MUX_IDS][2];

/* The first of the lists' entries */
extern const u32 ftrace_mux_list_entries;

/* The first of the groups' entries, by mask - 1 */
extern const u32 ftrace_mux_group_entries;

/* Bytes of a stub, and of an entry of a list or a group */
#define FTRACE_MUX_STUB_SIZE	8

/* Bytes from the call depth accounting of a caller to its entry */
extern const u32 ftrace_mux_depth_size;

#endif /* _ARCH_X86_KERNEL_FTRACE_MUX_CALLERS_H */
