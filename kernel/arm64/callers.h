/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _ARCH_ARM64_KERNEL_FTRACE_MUX_CALLERS_H
#define _ARCH_ARM64_KERNEL_FTRACE_MUX_CALLERS_H

/* What callers_64.S defines. All offsets are from ftrace_mux_callers. */

void ftrace_mux_callers(void);

/* The bodies of the sets of IDs, by mask - 1 */
extern const s32 ftrace_mux_caller_offsets[BIT(FTRACE_MUX_IDS) - 1];

/* The first of the lists' entries */
extern const u32 ftrace_mux_list_entries;

/* The first of the groups' entries, by mask - 1 */
extern const u32 ftrace_mux_group_entries;

/* Bytes of an entry of a list or a group */
#define FTRACE_MUX_ENTRY_SIZE	12

#endif /* _ARCH_ARM64_KERNEL_FTRACE_MUX_CALLERS_H */
