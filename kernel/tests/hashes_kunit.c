// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the masks of a record: what the hashes of a tracer say of a
 * function, what that makes of the masks, and which set they ask for.
 *
 * The records are made by hand, no call site belongs to them.
 */

#include "mux_kunit.h"

/* A function that is in the hashes of the tests, and one that is in none */
#define IP		0x1000UL
#define OTHER_IP	0x2000UL

#define MASKS_OF(f, n, p)	((unsigned long)(f) << FTRACE_FL_MUX_FILTER_SHIFT | \
				 (unsigned long)(n) << FTRACE_FL_MUX_NOTRACE_SHIFT | \
				 (unsigned long)(p) << FTRACE_FL_MUX_STUB_SHIFT)

/* What ftrace keeps in a record: it has to survive all changes of the masks */
#define REC_FLAGS	(FTRACE_FL_ENABLED | FTRACE_FL_REGS | 5)

static bool traces(struct mux_test_ops *t, unsigned long ip)
{
	guard(mutex)(&ftrace_lock);
	return ftrace_mux_ops_traces(&t->ops, ip);
}

static void hash_empty_filter_selects_all(struct kunit *test)
{
	struct mux_test_ops *t = mux_test_alloc(test, 1);

	KUNIT_EXPECT_TRUE(test, traces(t, IP));
	RCU_INIT_POINTER(t->ops.local_hash.filter_hash, NULL);
	RCU_INIT_POINTER(t->ops.local_hash.notrace_hash, NULL);
	KUNIT_EXPECT_TRUE(test, traces(t, IP));
}

static void hash_filter_selects_its_own(struct kunit *test)
{
	struct mux_test_ops *t = mux_test_alloc(test, 1);

	mux_test_add(&t->filter, IP);
	KUNIT_EXPECT_TRUE(test, traces(t, IP));
	KUNIT_EXPECT_FALSE(test, traces(t, OTHER_IP));
}

static void hash_notrace_takes_away(struct kunit *test)
{
	struct mux_test_ops *t = mux_test_alloc(test, 1);

	mux_test_add(&t->excluded, IP);
	KUNIT_EXPECT_FALSE(test, traces(t, IP));
	KUNIT_EXPECT_TRUE(test, traces(t, OTHER_IP));
}

static void hash_notrace_wins(struct kunit *test)
{
	struct mux_test_ops *t = mux_test_alloc(test, 1);

	mux_test_add(&t->filter, IP);
	mux_test_add(&t->filter, OTHER_IP);
	mux_test_add(&t->excluded, IP);
	KUNIT_EXPECT_FALSE(test, traces(t, IP));
	KUNIT_EXPECT_TRUE(test, traces(t, OTHER_IP));
}

/* A filter with only functions of a module that is not loaded is not an empty one */
static void hash_waits_for_module(struct kunit *test)
{
	struct mux_test_ops *t = mux_test_alloc(test, 1);

	t->filter.hash.flags |= FTRACE_HASH_FL_MOD;
	KUNIT_EXPECT_FALSE(test, traces(t, IP));
}

static struct kunit_case hash_cases[] = {
	KUNIT_CASE(hash_empty_filter_selects_all),
	KUNIT_CASE(hash_filter_selects_its_own),
	KUNIT_CASE(hash_notrace_takes_away),
	KUNIT_CASE(hash_notrace_wins),
	KUNIT_CASE(hash_waits_for_module),
	{ }
};

static struct kunit_suite hash_suite = {
	.name = "ftrace_mux_hashes",
	.test_cases = hash_cases,
};

/* The flags of a new record of the function @ip, with an ops that has the ID @id */
static unsigned long account_new(struct mux_test_ops *t, unsigned long ip, int id)
{
	struct dyn_ftrace rec = { .ip = ip, .flags = REC_FLAGS };

	guard(mutex)(&ftrace_lock);
	t->ops.mux_id = id + 1;
	ftrace_mux_account_new(&t->ops, &rec);
	return rec.flags;
}

static void account_new_record(struct kunit *test)
{
	struct mux_test_ops *t = mux_test_alloc(test, 1);

	mux_test_add(&t->filter, IP);
	KUNIT_EXPECT_EQ(test, account_new(t, IP, 0), REC_FLAGS | MASKS_OF(0x01, 0, 0));
	KUNIT_EXPECT_EQ(test, account_new(t, IP, 6), REC_FLAGS | MASKS_OF(0x40, 0, 0));
	KUNIT_EXPECT_EQ(test, account_new(t, OTHER_IP, 0), REC_FLAGS);

	mux_test_add(&t->excluded, IP);
	KUNIT_EXPECT_EQ(test, account_new(t, IP, 6), REC_FLAGS | MASKS_OF(0x40, 0x40, 0));
	/* A function that the filter does not select gets no bit for the notrace hash */
	mux_test_add(&t->excluded, OTHER_IP);
	KUNIT_EXPECT_EQ(test, account_new(t, OTHER_IP, 6), REC_FLAGS);
}

static void account_without_id(struct kunit *test)
{
	struct mux_test_ops *t = mux_test_alloc(test, 1);

	KUNIT_EXPECT_EQ(test, account_new(t, IP, -1), REC_FLAGS);
}

static void account_keeps_the_rest(struct kunit *test)
{
	struct ftrace_ops ops = { .mux_id = 3 };
	const unsigned long others = REC_FLAGS | MASKS_OF(0xfb, 0x83, 0xffff);
	struct dyn_ftrace rec = { .flags = others };

	ftrace_mux_account(&ops, &rec, true, false, true);
	KUNIT_EXPECT_EQ(test, rec.flags, others | MASKS_OF(0x04, 0x04, 0));
	/* The notrace hash no longer has the function */
	ftrace_mux_account(&ops, &rec, true, true, true);
	KUNIT_EXPECT_EQ(test, rec.flags, others | MASKS_OF(0x04, 0, 0));
	/* A change of another function changes nothing here */
	ftrace_mux_account(&ops, &rec, false, false, false);
	KUNIT_EXPECT_EQ(test, rec.flags, others | MASKS_OF(0x04, 0, 0));
	ftrace_mux_account(&ops, &rec, true, true, false);
	KUNIT_EXPECT_EQ(test, rec.flags, others);
}

/* Records with the same flags get what the one before them got */
static void memo_recalls(struct kunit *test)
{
	struct dyn_ftrace rec = { .flags = 1 | MASKS_OF(0x1, 0, 3) };
	struct dyn_ftrace same = rec, other = { .flags = 1 | MASKS_OF(0x1, 0, 4) };
	const unsigned long flags = 2 | MASKS_OF(0x3, 0, 3);
	struct ftrace_ops ops = { .mux_id = 2 };
	struct ftrace_mux_memo memo = { };

	KUNIT_EXPECT_FALSE(test, ftrace_mux_recall(&memo, &rec));
	rec.flags = flags;
	ftrace_mux_remember(&memo, &ops, &rec, true, true);
	KUNIT_EXPECT_TRUE(test, ftrace_mux_recall(&memo, &same));
	KUNIT_EXPECT_EQ(test, same.flags, flags);
	KUNIT_EXPECT_FALSE(test, ftrace_mux_recall(&memo, &other));
	KUNIT_EXPECT_EQ(test, other.flags, 1 | MASKS_OF(0x1, 0, 4));
}

struct memo_param {
	const char	*name;
	unsigned long	ops_flags;
	unsigned long	count;		/* after the change */
	bool		all;
	bool		inc;
	bool		valid;
	unsigned int	without_id;
};

static const struct memo_param memo_params[] = {
	{ "the first comes", 0, 1, true, true, true },
	{ "with registers", FTRACE_OPS_FL_SAVE_REGS, 2, true, true, true },
	{ "the hashes are asked", 0, 1, false, true, false },
	{ "the third goes", 0, 2, true, false, true },
	{ "the last goes", 0, 0, true, false, true },
	{ "the second goes", 0, 1, true, false, true },
	/* Has the one that is left a trampoline? Has another one asked for registers? */
	{ "the second goes, one has no ID", 0, 1, true, false, false, 1 },
	{ "the third goes, one has no ID", 0, 2, true, false, true, 1 },
	{ "the third goes, with registers", FTRACE_OPS_FL_SAVE_REGS, 2, true, false, false },
};

KUNIT_ARRAY_PARAM_DESC(memo, memo_params, name);

static void memo_valid(struct kunit *test)
{
	const struct memo_param *p = test->param_value;
	struct ftrace_ops ops = { .flags = p->ops_flags };
	struct dyn_ftrace rec = { .flags = 7 }, same = rec;
	struct ftrace_mux_memo memo = { };

	ftrace_mux_recall(&memo, &rec);
	rec.flags = p->count;
	scoped_guard(mutex, &ftrace_lock) {
		unsigned int without_id = ftrace_mux_without_id;

		ftrace_mux_without_id = p->without_id;
		ftrace_mux_remember(&memo, &ops, &rec, p->all, p->inc);
		ftrace_mux_without_id = without_id;
	}
	KUNIT_EXPECT_EQ(test, ftrace_mux_recall(&memo, &same), p->valid);
	KUNIT_EXPECT_EQ(test, same.flags, p->valid ? p->count : 7);
}

static struct kunit_case account_cases[] = {
	KUNIT_CASE(account_new_record),
	KUNIT_CASE(account_without_id),
	KUNIT_CASE(account_keeps_the_rest),
	KUNIT_CASE(memo_recalls),
	KUNIT_CASE_PARAM(memo_valid, memo_gen_params),
	{ }
};

static struct kunit_suite account_suite = {
	.name = "ftrace_mux_account",
	.test_cases = account_cases,
};

struct want_param {
	const char	*name;
	unsigned int	filter;
	unsigned int	excluded;
	unsigned long	flags;		/* and the reference count */
	unsigned int	want;
};

#define EVERY_ID	FTRACE_MUX_MASK

static const struct want_param want_params[] = {
	{ "nobody", 0, 0, 0, 0 },
	{ "all of them excluded", 0x3, 0x3, 0, 0 },
	{ "one", 0x2, 0, 1, 0x2 },
	{ "one, with registers", 0x2, 0, 1 | FTRACE_FL_REGS, 0x2 | FTRACE_MUX_REGS },
	{ "a trampoline", 0, 0, 1 | FTRACE_FL_TRAMP, 0 },
	{ "a trampoline, one excluded", 0x1, 0x1, 1 | FTRACE_FL_TRAMP, 0 },
	{ "a direct call", 0, 0, 1 | FTRACE_FL_DIRECT, 0 },
	{ "two", 0x3, 0, 2, 0x3 },
	{ "two, with registers", 0x3, 0, 2 | FTRACE_FL_REGS, 0x3 | FTRACE_MUX_REGS },
	{ "two and an excluded one", 0x7, 0x2, 2, 0x5 },
	{ "two that may change the ip", 0x3, 0, 2 | FTRACE_FL_IPMODIFY, 0x3 },
	{ "every ID", EVERY_ID, 0, FTRACE_MUX_IDS, EVERY_ID },
	{ "every ID, with registers", EVERY_ID, 0, FTRACE_MUX_IDS | FTRACE_FL_REGS,
	  EVERY_ID | FTRACE_MUX_REGS },
};

KUNIT_ARRAY_PARAM_DESC(want, want_params, name);

/* members_kunit.c has the sets of records that an ops without an ID traces */
static void set_wanted(struct kunit *test)
{
	const struct want_param *p = test->param_value;
	struct dyn_ftrace rec = { .flags = p->flags | MASKS_OF(p->filter, p->excluded, 0) };

	if (p->filter > EVERY_ID)
		kunit_skip(test, "not enough IDs are configured");

	guard(mutex)(&ftrace_lock);
	KUNIT_EXPECT_FALSE(test, ftrace_mux_wants_list(&rec));
	KUNIT_EXPECT_EQ(test, ftrace_mux_want_set(NULL, &rec), p->want);
	KUNIT_EXPECT_EQ(test, !ftrace_mux_changed(&rec), !p->want);
	if (p->want) {
		KUNIT_EXPECT_EQ(test, ftrace_mux_mask_of(p->want), p->filter & ~p->excluded);
		KUNIT_EXPECT_EQ(test, ftrace_mux_regs_of(p->want),
				FTRACE_MUX_REGS && p->flags & FTRACE_FL_REGS);
		KUNIT_EXPECT_NULL(test, ftrace_mux_list_of(p->want));
	}
}

static struct kunit_case set_cases[] = {
	KUNIT_CASE_PARAM(set_wanted, want_gen_params),
	{ }
};

static struct kunit_suite set_suite = {
	.name = "ftrace_mux_masks",
	.test_cases = set_cases,
};

kunit_test_suites(&hash_suite, &account_suite, &set_suite);
