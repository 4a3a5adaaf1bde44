// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the stubs: which one a call site gets, when one may get
 * another set, and what patching a call site makes of its record.
 *
 * No call site calls the stubs that they point to sets: see mux_test_begin().
 */

#include <linux/delay.h>
#include <linux/memory.h>

#include "mux_kunit.h"

#define SET	0x1
/* Another set, which exists with any number of IDs, and what makes a record of SET want it */
#define OTHER		(0x1 | (FTRACE_MUX_REGS ?: 0x2))
#define WANT_OTHER	(FTRACE_MUX_REGS ? FTRACE_FL_REGS : 0x2UL << FTRACE_FL_MUX_FILTER_SHIFT)

#define RECORD(stub, flags_)	{ .flags = (flags_) | 1UL << FTRACE_FL_MUX_FILTER_SHIFT | \
				  (unsigned long)(stub) << FTRACE_FL_MUX_STUB_SHIFT }

/* Give a stub the set and @count call sites */
static struct ftrace_mux_stub *use(unsigned int index, unsigned int set, unsigned int count)
{
	struct ftrace_mux_stub *stub = &ftrace_mux_stubs[index];

	stub->set = set;
	stub->next = set;
	stub->count = count;
	return stub;
}

/* The stub that a call site of a module gets while it is patched */
static unsigned int stub_for(unsigned int set)
{
	guard(mutex)(&text_mutex);
	return ftrace_mux_stub_for(NULL, set);
}

/* The same in an update */
static unsigned int planned_for(struct ftrace_mux_plan *plan, unsigned int set)
{
	guard(mutex)(&text_mutex);
	return ftrace_mux_stub_for(plan, set);
}

static void stubs_with_a_set(struct kunit *test)
{
	struct mux_test_ops *t = mux_test_begin(test, 1);

	KUNIT_EXPECT_EQ(test, ftrace_mux_stub_with(SET), 0);
	use(FTRACE_MUX_STUBS, SET, 1);
	KUNIT_EXPECT_EQ(test, ftrace_mux_stub_with(SET), FTRACE_MUX_STUBS);
	KUNIT_EXPECT_EQ(test, ftrace_mux_stub_with(OTHER), 0);
	use(FTRACE_MUX_STUBS, OTHER, 1);
	KUNIT_EXPECT_EQ(test, ftrace_mux_stub_with(SET), 0);
	KUNIT_EXPECT_EQ(test, ftrace_mux_stub_with(OTHER), FTRACE_MUX_STUBS);
	mux_test_end(t, 1);
}

/* A stub with call sites is better than one without, and both are better than one to wait for */
static void stubs_best_one(struct kunit *test)
{
	struct mux_test_ops *t = mux_test_begin(test, 1);

	if (FTRACE_MUX_STUBS < 4) {
		mux_test_end(t, 1);
		kunit_skip(test, "not enough stubs are configured");
	}
	use(1, SET, 1)->left = ftrace_mux_seq;
	use(2, SET, 0);
	KUNIT_EXPECT_EQ(test, ftrace_mux_stub_with(SET), 2);
	use(3, SET, 1);
	/* The choice stays for this update */
	KUNIT_EXPECT_EQ(test, ftrace_mux_stub_with(SET), 2);
	ftrace_mux_forget_hints();
	KUNIT_EXPECT_EQ(test, ftrace_mux_stub_with(SET), 3);
	mux_test_end(t, 1);
}

/* A stub that call sites have left can be used for the set that it has, but a new one is better */
static void stubs_left(struct kunit *test)
{
	struct mux_test_ops *t = mux_test_begin(test, 1);
	unsigned int i;

	if (FTRACE_MUX_STUBS < 4) {
		mux_test_end(t, 1);
		kunit_skip(test, "not enough stubs are configured");
	}
	use(1, SET, 0)->left = ftrace_mux_seq;
	KUNIT_EXPECT_EQ(test, ftrace_mux_stub_with(SET), 0);
	for (i = 2; i <= FTRACE_MUX_STUBS; i++)
		use(i, OTHER, 1);
	KUNIT_EXPECT_EQ(test, ftrace_mux_stub_with(SET), 1);
	mux_test_end(t, 1);
}

/* No call site moves to a stub that gets another set, or this set, in the same update */
static void stubs_not_redirected(struct kunit *test)
{
	struct mux_test_ops *t = mux_test_begin(test, 1);

	use(1, SET, 1)->next = OTHER;
	KUNIT_EXPECT_EQ(test, ftrace_mux_stub_with(SET), 0);
	KUNIT_EXPECT_EQ(test, ftrace_mux_stub_with(OTHER), 0);
	use(2, SET, 1);
	KUNIT_EXPECT_EQ(test, ftrace_mux_stub_with(SET), 2);
	mux_test_end(t, 1);
}

static void stubs_pointed(struct kunit *test)
{
	struct mux_test_ops *t = mux_test_begin(test, 1);
	unsigned int stub = stub_for(SET), other;

	KUNIT_EXPECT_NE(test, stub, 0);
	KUNIT_EXPECT_EQ(test, ftrace_mux_stubs[stub].set, SET);
	KUNIT_EXPECT_EQ(test, ftrace_mux_stubs[stub].next, SET);
	KUNIT_EXPECT_TRUE(test, arch_ftrace_mux_points(stub, SET));
	KUNIT_EXPECT_FALSE(test, arch_ftrace_mux_points(stub, OTHER));

	/* The call site is patched: another set needs another stub */
	ftrace_mux_stubs[stub].count = 1;
	other = stub_for(OTHER);
	KUNIT_EXPECT_NE(test, other, 0);
	KUNIT_EXPECT_NE(test, other, stub);
	KUNIT_EXPECT_TRUE(test, arch_ftrace_mux_points(stub, SET));
	KUNIT_EXPECT_TRUE(test, arch_ftrace_mux_points(other, OTHER));
	/* All call sites that want the set get this stub */
	KUNIT_EXPECT_EQ(test, stub_for(SET), stub);
	mux_test_end(t, 1);
}

/* All stubs have call sites, or were left a moment ago: there is none for another set */
static void stubs_run_out(struct kunit *test)
{
	struct mux_test_ops *t = mux_test_begin(test, 1);
	unsigned int i;

	for (i = 1; i <= FTRACE_MUX_STUBS; i++)
		use(i, SET, 1);
	KUNIT_EXPECT_EQ(test, stub_for(OTHER), 0);
	KUNIT_EXPECT_EQ(test, ftrace_mux_unused(NULL, false), 0);

	use(FTRACE_MUX_STUBS, SET, 0)->left = ftrace_mux_seq;
	KUNIT_EXPECT_EQ(test, stub_for(OTHER), 0);
	KUNIT_EXPECT_EQ(test, ftrace_mux_unused(NULL, false), 1);
	KUNIT_EXPECT_EQ(test, ftrace_mux_unused(NULL, true), 0);
	KUNIT_EXPECT_EQ(test, ftrace_mux_grace_delay(), 1);

	ftrace_mux_wait_for_callers(ftrace_mux_seq);
	KUNIT_EXPECT_EQ(test, ftrace_mux_unused(NULL, true), 1);
	KUNIT_EXPECT_EQ(test, stub_for(OTHER), FTRACE_MUX_STUBS);
	KUNIT_EXPECT_TRUE(test, arch_ftrace_mux_points(FTRACE_MUX_STUBS, OTHER));
	mux_test_end(t, 1);
}

/* A stub whose set call sites are going to want gets no other set, and is not unused */
static void stubs_taken(struct kunit *test)
{
	struct mux_test_ops *t = mux_test_begin(test, 1);
	struct ftrace_mux_plan *plan = ftrace_mux_begin_plan(false);
	unsigned int i;

	for (i = 1; i <= FTRACE_MUX_STUBS; i++)
		use(i, SET, i > 1);
	__set_bit(1, plan->taken);
	KUNIT_EXPECT_EQ(test, ftrace_mux_unused(plan, true), 0);
	KUNIT_EXPECT_EQ(test, ftrace_mux_unused(plan, false), 0);
	KUNIT_EXPECT_EQ(test, planned_for(plan, OTHER), 0);
	ftrace_mux_end_plan();
	KUNIT_EXPECT_EQ(test, ftrace_mux_unused(NULL, true), 1);
	KUNIT_EXPECT_EQ(test, stub_for(OTHER), 1);
	mux_test_end(t, 1);
}

/* A stub that gets a set in an update is taken, though no call site calls it yet */
static void stubs_taken_by_a_set(struct kunit *test)
{
	struct mux_test_ops *t = mux_test_begin(test, 1);
	struct ftrace_mux_plan *plan = ftrace_mux_begin_plan(false);
	unsigned int stub = planned_for(plan, SET);

	KUNIT_EXPECT_NE(test, stub, 0);
	KUNIT_EXPECT_NE(test, planned_for(plan, OTHER), stub);
	KUNIT_EXPECT_EQ(test, planned_for(plan, SET), stub);
	ftrace_mux_end_plan();
	mux_test_end(t, 1);
}

/* An update looks for the stub of a set once; the next update looks again */
static void stubs_not_found_again(struct kunit *test)
{
	struct mux_test_ops *t = mux_test_begin(test, 1);
	struct ftrace_mux_plan *plan = ftrace_mux_begin_plan(false);
	unsigned int i;

	for (i = 1; i <= FTRACE_MUX_STUBS; i++)
		use(i, SET, 1);
	KUNIT_EXPECT_EQ(test, planned_for(plan, OTHER), 0);
	ftrace_mux_stubs[1].count = 0;
	KUNIT_EXPECT_EQ(test, planned_for(plan, OTHER), 0);
	ftrace_mux_end_plan();
	KUNIT_EXPECT_EQ(test, stub_for(OTHER), 1);
	mux_test_end(t, 1);
}

/* While a module is loaded, a set is not looked for again until something becomes clean */
static void stubs_looked_for_once(struct kunit *test)
{
	struct mux_test_ops *t = mux_test_begin(test, 1);
	unsigned int i;

	for (i = 1; i <= FTRACE_MUX_STUBS; i++)
		use(i, SET, 1);
	KUNIT_EXPECT_EQ(test, stub_for(OTHER), 0);
	/* A search would find this stub now */
	ftrace_mux_stubs[1].count = 0;
	KUNIT_EXPECT_EQ(test, stub_for(OTHER), 0);
	ftrace_mux_set_clean();
	KUNIT_EXPECT_EQ(test, stub_for(OTHER), 1);
	mux_test_end(t, 1);
}

/* A stub that an update has left becomes clean by the work in the background */
static void stubs_grace(struct kunit *test)
{
	struct mux_test_ops *t = mux_test_begin(test, 1);
	unsigned long left = ftrace_mux_seq;
	bool clean = ftrace_mux_is_clean(left);
	int i;

	KUNIT_EXPECT_GT(test, ftrace_mux_grace_delay(), 1);
	ftrace_mux_next_grace();
	KUNIT_EXPECT_FALSE(test, clean);
	KUNIT_EXPECT_FALSE(test, ftrace_mux_is_clean(left));
	mux_test_end(t, 1);

	for (i = 0; i < 1000 && !clean; i++) {
		msleep(20);
		scoped_guard(mutex, &ftrace_lock)
			clean = ftrace_mux_is_clean(left);
	}
	KUNIT_EXPECT_TRUE(test, clean);
}

/* Each set has a separate body: a stub that leads to one leads to no other one */
static void stubs_bodies_differ(struct kunit *test)
{
	static const unsigned int sets[] = {
		0x1, FTRACE_MUX_MASK, FTRACE_MUX_REGS | 0x1, FTRACE_MUX_REGS | FTRACE_MUX_MASK,
		FTRACE_MUX_LIST, FTRACE_MUX_SETS - 1,
	};
	struct mux_test_ops *t = mux_test_begin(test, 1);
	unsigned int i, set, found;

	for (i = 0; i < ARRAY_SIZE(sets); i++) {
		scoped_guard(mutex, &text_mutex) {
			arch_ftrace_mux_point(1, sets[i]);
			arch_ftrace_mux_finish();
		}
		for (set = 1, found = 0; set < FTRACE_MUX_SETS; set++) {
			/* Groups are in groups_kunit.c */
			if (set < FTRACE_MUX_LIST && set >= FTRACE_MUX_GROUP)
				continue;
			if (set != FTRACE_MUX_REGS && arch_ftrace_mux_points(1, set))
				found++;
		}
		KUNIT_EXPECT_TRUE(test, arch_ftrace_mux_points(1, sets[i]));
		KUNIT_EXPECT_EQ(test, found, 1);
	}
	mux_test_end(t, 1);
}

static struct kunit_case stubs_cases[] = {
	KUNIT_CASE(stubs_with_a_set),
	KUNIT_CASE(stubs_best_one),
	KUNIT_CASE(stubs_left),
	KUNIT_CASE(stubs_not_redirected),
	KUNIT_CASE(stubs_pointed),
	KUNIT_CASE(stubs_run_out),
	KUNIT_CASE(stubs_taken),
	KUNIT_CASE(stubs_taken_by_a_set),
	KUNIT_CASE(stubs_not_found_again),
	KUNIT_CASE(stubs_looked_for_once),
	KUNIT_CASE_SLOW(stubs_grace),
	KUNIT_CASE(stubs_bodies_differ),
	{ }
};

static struct kunit_suite stubs_suite = {
	.name = "ftrace_mux_stubs",
	.test_cases = stubs_cases,
};

static unsigned long addr_new(const struct dyn_ftrace *rec)
{
	guard(mutex)(&text_mutex);
	return ftrace_mux_addr_new(rec);
}

/* Patch the call site of a record, as ftrace does */
static void set_stub(struct dyn_ftrace *rec)
{
	addr_new(rec);
	ftrace_mux_set_stub(rec);
}

/* A call site gets a stub, another one, and is a nop again */
static void site_patched(struct kunit *test)
{
	struct mux_test_ops *t = mux_test_begin(test, 1);
	struct dyn_ftrace rec = RECORD(0, 1);
	unsigned int first, second;

	ftrace_mux_update = (struct ftrace_mux_update) { };
	KUNIT_EXPECT_NE(test, ftrace_mux_changed(&rec), 0);
	KUNIT_EXPECT_EQ(test, ftrace_mux_addr_curr(&rec), 0);
	set_stub(&rec);
	first = ftrace_mux_stub_index(&rec);
	KUNIT_EXPECT_EQ(test, ftrace_mux_changed(&rec), 0);
	KUNIT_EXPECT_EQ(test, ftrace_mux_stubs[first].set, SET);
	KUNIT_EXPECT_EQ(test, ftrace_mux_stubs[first].count, 1);
	KUNIT_EXPECT_EQ(test, ftrace_mux_addr_curr(&rec), arch_ftrace_mux_stub(first));
	KUNIT_EXPECT_EQ(test, addr_new(&rec), arch_ftrace_mux_stub(first));
	KUNIT_EXPECT_EQ(test, ftrace_mux_update.sites, 1);

	/* Until it is patched, the record keeps the stub that is in the text */
	rec.flags |= WANT_OTHER;
	KUNIT_EXPECT_NE(test, ftrace_mux_changed(&rec), 0);
	KUNIT_EXPECT_EQ(test, ftrace_mux_addr_curr(&rec), arch_ftrace_mux_stub(first));
	set_stub(&rec);
	second = ftrace_mux_stub_index(&rec);
	KUNIT_EXPECT_NE(test, second, first);
	KUNIT_EXPECT_EQ(test, ftrace_mux_stubs[second].set, OTHER);
	KUNIT_EXPECT_EQ(test, ftrace_mux_stubs[first].count, 0);
	KUNIT_EXPECT_EQ(test, ftrace_mux_stubs[first].left, ftrace_mux_seq);
	KUNIT_EXPECT_EQ(test, rec.flags & ~FTRACE_FL_MUX_STUB,
			1 | WANT_OTHER | 1UL << FTRACE_FL_MUX_FILTER_SHIFT);

	ftrace_mux_set_nop(&rec);
	KUNIT_EXPECT_EQ(test, ftrace_mux_stubs[second].count, 0);
	KUNIT_EXPECT_EQ(test, ftrace_mux_stubs[second].left, ftrace_mux_seq);
	KUNIT_EXPECT_EQ(test, ftrace_mux_update.sites, 3);
	mux_test_end(t, 1);
}

/* The stub is going to get the set that its call site wants: the call site stays */
static void site_stays(struct kunit *test)
{
	struct mux_test_ops *t = mux_test_begin(test, 1);
	struct dyn_ftrace rec = RECORD(1, 1 | WANT_OTHER);
	struct dyn_ftrace moves = RECORD(1, 1);
	const unsigned long flags = rec.flags;

	ftrace_mux_update = (struct ftrace_mux_update) { };
	use(1, SET, 2)->next = OTHER;
	KUNIT_EXPECT_EQ(test, ftrace_mux_changed(&rec), 0);
	KUNIT_EXPECT_EQ(test, addr_new(&rec), arch_ftrace_mux_stub(1));
	/* Also when the call site is patched for another reason */
	set_stub(&rec);
	KUNIT_EXPECT_EQ(test, rec.flags, flags);
	KUNIT_EXPECT_EQ(test, ftrace_mux_update.sites, 0);

	/* A record that wants what the stub leads to now moves */
	KUNIT_EXPECT_NE(test, ftrace_mux_changed(&moves), 0);
	set_stub(&moves);
	KUNIT_EXPECT_GT(test, ftrace_mux_stub_index(&moves), 1);
	KUNIT_EXPECT_EQ(test, ftrace_mux_stubs[1].count, 1);
	KUNIT_EXPECT_EQ(test, ftrace_mux_stubs[1].left, ftrace_mux_seq);
	mux_test_end(t, 1);
}

/* No stub is left: the call site calls ftrace_caller, and asks again in the next update */
static void site_without_stub(struct kunit *test)
{
	struct mux_test_ops *t = mux_test_begin(test, 1);
	struct dyn_ftrace rec = RECORD(0, 1);
	unsigned int i;

	for (i = 1; i <= FTRACE_MUX_STUBS; i++)
		use(i, OTHER, 1);
	KUNIT_EXPECT_EQ(test, addr_new(&rec), 0);
	set_stub(&rec);
	KUNIT_EXPECT_EQ(test, ftrace_mux_stub_index(&rec), 0);
	KUNIT_EXPECT_NE(test, ftrace_mux_changed(&rec), 0);
	mux_test_end(t, 1);
}

/* The record remembers the stub that was poked, though another one has become clean meanwhile */
static void site_decided_once(struct kunit *test)
{
	struct mux_test_ops *t = mux_test_begin(test, 1);
	struct dyn_ftrace rec = RECORD(0, 1), other = RECORD(0, 1);
	unsigned int i;

	for (i = 1; i <= FTRACE_MUX_STUBS; i++)
		use(i, OTHER, i < FTRACE_MUX_STUBS)->left = ftrace_mux_seq;
	KUNIT_EXPECT_EQ(test, addr_new(&rec), 0);
	ftrace_mux_wait_for_callers(ftrace_mux_seq);
	ftrace_mux_set_stub(&rec);
	KUNIT_EXPECT_EQ(test, ftrace_mux_addr_curr(&rec), 0);
	/* The next call site gets the stub that has become clean */
	KUNIT_EXPECT_EQ(test, addr_new(&other), arch_ftrace_mux_stub(FTRACE_MUX_STUBS));
	ftrace_mux_set_stub(&other);
	KUNIT_EXPECT_EQ(test, ftrace_mux_stub_index(&other), FTRACE_MUX_STUBS);
	/* A record that ftrace has asked no address for gets no stub */
	KUNIT_EXPECT_EQ(test, ftrace_mux_stub_index(&rec), 0);
	rec.flags |= FTRACE_FL_TRAMP;
	ftrace_mux_set_stub(&rec);
	KUNIT_EXPECT_EQ(test, ftrace_mux_stub_index(&rec), 0);
	mux_test_end(t, 1);
}

static struct kunit_case site_cases[] = {
	KUNIT_CASE(site_patched),
	KUNIT_CASE(site_stays),
	KUNIT_CASE(site_without_stub),
	KUNIT_CASE(site_decided_once),
	{ }
};

static struct kunit_suite site_suite = {
	.name = "ftrace_mux_sites",
	.test_cases = site_cases,
};

kunit_test_suites(&stubs_suite, &site_suite);
