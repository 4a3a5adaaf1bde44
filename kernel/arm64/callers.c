// SPDX-License-Identifier: GPL-2.0
/*
 * The arm64 side of the multiplexing function tracer: pointing the stubs to the
 * bodies of the sets. See kernel/trace/mux/arch.h for what each function does.
 *
 * All call sites call ftrace_caller. It loads the literal in front of the traced
 * function, which points to an ops, and goes to the direct function of that ops, if
 * there is one, before it saves a register or reads anything else. So a stub is a
 * pointer to a body, and the literal points to an ops that has its direct_call there
 * and is nothing else:
 *
 *   literal ------.    stubs[]
 *   mov x9, lr    |   +----------------+
 *   bl  ----.     '-->| direct_call  --|---> body: save; call slots; restore;
 *           |         +----------------+ ^         return to the function
 *           v           ^                |
 *     ftrace_caller ----'----------------'
 *
 * Pointing a stub to another set is one store, and so is giving a call site another
 * stub: no instruction changes.
 *
 * A call reads, in this order,
 *
 *   1. the literal
 *   2. the stub                         at the address that it read in 1
 *   3. what the body needs, at a fixed address: slots, the pointer to a list, the IDs
 *      that groups record for
 *   4. what that points to              at an address that it read in 3
 *
 * and an update writes in the opposite order. A processor reads 2 after 1, and 4 after
 * 3, since it does not know the address before. But it may read 3 before 1 and 2, while
 * it guesses that it is going to be in this body. What 3 reads is therefore written with
 * an interrupt of all processors, see publish(), before a stub leads to a body that reads
 * it.
 *
 * Calls: nothing
 */

#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/smp.h>

#include "../../../../kernel/trace/mux/internal.h"
#include "callers.h"

static_assert(FTRACE_MUX_LISTS == 127);
static_assert(sizeof(struct ftrace_mux_slot) == 16);
static_assert(offsetof(struct ftrace_mux_slot, func) == 0);
static_assert(offsetof(struct ftrace_mux_slot, ops) == 8);

/* The bodies that the stubs lead to */
static unsigned long stubs[FTRACE_MUX_STUBS] __read_mostly;

unsigned long arch_ftrace_mux_stub(unsigned int stub)
{
	return FTRACE_ADDR;
}

const struct ftrace_ops *arch_ftrace_mux_ops(unsigned int stub)
{
	return (void *)&stubs[stub - 1] - offsetof(struct ftrace_ops, direct_call);
}

/* The body of a set */
static unsigned long body_of(unsigned int set)
{
	unsigned long addr = (unsigned long)ftrace_mux_callers;
	unsigned int mask = set & FTRACE_MUX_MASK;

	if (set >= FTRACE_MUX_LIST)
		return addr + ftrace_mux_list_entries +
		       (set - FTRACE_MUX_LIST) * FTRACE_MUX_ENTRY_SIZE;
	if (IS_ENABLED(CONFIG_FTRACE_MUX_GROUPS) && set & FTRACE_MUX_GROUP)
		return addr + ftrace_mux_group_entries + (mask - 1) * FTRACE_MUX_ENTRY_SIZE;
	return addr + ftrace_mux_caller_offsets[mask - 1];
}

/*
 * What has been written so far is seen by each call that a later store leads there.
 *
 * Each processor takes an interrupt. A call that reads it after that sees what has been
 * written: taking an interrupt drops what was read early. A call that has read it before
 * has also read the stub before, and so before the later store.
 */
static void publish(void)
{
	kick_all_cpus_sync();
}

void arch_ftrace_mux_point(unsigned int stub, unsigned int set)
{
	/* The pointer to the list, and the list */
	if (set >= FTRACE_MUX_LIST)
		publish();
	WRITE_ONCE(stubs[stub - 1], body_of(set));
}

void arch_ftrace_mux_finish(void)
{
	/* The stubs, before literals that lead there, and before the end of the update */
	smp_mb();
}

bool __init arch_ftrace_mux_bodies_moved(void)
{
	return false;
}

bool arch_ftrace_mux_points(unsigned int stub, unsigned int set)
{
	return stubs[stub - 1] == body_of(set);
}

/* The slot itself has been written: a call loads it */
void arch_ftrace_mux_slot_changed(unsigned int slot, ftrace_func_t func)
{
	publish();
}
