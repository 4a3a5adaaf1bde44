/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_KERNEL_FTRACE_MUX_RECORD_H
#define _LINUX_KERNEL_FTRACE_MUX_RECORD_H

#include <linux/bitops.h>
#include <linux/ftrace.h>

#include "arch.h"
#include "graph.h"

/*
 * What a dyn_ftrace record says of its function's tracers, and what the hooks ask
 * of it: which set does it want, and which stub does its call site call? See mux.h
 * for the picture of both.
 *
 * Everything here is protected by ftrace_lock unless it says otherwise.
 */

/* Number of IDs */
#define FTRACE_MUX_IDS		CONFIG_FTRACE_MUX_TRACERS

#define FTRACE_MUX_REGS		BIT(FTRACE_MUX_IDS)
#define FTRACE_MUX_LIST		BIT(FTRACE_MUX_IDS + 1)
/* As many as there are entries in the architecture's text */
#define FTRACE_MUX_LISTS	127
#define FTRACE_MUX_SETS		(FTRACE_MUX_LIST + FTRACE_MUX_LISTS)

#define FTRACE_MUX_STUBS	CONFIG_FTRACE_MUX_STUBS

#define FTRACE_FL_MUX_FILTER_SHIFT	__builtin_ctzl(FTRACE_FL_MUX_FILTER)
#define FTRACE_FL_MUX_NOTRACE_SHIFT	__builtin_ctzl(FTRACE_FL_MUX_NOTRACE)
#define FTRACE_FL_MUX_STUB_SHIFT	__builtin_ctzl(FTRACE_FL_MUX_STUB)

/* What ftrace_check_record() keeps and clears of a record it disables */
#define FTRACE_MUX_FL_KEEP	(FTRACE_FL_MUX_FILTER | FTRACE_FL_MUX_NOTRACE)
#define FTRACE_MUX_FL_EN	FTRACE_FL_MUX_STUB

static inline unsigned int ftrace_mux_filter(const struct dyn_ftrace *rec)
{
	return (rec->flags & FTRACE_FL_MUX_FILTER) >> FTRACE_FL_MUX_FILTER_SHIFT;
}

static inline unsigned int ftrace_mux_notrace(const struct dyn_ftrace *rec)
{
	return (rec->flags & FTRACE_FL_MUX_NOTRACE) >> FTRACE_FL_MUX_NOTRACE_SHIFT;
}

/* The stub that the call site calls, 0 if it is none of ours */
static inline unsigned int ftrace_mux_stub_index(const struct dyn_ftrace *rec)
{
	return (rec->flags & FTRACE_FL_MUX_STUB) >> FTRACE_FL_MUX_STUB_SHIFT;
}

/* The IDs that trace the function */
static inline unsigned int ftrace_mux_interested(const struct dyn_ftrace *rec)
{
	return ftrace_mux_filter(rec) & ~ftrace_mux_notrace(rec);
}

/**
 * struct ftrace_mux_stub - what is known of a stub
 * @set: what its stub leads to; 0: nobody has used it, or what it had is gone
 * @next: the set after the current update, the same outside of one
 * @cand: the plan's: the set that most of its call sites want, and
 * @votes: by how many more than all others
 * @stay: the plan's: call sites that want @cand
 * @count: call sites that call it
 * @was: @count before the plan counted them again
 * @taken: a call site that moves in this update is going to want its set
 * @left: the last update in which a call site left it, see ftrace_mux_is_clean()
 */
struct ftrace_mux_stub {
	u16		set;
	u16		next;
	u16		cand;
	bool		taken;
	u32		votes;
	u32		stay;
	u32		count;
	u32		was;
	unsigned long	left;
};

/* Entry 0 takes what is said of call sites without a stub */
extern struct ftrace_mux_stub ftrace_mux_stubs[FTRACE_MUX_STUBS + 1];

static inline struct ftrace_mux_stub *ftrace_mux_stub_of(const struct dyn_ftrace *rec)
{
	return &ftrace_mux_stubs[ftrace_mux_stub_index(rec)];
}

/* One that a list calls; in the place of its ops may be a bitmap, see graph.h */
struct ftrace_mux_member {
	ftrace_func_t		func;
	struct ftrace_ops	*ops;
};

/**
 * struct ftrace_mux_list - a set that a mask of IDs does not say
 * @regs: all registers are saved; the body reads it, so it comes first
 * @gone: a member has been unregistered: no further call site gets this set
 * @mask: the members that have an ID
 * @graph: the users of function graph, if they are in it as a bitmap
 * @nr: number of members
 * @users: stubs that lead to it
 * @left: the last update in which a stub left it, see ftrace_mux_is_clean()
 * @members: in the order in which they are called; the last one has no ops
 *
 * Found when the set is made, read without a lock by calls, which a tasks-RCU
 * grace period waits for. A member's function may change, its ops does not.
 */
struct ftrace_mux_list {
	bool			regs;
	bool			gone;
	u16			mask;
	u16			graph;
	unsigned int		nr;
	unsigned int		users;
	unsigned long		left;
	struct ftrace_mux_member members[];
};

/* sets.c */
extern struct ftrace_mux_list *ftrace_mux_lists[FTRACE_MUX_LISTS];
void ftrace_mux_list_func(unsigned long ip, unsigned long parent_ip,
			  const struct ftrace_mux_list *list, struct ftrace_regs *fregs);
unsigned int ftrace_mux_list_set(unsigned int mask, bool regs,
				 struct ftrace_ops *const *ops, unsigned int nr);
void ftrace_mux_use_set(unsigned int set, int users);
void ftrace_mux_update_lists(const struct ftrace_ops *ops, ftrace_func_t func);
void ftrace_mux_leave_lists(const struct ftrace_ops *ops);
void ftrace_mux_scrub_lists(const struct ftrace_ops *ops);
unsigned int ftrace_mux_unused_lists(void);
bool ftrace_mux_lists_left(void);
void ftrace_mux_free_lists(void);

/* The list of a set, or NULL */
static inline struct ftrace_mux_list *ftrace_mux_set_list(unsigned int set)
{
	return set < FTRACE_MUX_LIST ? NULL : ftrace_mux_lists[set - FTRACE_MUX_LIST];
}

/* The IDs of a set */
static inline unsigned int ftrace_mux_set_mask(unsigned int set)
{
	return set < FTRACE_MUX_LIST ? set & (FTRACE_MUX_REGS - 1) : ftrace_mux_set_list(set)->mask;
}

/* The members that only one of the two sets has */
static inline unsigned int ftrace_mux_sets_differ(unsigned int a, unsigned int b)
{
	const struct ftrace_mux_list *la = ftrace_mux_set_list(a), *lb = ftrace_mux_set_list(b);
	unsigned int mask = ftrace_mux_set_mask(a) ^ ftrace_mux_set_mask(b);

	return (la ? la->graph : 0) == (lb ? lb->graph : 0) ? mask : mask | ftrace_mux_graph_mask();
}

/* Does it save all registers? */
static inline bool ftrace_mux_set_regs(unsigned int set)
{
	return set < FTRACE_MUX_LIST ? set & FTRACE_MUX_REGS : ftrace_mux_set_list(set)->regs;
}

/* others.c */
extern bool ftrace_mux_planning;
extern unsigned int ftrace_mux_by_list;
extern bool ftrace_mux_list_missing;
extern bool ftrace_mux_list_refused;
void ftrace_mux_prepare_members(void);
void ftrace_mux_forget_members(void);
unsigned int ftrace_mux_want_list(const struct dyn_ftrace *rec);

/* stubs.c */
extern unsigned long ftrace_mux_seq;
extern u16 ftrace_mux_hints[FTRACE_MUX_SETS];
void ftrace_mux_forget_hints(void);
unsigned int ftrace_mux_stub_with(unsigned int set);
unsigned int ftrace_mux_stub_for(unsigned int set);
unsigned int ftrace_mux_unused(bool clean);
void ftrace_mux_redirect(unsigned int index, unsigned int set);
bool ftrace_mux_is_clean(unsigned long left);
void ftrace_mux_wait_for_callers(unsigned long left);
void ftrace_mux_set_clean(void);
unsigned long ftrace_mux_grace_delay(void);
void ftrace_mux_next_grace(void);

/* Is the function's call site one for a stub? Not where a single ops is called otherwise */
static inline bool ftrace_mux_wanted(const struct dyn_ftrace *rec)
{
	unsigned long count = ftrace_rec_count(rec);

	if (!count || rec->flags & FTRACE_FL_TRAMP)
		return false;
	return count > 1 || !(rec->flags & FTRACE_FL_DIRECT);
}

/* Has it users that the mask does not name: without an ID, or several of function graph? */
static inline bool ftrace_mux_beyond_mask(const struct dyn_ftrace *rec)
{
	unsigned int mask = ftrace_mux_interested(rec);

	return ftrace_rec_count(rec) > hweight8(mask) || mask & ftrace_mux_by_list;
}

/* Does a function that is called by a stub want a list? */
static inline bool ftrace_mux_wants_list(const struct dyn_ftrace *rec)
{
	return ftrace_mux_wanted(rec) && ftrace_mux_beyond_mask(rec);
}

/* The set of the IDs that trace the function */
static inline unsigned int ftrace_mux_mask_set(const struct dyn_ftrace *rec)
{
	unsigned int mask = ftrace_mux_interested(rec);

	return rec->flags & FTRACE_FL_REGS ? mask | FTRACE_MUX_REGS : mask;
}

/**
 * ftrace_mux_want_set - the set that a record's call site should call
 * @rec: the record
 *
 * Context: ftrace_lock held; may sleep if the record has users without an ID.
 * Return: the set, or 0 where the site is to be a nop or to call a trampoline of
 * an ops, a direct function, or, without memory for a list, ftrace_caller.
 */
static inline unsigned int ftrace_mux_want_set(const struct dyn_ftrace *rec)
{
	unsigned int set;

	if (!ftrace_mux_wanted(rec))
		return 0;
	/* First, as the compiler forgets the record's flags at hweight8() */
	set = ftrace_mux_mask_set(rec);
	return unlikely(ftrace_mux_beyond_mask(rec)) ? ftrace_mux_want_list(rec) : set;
}

/*
 * Does the call site have to be patched? Nonzero (a flag) if so. Not if the stub
 * that it calls is going to lead to what it wants. Outside of an update nobody
 * looks for the members of a list: it may have to.
 */
static inline unsigned long ftrace_mux_changed(const struct dyn_ftrace *rec)
{
	if (!ftrace_mux_planning && ftrace_mux_wants_list(rec))
		return FTRACE_FL_MUX_STUB;
	return ftrace_mux_want_set(rec) != ftrace_mux_stub_of(rec)->next ?
		FTRACE_FL_MUX_STUB : 0;
}

/* What the current or last update has done, for the event and for function_mux */
struct ftrace_mux_update {
	unsigned long	sites;		/* patched */
	unsigned int	redirects;	/* stubs that got another set */
	unsigned int	waits;		/* for a grace period */
	unsigned int	mask;		/* of the IDs that are called from elsewhere now */
	u64		start;
	u64		ns;
};

extern struct ftrace_mux_update ftrace_mux_update;

/* All updates together: their sites, redirects and waits */
extern struct ftrace_mux_update ftrace_mux_updates;

/* Does the stub lead to the set, and will it after the update? */
static inline bool ftrace_mux_has_set(unsigned int index, unsigned int set)
{
	const struct ftrace_mux_stub *stub = &ftrace_mux_stubs[index];

	return index && stub->set == set && stub->next == set;
}

/* The call site is being patched away from its stub */
static inline void ftrace_mux_leave(const struct dyn_ftrace *rec)
{
	struct ftrace_mux_stub *stub = ftrace_mux_stub_of(rec);

	ftrace_mux_update.sites++;
	stub->left = ftrace_mux_seq;
	stub->count--;
}

/* What the call site is being patched to: the stub that ftrace_mux_addr_new() has given it */
struct ftrace_mux_decision {
	const struct dyn_ftrace	*rec;
	unsigned int		stub;
};

extern struct ftrace_mux_decision ftrace_mux_decision;

/* The stub that the call site is to call; another one, perhaps, when asked again */
static inline unsigned int ftrace_mux_new_stub(const struct dyn_ftrace *rec)
{
	unsigned int want = ftrace_mux_want_set(rec);

	if (!want)
		return 0;
	if (ftrace_mux_stub_of(rec)->next == want)
		return ftrace_mux_stub_index(rec);
	if (ftrace_mux_has_set(ftrace_mux_hints[want], want))
		return ftrace_mux_hints[want];
	return ftrace_mux_stub_for(want);
}

/* The stub that it was given; ftrace does not ask where it is none of ours */
static inline unsigned int ftrace_mux_decided(const struct dyn_ftrace *rec)
{
	if (!ftrace_mux_wanted(rec) || ftrace_mux_decision.rec != rec)
		return 0;
	return ftrace_mux_decision.stub;
}

/* The call site is being patched: remember what to */
static inline void ftrace_mux_set_stub(struct dyn_ftrace *rec)
{
	unsigned int stub = ftrace_mux_decided(rec);

	if (stub == ftrace_mux_stub_index(rec) && stub)
		return;
	ftrace_mux_leave(rec);
	rec->flags &= ~FTRACE_FL_MUX_STUB;
	rec->flags |= (unsigned long)stub << FTRACE_FL_MUX_STUB_SHIFT;
	ftrace_mux_stub_of(rec)->count++;
}

/* The call site is being patched to a nop */
static inline void ftrace_mux_set_nop(const struct dyn_ftrace *rec)
{
	ftrace_mux_leave(rec);
}

/*
 * The address that the call site is to call; 0: not one of our stubs. It is what
 * ftrace_mux_set_stub() remembers when ftrace updates the record next.
 */
static inline unsigned long ftrace_mux_addr_new(const struct dyn_ftrace *rec)
{
	unsigned int stub = ftrace_mux_new_stub(rec);

	ftrace_mux_decision = (struct ftrace_mux_decision) { rec, stub };
	return stub ? arch_ftrace_mux_stub(stub) : 0;
}

/* The address that the call site calls now; 0: not one of our stubs */
static inline unsigned long ftrace_mux_addr_curr(const struct dyn_ftrace *rec)
{
	unsigned int stub = ftrace_mux_stub_index(rec);

	return stub ? arch_ftrace_mux_stub(stub) : 0;
}

/*
 * The trampoline that a single user is called by. An ops with an ID has none, or
 * one of an earlier registration without.
 */
static inline unsigned long ftrace_mux_trampoline(const struct ftrace_ops *ops)
{
	return ops->mux_id ? 0 : ops->trampoline;
}

/*
 * Keep the masks of @rec when @ops starts (@inc) or stops tracing it.
 * @selected: @ops' filter selects the function; @match: and its notrace does
 * not take it away.
 */
static inline void ftrace_mux_account(const struct ftrace_ops *ops,
				      struct dyn_ftrace *rec,
				      bool selected, bool match, bool inc)
{
	unsigned long filter, excluded;

	if (!ops->mux_id || !selected)
		return;

	filter = 1UL << (FTRACE_FL_MUX_FILTER_SHIFT + ops->mux_id - 1);
	excluded = 1UL << (FTRACE_FL_MUX_NOTRACE_SHIFT + ops->mux_id - 1);

	rec->flags &= ~(filter | excluded);
	if (inc)
		rec->flags |= match ? filter : filter | excluded;
}

/* How many registered ops have no ID, in slots.c */
extern unsigned int ftrace_mux_without_id;

/*
 * What __ftrace_hash_rec_update() has made of the flags of the last record that
 * it worked out, for the records with the same flags.
 */
struct ftrace_mux_memo {
	unsigned long	now;	/* of the record that it works out */
	unsigned long	old;
	unsigned long	flags;
	bool		valid;
};

/* Give the record what one with the same flags got, if that is known */
static inline bool ftrace_mux_recall(struct ftrace_mux_memo *memo, struct dyn_ftrace *rec)
{
	if (memo->valid && rec->flags == memo->old) {
		rec->flags = memo->flags;
		return true;
	}
	memo->now = rec->flags;
	return false;
}

/* @all: @ops traces all functions, so that only the flags count */
static inline void ftrace_mux_remember(struct ftrace_mux_memo *memo, const struct ftrace_ops *ops,
				       const struct dyn_ftrace *rec, bool all, bool inc)
{
	/* Whether the last one has a trampoline, and the others want all registers */
	bool asks = !inc && ((ftrace_rec_count(rec) == 1 && ftrace_mux_without_id) ||
			     ops->flags & FTRACE_OPS_FL_SAVE_REGS);

	memo->valid = all && !asks;
	memo->old = memo->now;
	memo->flags = rec->flags;
}

#endif /* _LINUX_KERNEL_FTRACE_MUX_RECORD_H */
