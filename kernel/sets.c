// SPDX-License-Identifier: GPL-2.0
/*
 * Sets that a mask of IDs does not say: their lists, and calling them. They have
 * members without an ID, or several users of function graph.
 *
 * A list is made when a call site first wants its set, and shared by all that
 * want the same. Stubs count as its users. The last one gone, it is freed after
 * a grace period: a task may be preempted in the list's body.
 */

#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/slab.h>

#include "../ftrace_internal.h"
#include "mux.h"

/* Each belongs to one entry of the architecture's text, which passes it */
struct ftrace_mux_list *ftrace_mux_lists[FTRACE_MUX_LISTS] __read_mostly;

/* The body in assembly reads it there */
static_assert(offsetof(struct ftrace_mux_list, regs) == 0);

/* A function of its own, so that what it saves on the stack is not saved for one member */
static noinline void __kprobes
ftrace_mux_call_members(unsigned long ip, unsigned long parent_ip,
			const struct ftrace_mux_list *list, struct ftrace_regs *fregs)
{
	const struct ftrace_mux_member *member = list->members;
	ftrace_func_t func = READ_ONCE(member->func);

	/* The last one's function is NULL, no other one ever is */
	do {
		func(ip, parent_ip, member->ops, fregs);
		member++;
	} while ((func = READ_ONCE(member->func)));
}

/**
 * ftrace_mux_list_func - call the members of a list
 * @ip: address of the call site
 * @parent_ip: return address of the traced function
 * @list: the list
 * @fregs: the registers
 *
 * Each function is one that can be called without further protection, see
 * ftrace_ops_get_func().
 *
 * Context: any that can be traced, NMI included.
 */
void ftrace_mux_list_func(unsigned long ip, unsigned long parent_ip,
			  const struct ftrace_mux_list *list, struct ftrace_regs *fregs)
{
	ftrace_func_t func;

	if (list->nr > 1) {
		ftrace_mux_call_members(ip, parent_ip, list, fregs);
		return;
	}
	/* Users of function graph, and nobody else */
	func = READ_ONCE(list->members->func);
	func(ip, parent_ip, list->members->ops, fregs);
}

NOKPROBE_SYMBOL(ftrace_mux_list_func);

static bool list_is(const struct ftrace_mux_list *list, unsigned int mask, bool regs,
		    struct ftrace_ops *const *ops, unsigned int nr)
{
	unsigned int i;

	if (!list || list->gone || list->mask != mask || list->regs != regs || list->nr != nr)
		return false;
	for (i = 0; i < nr; i++) {
		if (list->members[i].ops != ops[i])
			return false;
	}
	return true;
}

static struct ftrace_mux_list *make_list(unsigned int mask, bool regs,
					 struct ftrace_ops *const *ops, unsigned int nr)
{
	struct ftrace_mux_list *list;
	unsigned int i;

	/* One more for the end, and another one to be called if there is nobody */
	list = kzalloc(struct_size(list, members, max(nr, 1) + 1), GFP_KERNEL);
	if (!list)
		return NULL;
	list->members[0] = (struct ftrace_mux_member) { ftrace_stub, &ftrace_list_end };
	list->mask = mask;
	list->regs = regs;
	list->nr = nr;
	for (i = 0; i < nr; i++) {
		list->members[i].ops = ops[i];
		list->members[i].func = ftrace_mux_member_func(ops[i]);
		list->graph |= ftrace_mux_bitmap(ops[i]);
	}
	return list;
}

/**
 * ftrace_mux_list_set - the set of some tracers, not all of which a mask names
 * @mask: the IDs of those that have one
 * @regs: some tracer wants all registers
 * @ops: the tracers, or a bitmap in the place of one (graph.h), in the order in
 * which they are called
 * @nr: how many
 *
 * Context: ftrace_lock held, may sleep.
 * Return: the set, or 0 without memory or when there are too many lists.
 */
unsigned int ftrace_mux_list_set(unsigned int mask, bool regs,
				 struct ftrace_ops *const *ops, unsigned int nr)
{
	static unsigned int last;
	int i, free = -1;

	/* Functions that follow each other often have the same set */
	if (list_is(ftrace_mux_lists[last], mask, regs, ops, nr))
		return FTRACE_MUX_LIST + last;

	for (i = FTRACE_MUX_LISTS - 1; i >= 0; i--) {
		if (list_is(ftrace_mux_lists[i], mask, regs, ops, nr)) {
			last = i;
			return FTRACE_MUX_LIST + i;
		}
		if (!ftrace_mux_lists[i])
			free = i;
	}
	/* Before a stub leads to its entry */
	if (free >= 0 && !ftrace_mux_list_refused)
		ftrace_mux_lists[free] = make_list(mask, regs, ops, nr);
	if (free < 0 || !ftrace_mux_lists[free]) {
		ftrace_mux_list_refused = ftrace_mux_planning;
		return 0;
	}
	last = free;
	return FTRACE_MUX_LIST + free;
}

/**
 * ftrace_mux_use_set - a stub leads to a set, or no longer does
 * @set: the set, or 0
 * @users: 1 or -1
 *
 * Context: ftrace_lock held.
 */
void ftrace_mux_use_set(unsigned int set, int users)
{
	struct ftrace_mux_list *list = ftrace_mux_set_list(set);

	if (!list)
		return;
	list->users += users;
	if (users < 0)
		list->left = ftrace_mux_seq;
}

/**
 * ftrace_mux_update_lists - a tracer's function changes
 * @ops: the tracer
 * @func: the function that is to be called now
 *
 * Context: ftrace_lock held.
 */
void ftrace_mux_update_lists(const struct ftrace_ops *ops, ftrace_func_t func)
{
	struct ftrace_mux_member *member;
	unsigned int i;

	for (i = 0; i < FTRACE_MUX_LISTS; i++) {
		if (!ftrace_mux_lists[i])
			continue;
		for (member = ftrace_mux_lists[i]->members; member->func; member++) {
			if (member->ops == ops)
				WRITE_ONCE(member->func, func);
		}
	}
}

static bool has_member(const struct ftrace_mux_list *list, const struct ftrace_ops *ops)
{
	const struct ftrace_mux_member *member;

	for (member = list->members; member->func; member++) {
		if (member->ops == ops)
			return true;
	}
	return false;
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
		if (!list || list->gone || !has_member(list, ops))
			continue;
		list->gone = true;
		for (stub = ftrace_mux_stubs + 1; list->users; stub++) {
			if (stub->set != FTRACE_MUX_LIST + i)
				continue;
			ftrace_mux_use_set(stub->set, -1);
			stub->set = 0;
			stub->next = 0;
			stub->left = ftrace_mux_seq;
		}
	}
}

/**
 * ftrace_mux_scrub_lists - let no list name an ops
 * @ops: an ops whose functions are ftrace_stub() in all lists, and have been for
 * a grace period
 *
 * Context: ftrace_lock held; ftrace is dead, so that no list is made or found.
 */
void ftrace_mux_scrub_lists(const struct ftrace_ops *ops)
{
	struct ftrace_mux_member *member;
	unsigned int i;

	for (i = 0; i < FTRACE_MUX_LISTS; i++) {
		if (!ftrace_mux_lists[i])
			continue;
		for (member = ftrace_mux_lists[i]->members; member->func; member++) {
			if (member->ops == ops)
				WRITE_ONCE(member->ops, &ftrace_list_end);
		}
	}
}

/**
 * ftrace_mux_unused_lists - how many lists can still be made?
 *
 * Context: ftrace_lock held.
 */
unsigned int ftrace_mux_unused_lists(void)
{
	unsigned int i, n = 0;

	for (i = 0; i < FTRACE_MUX_LISTS; i++)
		n += !ftrace_mux_lists[i];
	return n;
}

/**
 * ftrace_mux_lists_left - is there a list that nobody uses?
 *
 * Context: ftrace_lock held.
 */
bool ftrace_mux_lists_left(void)
{
	unsigned int i;

	for (i = 0; i < FTRACE_MUX_LISTS; i++) {
		if (ftrace_mux_lists[i] && !ftrace_mux_lists[i]->users)
			return true;
	}
	return false;
}

/**
 * ftrace_mux_free_lists - free the lists that nobody uses
 *
 * Context: ftrace_lock held, no update in progress.
 */
void ftrace_mux_free_lists(void)
{
	struct ftrace_mux_list *list;
	unsigned int i;

	for (i = 0; i < FTRACE_MUX_LISTS; i++) {
		list = ftrace_mux_lists[i];
		if (!list || list->users || !ftrace_mux_is_clean(list->left))
			continue;
		ftrace_mux_lists[i] = NULL;
		kfree(list);
	}
}
