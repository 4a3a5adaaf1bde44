// SPDX-License-Identifier: GPL-2.0
/*
 * The stubs: which one has which set, and when one may get another.
 *
 * The life of a stub:
 *
 *              it is pointed to a set
 *    +-------+ ----------------------------> +--------+ --. it is pointed
 *    | CLEAN |                               | IN USE |   | to another set
 *    +-------+ <-------------+               +--------+ <-'
 *        a grace period      |                 |    ^
 *                            |  no call site   |    |  a call site that wants
 *                          +------+ <----------'    |  this very set
 *                          | LEFT | ----------------'
 *                          +------+
 *
 * A task may be preempted at a stub or in a body after its call site has left
 * the stub. When it continues, it calls the set that the stub leads to then. So
 * a stub that call sites have left gets another set only after a grace period of
 * tasks RCU. One runs after each update in which call sites leave stubs. An update
 * waits for it only if it cannot do without such a stub, or would have to patch many
 * call sites instead (update.c).
 *
 * Calls: arch.h grace.c lists.c
 */

#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/memory.h>

#include "../ftrace_internal.h"
#include "internal.h"

struct ftrace_mux_stub ftrace_mux_stubs[FTRACE_MUX_STUBS + 1];

/* The stub that a set had when it was last looked for */
static u16 hints[FTRACE_MUX_SETS];

/*
 * The sets that have no stub, while a module is loaded: no stub can get a set
 * until something becomes clean, or an update ends
 */
static DECLARE_BITMAP(without_stub, FTRACE_MUX_SETS);
static unsigned long without_stub_seq;

/* Does the stub lead to the set, and will it after the update? */
static bool has_set(unsigned int index, unsigned int set)
{
	const struct ftrace_mux_stub *stub = &ftrace_mux_stubs[index];

	return index && stub->set == set && stub->next == set;
}

/* Is the stub kept for the set of call sites that move in this update? */
static bool is_taken(const struct ftrace_mux_plan *plan, unsigned int index)
{
	return plan && test_bit(index, plan->taken);
}

/* How good a stub is for call sites that want its set: more is better */
static unsigned int grade(const struct ftrace_mux_stub *stub)
{
	if (ftrace_mux_is_clean(stub->left))
		return stub->count ? 3 : 2;
	/* The next redirection of it would wait, for all its call sites */
	return 1;
}

/**
 * ftrace_mux_stub_with - a stub that has a set, and keeps it
 * @set: the set, not 0
 *
 * Context: ftrace_lock held.
 * Return: the stub, preferably a clean one with call sites. 0 if there is none,
 * or if it is better to use a new one.
 */
unsigned int ftrace_mux_stub_with(unsigned int set)
{
	unsigned int i, best = 0, found = 0;

	if (has_set(hints[set], set))
		return hints[set];
	for (i = 1; i <= FTRACE_MUX_STUBS && best < 3; i++) {
		if (!has_set(i, set) || grade(&ftrace_mux_stubs[i]) <= best)
			continue;
		found = i;
		best = grade(&ftrace_mux_stubs[i]);
	}
	if (best == 1 && ftrace_mux_unused(NULL, true) > FTRACE_MUX_STUBS / 2)
		found = 0;
	hints[set] = found;
	return found;
}

/**
 * ftrace_mux_redirect - point a stub to a set
 * @index: the stub
 * @set: the set, not 0
 *
 * Context: as arch_ftrace_mux_point(). arch_ftrace_mux_finish() has to follow.
 */
void ftrace_mux_redirect(unsigned int index, unsigned int set)
{
	struct ftrace_mux_stub *stub = &ftrace_mux_stubs[index];

	arch_ftrace_mux_point(index, set);
	ftrace_mux_use_set(set, 1);
	ftrace_mux_use_set(stub->set, -1);
	stub->set = set;
	stub->next = set;
}

/* The sets that were looked for and have no stub, as long as that is so */
static unsigned long *sets_without_stub(struct ftrace_mux_plan *plan)
{
	if (plan)
		return plan->without_stub;
	if (without_stub_seq != ftrace_mux_clean_seq()) {
		without_stub_seq = ftrace_mux_clean_seq();
		bitmap_zero(without_stub, FTRACE_MUX_SETS);
	}
	return without_stub;
}

/**
 * ftrace_mux_stub_for - the stub for a call site that is patched
 * @plan: of the update, or NULL
 * @set: the set that the call site wants, not 0
 *
 * Context: ftrace_lock held. text_mutex is held too, except while ftrace patches on an
 * architecture where it does so without it. May sleep.
 * Return: a stub that has the set; 0 if none has it and none is clean: then the
 * call site calls ftrace_caller.
 */
unsigned int ftrace_mux_stub_for(struct ftrace_mux_plan *plan, unsigned int set)
{
	unsigned long *without = sets_without_stub(plan);
	unsigned int i;

	if (test_bit(set, without))
		return 0;
	i = ftrace_mux_stub_with(set);
	if (i)
		return i;
	for (i = 1; i <= FTRACE_MUX_STUBS; i++) {
		struct ftrace_mux_stub *stub = &ftrace_mux_stubs[i];

		if (stub->count || is_taken(plan, i) || !ftrace_mux_is_clean(stub->left))
			continue;
		/* Without a plan, a call site of a module that is being loaded takes it now */
		if (plan)
			__set_bit(i, plan->taken);
		ftrace_mux_redirect(i, set);
		arch_ftrace_mux_finish();
		hints[set] = i;
		return i;
	}
	__set_bit(set, without);
	return 0;
}

/**
 * ftrace_mux_forget_hints - look for the best stub of each set again
 *
 * Context: ftrace_lock held, before an update patches the first call site, and
 * after the last one.
 */
void ftrace_mux_forget_hints(void)
{
	memset(hints, 0, sizeof(hints));
	bitmap_zero(without_stub, FTRACE_MUX_SETS);
}

/**
 * ftrace_mux_unused - how many stubs have no call sites, and get none in this update?
 * @plan: of the update, or NULL
 * @clean: count those only that may get another set now
 *
 * Context: ftrace_lock held.
 */
unsigned int ftrace_mux_unused(const struct ftrace_mux_plan *plan, bool clean)
{
	unsigned int i, n = 0;

	for (i = 1; i <= FTRACE_MUX_STUBS; i++) {
		const struct ftrace_mux_stub *stub = &ftrace_mux_stubs[i];

		n += !stub->count && !is_taken(plan, i) &&
		     (!clean || ftrace_mux_is_clean(stub->left));
	}
	return n;
}

/**
 * ftrace_mux_leave_lists - an ops has been unregistered
 * @ops: no call site leads to a list that has it
 *
 * Its memory may be another ops' soon: no list may be found by it.
 *
 * Context: ftrace_lock held.
 */
void ftrace_mux_leave_lists(const struct ftrace_ops *ops)
{
	struct ftrace_mux_list *list;
	struct ftrace_mux_stub *stub;
	unsigned int i;

	for (i = 0; i < FTRACE_MUX_LISTS; i++) {
		list = ftrace_mux_lists[i];
		if (!list || list->gone || !ftrace_mux_list_has(list, ops))
			continue;
		list->gone = true;
		for (stub = ftrace_mux_stubs + 1; list->stubs; stub++) {
			if (stub->set != FTRACE_MUX_LIST + i)
				continue;
			ftrace_mux_use_set(stub->set, -1);
			stub->set = 0;
			stub->next = 0;
			stub->left = ftrace_mux_seq;
		}
	}
}

/*
 * A tracer on the command line starts before the kernel has chosen its mitigations,
 * which may move the bodies.
 */
static int __init point_again(void)
{
	unsigned int i;

	if (!arch_ftrace_mux_bodies_moved())
		return 0;
	guard(mutex)(&ftrace_lock);
	guard(mutex)(&text_mutex);
	for (i = 1; i <= FTRACE_MUX_STUBS; i++) {
		if (ftrace_mux_stubs[i].set)
			arch_ftrace_mux_point(i, ftrace_mux_stubs[i].set);
	}
	arch_ftrace_mux_finish();
	return 0;
}
early_initcall(point_again);
