// SPDX-License-Identifier: GPL-2.0
/*
 * Lists: the members of the sets that a mask of IDs cannot describe, since a member
 * has no ID or is one of several users of function graph. And calling the members.
 *
 *   stub --> entry 5 of the lists --> body --> ftrace_mux_list_func()
 *            passes 5                           |
 *   ftrace_mux_lists[5] --> regs, mask,         v
 *                           members:  { func, ops }  { func, bitmap }  { NULL }
 *
 * A list is made when a call site first wants its set. All call sites that want the
 * same set share it. When no stub leads to it any longer, it is freed after a grace
 * period: a task may be preempted in the body of the lists.
 *
 * Calls: grace.c
 */

#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/slab.h>

#include "../ftrace_internal.h"
#include "internal.h"

/* Each belongs to the entry of the architecture's text that passes its index */
struct ftrace_mux_list *ftrace_mux_lists[FTRACE_MUX_LISTS] __read_mostly;

/* The body in assembly reads it there */
static_assert(offsetof(struct ftrace_mux_list, regs) == 0);

/* A separate function, so that what it saves on the stack is not saved for one member */
static noinline void __kprobes
ftrace_mux_call_members(unsigned long ip, unsigned long parent_ip,
			const struct ftrace_mux_list *list, struct ftrace_regs *fregs)
{
	const struct ftrace_mux_member *member = list->members;
	ftrace_func_t func = READ_ONCE(member->func);

	/* The function is NULL at the end of the members, and only there */
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
 * ftrace_mux_ops_func().
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
	/* Mostly the users of function graph. ftrace_stub() if the list is empty */
	func = READ_ONCE(list->members->func);
	func(ip, parent_ip, list->members->ops, fregs);
}

NOKPROBE_SYMBOL(ftrace_mux_list_func);

static bool is_member(const struct ftrace_mux_member *member, const struct ftrace_ops *ops)
{
	return !member->is_bitmap && member->ops == ops;
}

/* The member of a list that is an ops, which is in a list at most once. NULL if there is none */
static struct ftrace_mux_member *find_member(struct ftrace_mux_list *list,
					     const struct ftrace_ops *ops)
{
	struct ftrace_mux_member *member;

	for (member = list->members; member->func; member++) {
		if (is_member(member, ops))
			return member;
	}
	return NULL;
}

/* Does the list have these members, in this order? Their functions are not compared */
static bool list_is(const struct ftrace_mux_list *list, unsigned int mask, bool regs,
		    const struct ftrace_mux_member *members, unsigned int nr)
{
	unsigned int i;

	if (!list || list->gone || list->mask != mask || list->regs != regs || list->nr != nr)
		return false;
	for (i = 0; i < nr; i++) {
		if (list->members[i].bitmap != members[i].bitmap ||
		    list->members[i].is_bitmap != members[i].is_bitmap)
			return false;
	}
	return true;
}

/**
 * ftrace_mux_find_list - the set of a list that exists
 * @mask: the IDs of the members that have one
 * @regs: some member wants all registers
 * @members: the members in the order in which they are called; without functions
 * @nr: how many
 *
 * Context: ftrace_lock held.
 * Return: the set, or 0.
 */
unsigned int ftrace_mux_find_list(unsigned int mask, bool regs,
				  const struct ftrace_mux_member *members, unsigned int nr)
{
	static unsigned int last;
	unsigned int i;

	/* Functions that follow each other often have the same set */
	if (list_is(ftrace_mux_lists[last], mask, regs, members, nr))
		return FTRACE_MUX_LIST + last;
	for (i = 0; i < FTRACE_MUX_LISTS; i++) {
		if (!list_is(ftrace_mux_lists[i], mask, regs, members, nr))
			continue;
		last = i;
		return FTRACE_MUX_LIST + i;
	}
	return 0;
}

static struct ftrace_mux_list *alloc_list(unsigned int mask, bool regs,
					  const struct ftrace_mux_member *members,
					  unsigned int nr)
{
	struct ftrace_mux_list *list;
	unsigned int i;

	/* One more for the end. A list without members calls ftrace_stub() */
	list = kzalloc(struct_size(list, members, max(nr, 1) + 1), GFP_KERNEL);
	if (!list)
		return NULL;
	list->members[0] = (struct ftrace_mux_member) {
		.func = ftrace_stub,
		.ops = &ftrace_list_end,
	};
	list->mask = mask;
	list->regs = regs;
	list->nr = nr;
	for (i = 0; i < nr; i++) {
		list->members[i] = members[i];
		if (members[i].is_bitmap)
			list->graph = members[i].bitmap;
	}
	return list;
}

/**
 * ftrace_mux_make_list - make a list, and so a set
 * @mask: the IDs of the members that have one
 * @regs: some member wants all registers
 * @members: the members in the order in which they are called
 * @nr: how many
 *
 * Context: ftrace_lock held, may sleep.
 * Return: the set, or 0 without memory or when there are too many lists.
 */
unsigned int ftrace_mux_make_list(unsigned int mask, bool regs,
				  const struct ftrace_mux_member *members, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < FTRACE_MUX_LISTS && ftrace_mux_lists[i]; i++)
		;
	if (i == FTRACE_MUX_LISTS)
		return 0;
	/* Before a stub leads to its entry */
	ftrace_mux_lists[i] = alloc_list(mask, regs, members, nr);
	return ftrace_mux_lists[i] ? FTRACE_MUX_LIST + i : 0;
}

/**
 * ftrace_mux_list_has - is an ops a member of a list?
 * @list: the list
 * @ops: the ops
 *
 * Context: ftrace_lock held.
 */
bool ftrace_mux_list_has(struct ftrace_mux_list *list, const struct ftrace_ops *ops)
{
	return find_member(list, ops);
}

/**
 * ftrace_mux_use_set - a stub leads to a set, or no longer does
 * @set: the set, or 0
 * @stubs: 1 or -1
 *
 * Context: ftrace_lock held.
 */
void ftrace_mux_use_set(unsigned int set, int stubs)
{
	struct ftrace_mux_list *list = ftrace_mux_list_of(set);

	if (!list)
		return;
	list->stubs += stubs;
	if (stubs < 0)
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
		member = ftrace_mux_lists[i] ? find_member(ftrace_mux_lists[i], ops) : NULL;
		if (member)
			WRITE_ONCE(member->func, func);
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
		member = ftrace_mux_lists[i] ? find_member(ftrace_mux_lists[i], ops) : NULL;
		if (member)
			WRITE_ONCE(member->ops, &ftrace_list_end);
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
 * ftrace_mux_any_list_unused - is there a list that no stub leads to?
 *
 * Context: ftrace_lock held.
 */
bool ftrace_mux_any_list_unused(void)
{
	unsigned int i;

	for (i = 0; i < FTRACE_MUX_LISTS; i++) {
		if (ftrace_mux_lists[i] && !ftrace_mux_lists[i]->stubs)
			return true;
	}
	return false;
}

/**
 * ftrace_mux_free_lists - free the lists that no stub leads to
 *
 * Context: ftrace_lock held, no update in progress.
 */
void ftrace_mux_free_lists(void)
{
	struct ftrace_mux_list *list;
	unsigned int i;

	for (i = 0; i < FTRACE_MUX_LISTS; i++) {
		list = ftrace_mux_lists[i];
		if (!list || list->stubs || !ftrace_mux_is_clean(list->left))
			continue;
		ftrace_mux_lists[i] = NULL;
		kfree(list);
	}
}
