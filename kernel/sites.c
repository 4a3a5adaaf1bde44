// SPDX-License-Identifier: GPL-2.0
/*
 * What ftrace asks of a call site while it patches it, and what its record
 * remembers then:
 *
 *   ftrace_check_record()   does it have to be patched?    ftrace_mux_changed()
 *   ftrace_get_addr_curr()  what does it call?             ftrace_mux_addr_curr()
 *   ftrace_get_addr_new()   what is it to call?            ftrace_mux_addr_new()
 *   ftrace_check_record()   it calls that now              ftrace_mux_set_stub()
 *                           it is a nop now                ftrace_mux_set_nop()
 *
 * Calls: arch.h grace.c stubs.c members.c
 */

#include <linux/ftrace.h>

#include "../ftrace_internal.h"
#include "internal.h"

/* What the current or last update has done */
struct ftrace_mux_update ftrace_mux_update;

/* The plan of the current update or check: ftrace calls the functions below without it */
static struct ftrace_mux_plan *current_plan;

/* What the call site is being patched to: the stub that ftrace_mux_addr_new() has given it */
static struct {
	const struct dyn_ftrace	*rec;
	unsigned int		stub;
} decision;

/**
 * ftrace_mux_begin_plan - find out which sets records want
 * @update: an update begins; otherwise all is found from the hashes
 *
 * Context: ftrace_lock held, may sleep.
 * Return: what it knows, until ftrace_mux_end_plan().
 */
struct ftrace_mux_plan *ftrace_mux_begin_plan(bool update)
{
	static struct ftrace_mux_plan plan;

	memset(&plan, 0, sizeof(plan));
	ftrace_mux_prepare_members(&plan, update);
	current_plan = &plan;
	return current_plan;
}

/**
 * ftrace_mux_end_plan - the update ends
 *
 * Context: ftrace_lock held.
 */
void ftrace_mux_end_plan(void)
{
	if (current_plan)
		ftrace_mux_forget_members(current_plan);
	current_plan = NULL;
}

/**
 * ftrace_mux_changed - does a call site have to be patched?
 * @rec: its record
 *
 * Not if the stub that it calls is going to lead to the set that it wants. Without a
 * plan the members of a list are not looked for: then yes, to be safe.
 *
 * Context: ftrace_lock held; may sleep in an update.
 * Return: nonzero, a flag, if so.
 */
unsigned long ftrace_mux_changed(const struct dyn_ftrace *rec)
{
	if (!current_plan && ftrace_mux_wants_list(rec))
		return FTRACE_FL_MUX_STUB;
	return ftrace_mux_want_set(current_plan, rec) != ftrace_mux_stub_of(rec)->next ?
		FTRACE_FL_MUX_STUB : 0;
}

/*
 * The stub that the call site is to call. A second search may find another one, so
 * ftrace_mux_addr_new() keeps the answer.
 */
static unsigned int new_stub(const struct dyn_ftrace *rec)
{
	unsigned int want = ftrace_mux_want_set(current_plan, rec);

	if (!want)
		return 0;
	if (ftrace_mux_stub_of(rec)->next == want)
		return ftrace_mux_stub_index(rec);
	return ftrace_mux_stub_for(current_plan, want);
}

/**
 * ftrace_mux_addr_new - the address that a call site is to call
 * @rec: its record
 *
 * It is what ftrace_mux_set_stub() remembers when ftrace updates the record next.
 *
 * Context: ftrace_lock held, and text_mutex if ftrace patches under it; may sleep.
 * Return: the address, or 0: not one of our stubs.
 */
unsigned long ftrace_mux_addr_new(const struct dyn_ftrace *rec)
{
	decision.rec = rec;
	decision.stub = new_stub(rec);
	return decision.stub ? arch_ftrace_mux_stub(decision.stub) : 0;
}

/**
 * ftrace_mux_addr_curr - the address that a call site calls now
 * @rec: its record
 *
 * Context: ftrace_lock held.
 * Return: the address, or 0: not one of our stubs.
 */
unsigned long ftrace_mux_addr_curr(const struct dyn_ftrace *rec)
{
	unsigned int stub = ftrace_mux_stub_index(rec);

	return stub ? arch_ftrace_mux_stub(stub) : 0;
}

/**
 * ftrace_mux_rec_ops - what the pointer in front of a function is to be
 * @rec: its record; it knows the stub already
 *
 * Context: ftrace_lock held.
 * Return: an ops for arch/ to write, or NULL: its call site calls none of our stubs.
 */
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS
const struct ftrace_ops *ftrace_mux_rec_ops(const struct dyn_ftrace *rec)
{
	unsigned int stub = ftrace_mux_stub_index(rec);

	return stub ? arch_ftrace_mux_ops(stub) : NULL;
}
#endif

/*
 * The stub that ftrace_mux_addr_new() has given the call site. ftrace does not call that
 * function for a call site that is to be a nop, or to call a trampoline of an ops or a
 * direct function.
 */
static unsigned int decided(const struct dyn_ftrace *rec)
{
	return ftrace_mux_wanted(rec) && decision.rec == rec ? decision.stub : 0;
}

/* The call site is being patched away from its stub */
static void leave_stub(const struct dyn_ftrace *rec)
{
	struct ftrace_mux_stub *stub = ftrace_mux_stub_of(rec);

	ftrace_mux_update.sites++;
	stub->left = ftrace_mux_seq;
	stub->count--;
}

/**
 * ftrace_mux_set_stub - a call site is being patched: remember what to
 * @rec: its record
 *
 * Context: ftrace_lock held.
 */
void ftrace_mux_set_stub(struct dyn_ftrace *rec)
{
	unsigned int stub = decided(rec);

	if (stub == ftrace_mux_stub_index(rec) && stub)
		return;
	leave_stub(rec);
	rec->flags &= ~FTRACE_FL_MUX_STUB;
	rec->flags |= (unsigned long)stub << FTRACE_FL_MUX_STUB_SHIFT;
	ftrace_mux_stub_of(rec)->count++;
}

/**
 * ftrace_mux_set_nop - a call site is being patched to a nop
 * @rec: its record
 *
 * Context: ftrace_lock held.
 */
void ftrace_mux_set_nop(const struct dyn_ftrace *rec)
{
	leave_stub(rec);
}
