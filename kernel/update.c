// SPDX-License-Identifier: GPL-2.0
/*
 * The plan of an update: which stubs are pointed to another set, so that the
 * call sites that call them stay as they are.
 *
 *   vote      which set do most call sites of each stub want?
 *   decide    is it worth pointing the stub to it?
 *   settle    which sets do the other call sites want? Stubs for them
 *   (ftrace patches the call sites that move)
 *   redirect  point the stubs
 *
 * A call site moves to a stub that keeps its set. So a tracer whose filter
 * stays sees each call once: it is in the set that a redirected stub had and in
 * the one that it gets, or in neither. For the tracer that changes, no call may be
 * on its way through a stub that its call site has left: the redirection waits for
 * a grace period if any call site has left that stub since the last one. Tasks that
 * need ftrace_lock wait meanwhile: if a task that stays in the kernel delays the grace
 * period, the call sites are patched instead, in a second update.
 *
 * Calls: arch.h access.c events.c grace.c lists.c stubs.c reclaim.c members.c sites.c
 */

#include <linux/ftrace.h>
#include <linux/memory.h>
#include <linux/trace_clock.h>

#include "../ftrace_internal.h"
#include "../trace.h"
#include "internal.h"

/* All updates together: their sites, redirects and waits */
struct ftrace_mux_update ftrace_mux_updates;

/* Patch up to this many call sites rather than wait for a grace period */
#define PATCH_MAX	2048

#define STUBS_END	(ftrace_mux_stubs + FTRACE_MUX_STUBS + 1)

/**
 * struct vote - what the plan counts for a stub
 * @cand: the set that most of its call sites want, and
 * @votes: by how many more than all others
 * @stay: call sites that want @cand
 * @was: call sites that called it before they were counted again
 */
struct vote {
	u16	cand;
	u32	votes;
	u32	stay;
	u32	was;
};

static struct vote votes[FTRACE_MUX_STUBS + 1];

/* Of the current update; NULL if it makes no plan */
static struct ftrace_mux_plan *plan;

/* The update before this one has waited for a grace period in vain: this one does not wait */
static bool waited_in_vain;

typedef void (*run_func_t)(struct dyn_ftrace *rec, unsigned int n, void *data);

/*
 * Call a function for each run of records that are alike. Most records have the
 * flags of the one before them, so that their set is found once. But a record whose
 * flags do not say which tracers without an ID trace it is a run by itself.
 */
static void visit_runs(run_func_t func, void *data)
{
	struct ftrace_mux_array array = { };
	struct dyn_ftrace *rec, *first;
	unsigned long flags;

	while (ftrace_mux_next_array(&array)) {
		struct dyn_ftrace *end = array.recs + array.nr;

		for (rec = array.recs; rec < end; ) {
			first = rec++;
			flags = ftrace_mux_flags_say(plan, first) ? first->flags : ~0UL;
			while (rec < end && rec->flags == flags)
				rec++;
			func(first, rec - first, data);
		}
	}
}

static struct vote *vote_of(const struct ftrace_mux_stub *stub)
{
	return &votes[stub - ftrace_mux_stubs];
}

/* Boyer and Moore's vote: the set that has the majority is left, in any order */
static void vote_run(struct dyn_ftrace *rec, unsigned int n, void *data)
{
	struct ftrace_mux_stub *stub = ftrace_mux_stub_of(rec);
	struct vote *vote = vote_of(stub);
	unsigned int want;

	stub->count += n;
	/* A record that ftrace leaves out from now on keeps no masks */
	if (!ftrace_mux_accounted(rec)) {
		for (; n; n--, rec++)
			rec->flags &= ~FTRACE_MUX_FL_KEEP;
		return;
	}
	want = stub == ftrace_mux_stubs ? 0 : ftrace_mux_want_set(plan, rec);
	if (!want)
		return;
	if (want == vote->cand) {
		vote->votes += n;
	} else if (vote->votes >= n) {
		vote->votes -= n;
	} else {
		vote->cand = want;
		vote->votes = n - vote->votes;
	}
}

static void count_stay_run(struct dyn_ftrace *rec, unsigned int n, void *data)
{
	struct ftrace_mux_stub *stub = ftrace_mux_stub_of(rec);
	struct vote *vote = vote_of(stub);

	if (vote->cand != stub->set && ftrace_mux_accounted(rec) &&
	    ftrace_mux_want_set(plan, rec) == vote->cand)
		vote->stay += n;
}

/* Count the call sites of the stubs and let them vote. Return: does one elect another set? */
static bool let_vote(void)
{
	struct ftrace_mux_stub *stub;
	bool candidates = false;

	for (stub = ftrace_mux_stubs + 1; stub < STUBS_END; stub++) {
		*vote_of(stub) = (struct vote) { .cand = stub->set, .was = stub->count };
		stub->count = 0;
	}
	visit_runs(vote_run, NULL);
	for (stub = ftrace_mux_stubs + 1; stub < STUBS_END; stub++) {
		/* A module has gone, and its call sites with it */
		if (stub->count != vote_of(stub)->was)
			stub->left = ftrace_mux_seq;
		candidates |= vote_of(stub)->cand != stub->set;
	}
	return candidates;
}

/*
 * Is it worth pointing a stub to the set that it has elected? Yes if call sites stay.
 * But where the redirection would wait for a grace period, only if this update may
 * wait, and if it would have to patch more than PATCH_MAX call sites instead.
 */
static bool worth_redirecting(const struct ftrace_mux_stub *stub)
{
	const struct vote *vote = vote_of(stub);
	bool waits = vote->stay < stub->count || !ftrace_mux_is_clean(stub->left);

	if (waits)
		return !waited_in_vain && vote->stay > PATCH_MAX;
	return vote->stay;
}

/* Find the stubs to redirect */
static void decide(void)
{
	struct ftrace_mux_stub *stub;

	if (!let_vote())
		return;
	visit_runs(count_stay_run, NULL);
	for (stub = ftrace_mux_stubs + 1; stub < STUBS_END; stub++) {
		if (worth_redirecting(stub))
			stub->next = vote_of(stub)->cand;
	}
}

/* Give records whose stub is redirected the flags that patching their call sites would give */
static void follow(struct dyn_ftrace *rec, unsigned int n)
{
	const struct ftrace_mux_stub *stub = ftrace_mux_stub_of(rec);
	unsigned long flags = rec->flags & ~FTRACE_FL_REGS_EN;

	if (stub->set == stub->next || !ftrace_mux_accounted(rec) ||
	    ftrace_mux_want_set(plan, rec) != stub->next)
		return;
	if (flags & FTRACE_FL_REGS)
		flags |= FTRACE_FL_REGS_EN;
	if (flags & (FTRACE_FL_DIRECT | FTRACE_FL_IPMODIFY))
		flags |= FTRACE_FL_MODIFIED;
	if (flags == rec->flags)
		return;
	for (; n; n--, rec++)
		rec->flags = flags;
}

struct settle {
	DECLARE_BITMAP(needed, FTRACE_MUX_SETS);
	unsigned int	moved;
	unsigned int	idle;
};

static void settle_run(struct dyn_ftrace *rec, unsigned int n, void *data)
{
	struct settle *s = data;
	unsigned int want, stub;

	follow(rec, n);
	if (ftrace_test_record(rec, true) == FTRACE_UPDATE_IGNORE) {
		if (n > s->idle && ftrace_mux_flags_say(plan, rec)) {
			s->idle = n;
			ftrace_mux_idle_flags = rec->flags;
		}
		return;
	}
	s->moved += n;
	want = ftrace_mux_want_set(plan, rec);
	ftrace_mux_update.mask |= ftrace_mux_mask_of(want) |
				  ftrace_mux_mask_of(ftrace_mux_stub_of(rec)->set);
	if (!want || test_bit(want, s->needed))
		return;
	stub = ftrace_mux_stub_with(want);
	if (stub)
		__set_bit(stub, plan->taken);
	else
		__set_bit(want, s->needed);
}

/* Stubs for the call sites that move. Return: are there any? */
static bool settle(void)
{
	struct settle s = { };
	unsigned int needed, set;

	ftrace_mux_forget_hints();
	visit_runs(settle_run, &s);

	needed = bitmap_weight(s.needed, FTRACE_MUX_SETS);
	if (!waited_in_vain &&
	    ftrace_mux_unused(plan, true) < min(needed, ftrace_mux_unused(plan, false))) {
		ftrace_mux_wait_a_while(ftrace_mux_seq - 1);
		ftrace_mux_update.waits++;
	}
	guard(mutex)(&text_mutex);
	for_each_set_bit(set, s.needed, FTRACE_MUX_SETS)
		ftrace_mux_stub_for(plan, set);
	return s.moved;
}

/**
 * ftrace_mux_update_begin - plan an update
 * @command: what ftrace_run_update_code() is called with
 *
 * Context: ftrace_lock held, text_mutex not held, may sleep.
 * Return: what is left to do of the command.
 */
int ftrace_mux_update_begin(int command)
{
	ftrace_mux_update = (struct ftrace_mux_update) {
		.start = trace_clock_local(),
	};
	if (!(command & FTRACE_UPDATE_CALLS))
		return command;

	ftrace_mux_list_missing = false;
	/* What has changed is known to the first update only */
	plan = ftrace_mux_begin_plan(!waited_in_vain);
	decide();
	if (!settle())
		command &= ~FTRACE_UPDATE_CALLS;
	return command;
}

/* Return: false if no grace period has ended in time: no stub has been redirected */
static bool redirect(void)
{
	struct ftrace_mux_update *u = &ftrace_mux_update;
	struct ftrace_mux_stub *stub;
	unsigned long left = 0;

	for (stub = ftrace_mux_stubs + 1; stub < STUBS_END; stub++) {
		if (stub->set != stub->next) {
			u->redirects++;
			left = max(left, stub->left);
		}
	}
	if (!ftrace_mux_is_clean(left)) {
		u->waits++;
		if (!ftrace_mux_wait_a_while(left)) {
			u->redirects = 0;
			return false;
		}
	}
	if (!u->redirects)
		return true;

	guard(mutex)(&text_mutex);
	for (stub = ftrace_mux_stubs + 1; stub < STUBS_END; stub++) {
		if (stub->set == stub->next)
			continue;
		u->mask |= ftrace_mux_sets_differ(stub->set, stub->next);
		ftrace_mux_redirect(stub - ftrace_mux_stubs, stub->next);
	}
	arch_ftrace_mux_finish();
	return true;
}

/**
 * ftrace_mux_update_end - the call sites have been patched: redirect the stubs
 *
 * Not if ftrace has died meanwhile: then no call site may count on it. If the stubs
 * cannot be redirected now, a second update patches their call sites.
 *
 * Context: ftrace_lock held, text_mutex not held, may sleep.
 */
void ftrace_mux_update_end(void)
{
	struct ftrace_mux_update *u = &ftrace_mux_update;
	struct ftrace_mux_stub *stub;
	bool left = false, done;

	done = ftrace_is_dead() || redirect();
	for (stub = ftrace_mux_stubs + 1; stub < STUBS_END; stub++) {
		left |= stub->left == ftrace_mux_seq;
		stub->next = stub->set;
	}
	ftrace_mux_end_plan();
	plan = NULL;
	ftrace_mux_forget_hints();
	ftrace_mux_idle_flags = ~0UL;

	u->ns = trace_clock_local() - u->start;
	ftrace_mux_updates.sites += u->sites;
	ftrace_mux_updates.redirects += u->redirects;
	ftrace_mux_updates.waits += u->waits;
	ftrace_mux_emit_update(u);
	if (left || ftrace_mux_any_list_unused())
		ftrace_mux_next_grace();
	if (done)
		return;
	waited_in_vain = true;
	ftrace_mux_retarget();
	waited_in_vain = false;
}
