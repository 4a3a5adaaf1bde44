// SPDX-License-Identifier: GPL-2.0
/*
 * The plan of an update: which stubs are pointed to another set, so that the
 * call sites that call them stay as they are. A part of glue.c and so of
 * kernel/trace/ftrace.c.
 *
 *   vote      which set do most call sites of each stub want?
 *   decide    is it worth pointing the stub to it?
 *   settle    which sets do the other call sites want? Stubs for them
 *   (ftrace patches the call sites that move)
 *   redirect  point the stubs
 *
 * A call site moves to a stub that keeps its set. So a tracer whose filter
 * stays sees each call once: all call sites of a stub that is redirected had
 * it in their set, or not, and have it in the next, or not. For the tracer that
 * changes, no call may be on its way through a stub that its call site has left:
 * the redirection waits for a grace period if any call site has left that stub
 * since the last one.
 */

/* Protected by ftrace_lock, as the update is */
struct ftrace_mux_update ftrace_mux_update;
struct ftrace_mux_update ftrace_mux_updates;

/* The flags of the most records that are not patched; no flags outside of an update */
static unsigned long mux_idle_flags = ~0UL;

/* Patch up to this many call sites rather than wait for a grace period */
#define MUX_PATCH_MAX	2048

#define MUX_STUBS_END	(ftrace_mux_stubs + FTRACE_MUX_STUBS + 1)

typedef void (*mux_run_func_t)(struct dyn_ftrace *rec, unsigned int n, void *data);

/*
 * Call a function for each run of records that are alike. Most records have the
 * flags of the one before them, and what the flags mean is found out once. Not
 * where tracers without an ID trace it: the flags do not say which.
 */
static void mux_visit_runs(mux_run_func_t func, void *data)
{
	struct dyn_ftrace *rec, *first = NULL;
	unsigned long flags = ~0UL;
	struct ftrace_page *pg;
	unsigned int n = 0;

	do_for_each_ftrace_rec(pg, rec) {
		/* A run is a part of an array */
		if (rec->flags == flags && rec != pg->records) {
			n++;
			continue;
		}
		if (first)
			func(first, n, data);
		first = rec;
		flags = ftrace_mux_wants_list(rec) ? ~0UL : rec->flags;
		n = 1;
	} while_for_each_ftrace_rec();
	if (first)
		func(first, n, data);
}

/* Boyer and Moore's vote: who has the majority is left, whatever the order */
static void mux_vote(struct dyn_ftrace *rec, unsigned int n, void *data)
{
	struct ftrace_mux_stub *stub = ftrace_mux_stub_of(rec);
	unsigned int want;

	stub->count += n;
	/* What ftrace leaves out from now on keeps no masks */
	if (skip_record(rec)) {
		for (; n; n--, rec++)
			rec->flags &= ~FTRACE_MUX_FL_KEEP;
		return;
	}
	want = stub == ftrace_mux_stubs ? 0 : ftrace_mux_want_set(rec);
	if (!want)
		return;
	if (want == stub->cand) {
		stub->votes += n;
	} else if (stub->votes >= n) {
		stub->votes -= n;
	} else {
		stub->cand = want;
		stub->votes = n - stub->votes;
	}
}

static void mux_count_stay(struct dyn_ftrace *rec, unsigned int n, void *data)
{
	struct ftrace_mux_stub *stub = ftrace_mux_stub_of(rec);

	if (stub->cand != stub->set && !skip_record(rec) && ftrace_mux_want_set(rec) == stub->cand)
		stub->stay += n;
}

/* Find the stubs to redirect */
static void mux_decide(void)
{
	struct ftrace_mux_stub *stub;
	bool candidates = false;

	for (stub = ftrace_mux_stubs + 1; stub < MUX_STUBS_END; stub++) {
		stub->was = stub->count;
		stub->count = 0;
		stub->votes = 0;
		stub->stay = 0;
		stub->cand = stub->set;
	}
	mux_visit_runs(mux_vote, NULL);
	for (stub = ftrace_mux_stubs + 1; stub < MUX_STUBS_END; stub++) {
		/* A module has gone, and its call sites with it */
		if (stub->count != stub->was)
			stub->left = ftrace_mux_seq;
		candidates |= stub->cand != stub->set;
	}
	if (!candidates)
		return;

	mux_visit_runs(mux_count_stay, NULL);
	for (stub = ftrace_mux_stubs + 1; stub < MUX_STUBS_END; stub++) {
		bool waits = stub->stay < stub->count || !ftrace_mux_is_clean(stub->left);

		if (stub->stay && (!waits || stub->stay > MUX_PATCH_MAX))
			stub->next = stub->cand;
	}
}

/* What patching a call site would say of its record, if its stub is redirected instead */
static void mux_follow(struct dyn_ftrace *rec, unsigned int n)
{
	const struct ftrace_mux_stub *stub = ftrace_mux_stub_of(rec);
	unsigned long flags = rec->flags & ~FTRACE_FL_REGS_EN;

	if (stub->set == stub->next || skip_record(rec) || ftrace_mux_want_set(rec) != stub->next)
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

struct mux_settle {
	DECLARE_BITMAP(needed, FTRACE_MUX_SETS);
	unsigned int	moved;
	unsigned int	idle;
};

static void mux_settle_run(struct dyn_ftrace *rec, unsigned int n, void *data)
{
	struct mux_settle *s = data;
	unsigned int want, stub;

	mux_follow(rec, n);
	if (ftrace_test_record(rec, true) == FTRACE_UPDATE_IGNORE) {
		if (n > s->idle && !ftrace_mux_wants_list(rec)) {
			s->idle = n;
			mux_idle_flags = rec->flags;
		}
		return;
	}
	s->moved += n;
	want = ftrace_mux_want_set(rec);
	ftrace_mux_update.mask |= ftrace_mux_set_mask(want) |
				  ftrace_mux_set_mask(ftrace_mux_stub_of(rec)->set);
	if (!want || test_bit(want, s->needed))
		return;
	stub = ftrace_mux_stub_with(want);
	if (stub)
		ftrace_mux_stubs[stub].taken = true;
	else
		__set_bit(want, s->needed);
}

/**
 * ftrace_mux_skip_idle - pass over records that need not be looked at
 * @iter: what ftrace_replace_code() visits the records with; it may have to leave
 * alone the one that it gets, too
 *
 * Context: ftrace_lock held.
 */
void ftrace_mux_skip_idle(struct ftrace_rec_iter *iter)
{
	const struct ftrace_page *pg = iter->pg;

	while (iter->index + 1 < pg->index && pg->records[iter->index].flags == mux_idle_flags)
		iter->index++;
}

/* Stubs for the call sites that move. Return: are there any? */
static bool mux_settle(void)
{
	struct mux_settle s = { };
	unsigned int needed, set;

	ftrace_mux_forget_hints();
	mux_visit_runs(mux_settle_run, &s);

	needed = bitmap_weight(s.needed, FTRACE_MUX_SETS);
	if (ftrace_mux_unused(true) < min(needed, ftrace_mux_unused(false))) {
		ftrace_mux_wait_for_callers(ftrace_mux_seq - 1);
		ftrace_mux_update.waits++;
	}
	guard(mutex)(&text_mutex);
	for_each_set_bit(set, s.needed, FTRACE_MUX_SETS)
		ftrace_mux_stub_for(set);
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
	ftrace_mux_prepare_members();
	mux_decide();
	if (!mux_settle())
		command &= ~FTRACE_UPDATE_CALLS;
	return command;
}

static void mux_redirect(void)
{
	struct ftrace_mux_update *u = &ftrace_mux_update;
	struct ftrace_mux_stub *stub;
	unsigned long left = 0;

	for (stub = ftrace_mux_stubs + 1; stub < MUX_STUBS_END; stub++) {
		if (stub->set != stub->next) {
			u->redirects++;
			left = max(left, stub->left);
		}
	}
	if (!ftrace_mux_is_clean(left)) {
		ftrace_mux_wait_for_callers(left);
		u->waits++;
	}
	if (!u->redirects)
		return;

	guard(mutex)(&text_mutex);
	for (stub = ftrace_mux_stubs + 1; stub < MUX_STUBS_END; stub++) {
		if (stub->set == stub->next)
			continue;
		u->mask |= ftrace_mux_sets_differ(stub->set, stub->next);
		ftrace_mux_redirect(stub - ftrace_mux_stubs, stub->next);
	}
	arch_ftrace_mux_finish();
}

/**
 * ftrace_mux_update_end - the call sites have been patched: redirect the stubs
 *
 * Not if ftrace has died meanwhile: then no call site may count on it.
 *
 * Context: ftrace_lock held, text_mutex not held, may sleep.
 */
void ftrace_mux_update_end(void)
{
	struct ftrace_mux_update *u = &ftrace_mux_update;
	struct ftrace_mux_stub *stub;
	bool left = false;

	if (!ftrace_disabled)
		mux_redirect();
	for (stub = ftrace_mux_stubs + 1; stub < MUX_STUBS_END; stub++) {
		left |= stub->left == ftrace_mux_seq;
		stub->taken = false;
		stub->next = stub->set;
	}
	ftrace_mux_forget_members();
	ftrace_mux_forget_hints();
	mux_idle_flags = ~0UL;

	u->ns = trace_clock_local() - u->start;
	ftrace_mux_updates.sites += u->sites;
	ftrace_mux_updates.redirects += u->redirects;
	ftrace_mux_updates.waits += u->waits;
	ftrace_mux_emit_update();
	if (left || ftrace_mux_lists_left())
		ftrace_mux_next_grace();
}

/**
 * ftrace_mux_retarget - find the sets again, though no ops has another hash
 *
 * Context: ftrace_lock held, text_mutex not held, may sleep.
 */
void ftrace_mux_retarget(void)
{
	if (ftrace_enabled && !ftrace_disabled)
		ftrace_run_update_code(FTRACE_UPDATE_CALLS);
}
