// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the masks of a record: what the hashes of a tracer say of a
 * function, what that makes of the masks, and which caller they ask for.
 *
 * The records are made by hand, no call site belongs to them.
 */

#include "mux_kunit.h"

/* A function that is in the hashes of the tests, and one that is in none */
#define IP		0x1000UL
#define OTHER_IP	0x2000UL

#define MASKS_OF(f, n, p)	((unsigned long)(f) << FTRACE_FL_MUX_FILTER_SHIFT | \
				 (unsigned long)(n) << FTRACE_FL_MUX_NOTRACE_SHIFT | \
				 (unsigned long)(p) << FTRACE_FL_MUX_PATCHED_SHIFT)

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

/* Nothing but functions of a module that is not loaded: not the same as empty */
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
	/* A notrace that the filter does not select has no bit */
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
	const unsigned long others = REC_FLAGS | MASKS_OF(0xfb, 0x83, 0xff);
	struct dyn_ftrace rec = { .flags = others };

	ftrace_mux_account(&ops, &rec, true, false, true);
	KUNIT_EXPECT_EQ(test, rec.flags, others | MASKS_OF(0x04, 0x04, 0));
	/* The notrace filter lets it go */
	ftrace_mux_account(&ops, &rec, true, true, true);
	KUNIT_EXPECT_EQ(test, rec.flags, others | MASKS_OF(0x04, 0, 0));
	/* A change that is about another function */
	ftrace_mux_account(&ops, &rec, false, false, false);
	KUNIT_EXPECT_EQ(test, rec.flags, others | MASKS_OF(0x04, 0, 0));
	ftrace_mux_account(&ops, &rec, true, true, false);
	KUNIT_EXPECT_EQ(test, rec.flags, others);
}

static struct kunit_case account_cases[] = {
	KUNIT_CASE(account_new_record),
	KUNIT_CASE(account_without_id),
	KUNIT_CASE(account_keeps_the_rest),
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

static const struct want_param want_params[] = {
	{ "nobody", 0, 0, 0, 0 },
	{ "all of them excluded", 0x3, 0x3, 0, 0 },
	{ "one, with a trampoline", 0x1, 0, 1 | FTRACE_FL_TRAMP, 0 },
	{ "one, without a trampoline", 0x2, 0, 1, 0x2 },
	{ "a direct call", 0, 0, 1 | FTRACE_FL_DIRECT, 0 },
	{ "a direct call and one", 0x1, 0, 2 | FTRACE_FL_DIRECT, 0x1 | FTRACE_MUX_LANE },
	{ "two", 0x3, 0, 2, 0x3 },
	{ "two, with registers", 0x3, 0, 2 | FTRACE_FL_REGS, 0x3 },
	{ "two and an excluded one", 0x7, 0x2, 2, 0x5 },
	{ "a member of the lane", 0, 0, 1, FTRACE_MUX_LANE },
	{ "two members of the lane", 0, 0, 2, FTRACE_MUX_LANE },
	{ "one and the lane", 0x4, 0, 2, 0x4 | FTRACE_MUX_LANE },
	{ "an excluded one and the lane", 0x4, 0x4, 1, FTRACE_MUX_LANE },
	{ "every ID", FTRACE_MUX_LANE - 1, 0, FTRACE_MUX_IDS, FTRACE_MUX_LANE - 1 },
	{ "every ID and the lane", FTRACE_MUX_LANE - 1, 0, FTRACE_MUX_IDS + 2,
	  2 * FTRACE_MUX_LANE - 1 },
};

KUNIT_ARRAY_PARAM_DESC(want, want_params, name);

static void caller_wanted(struct kunit *test)
{
	const struct want_param *p = test->param_value;
	struct dyn_ftrace rec = { .flags = p->flags | MASKS_OF(p->filter, p->excluded, 0) };

	if (p->filter >= FTRACE_MUX_LANE)
		kunit_skip(test, "so many IDs are not configured");

	KUNIT_EXPECT_EQ(test, ftrace_mux_want(&rec), p->want);
	KUNIT_EXPECT_EQ(test, !ftrace_mux_changed(&rec), !p->want);
	KUNIT_EXPECT_EQ(test, !ftrace_mux_addr_new(&rec), !p->want);
	if (p->want) {
		bool regs = p->flags & FTRACE_FL_REGS;

		KUNIT_EXPECT_EQ(test, ftrace_mux_addr_new(&rec),
				arch_ftrace_mux_caller(p->want, regs));
	}
}

/* Patching a record and its way back; the update belongs to whoever holds ftrace_lock */
static void caller_patched(struct kunit *test)
{
	struct dyn_ftrace rec = { .flags = 2 | MASKS_OF(0x1, 0, 0) };
	const unsigned int mask = 0x1 | FTRACE_MUX_LANE;

	guard(mutex)(&ftrace_lock);

	ftrace_mux_update = (struct ftrace_mux_update) { };
	KUNIT_EXPECT_NE(test, ftrace_mux_changed(&rec), 0);
	ftrace_mux_set_patched(&rec);
	KUNIT_EXPECT_EQ(test, rec.flags, 2 | MASKS_OF(0x1, 0, mask));
	KUNIT_EXPECT_EQ(test, ftrace_mux_changed(&rec), 0);
	KUNIT_EXPECT_EQ(test, ftrace_mux_update.sites, 1);
	KUNIT_EXPECT_EQ(test, ftrace_mux_update.mask, mask);

	/* The member of the lane leaves; then all do */
	rec.flags--;
	KUNIT_EXPECT_NE(test, ftrace_mux_changed(&rec), 0);
	ftrace_mux_set_patched(&rec);
	KUNIT_EXPECT_EQ(test, rec.flags, 1 | MASKS_OF(0x1, 0, 0x1));
	rec.flags = MASKS_OF(0, 0, 0x1);
	ftrace_mux_update = (struct ftrace_mux_update) { };
	ftrace_mux_set_nop(&rec);
	KUNIT_EXPECT_EQ(test, ftrace_mux_update.sites, 1);
	KUNIT_EXPECT_EQ(test, ftrace_mux_update.mask, 0x1);
}

/* What is wanted goes by FTRACE_FL_REGS, what is in the text by FTRACE_FL_REGS_EN */
static void caller_flavours(struct kunit *test)
{
	const unsigned int mask = 0x1 | FTRACE_MUX_LANE;
	const unsigned long args = arch_ftrace_mux_caller(mask, false);
	const unsigned long regs = arch_ftrace_mux_caller(mask, true);
	struct dyn_ftrace rec = { .flags = 2 | MASKS_OF(0x1, 0, mask) };

	KUNIT_EXPECT_NE(test, args, regs);
	rec.flags |= FTRACE_FL_REGS;
	KUNIT_EXPECT_EQ(test, ftrace_mux_addr_new(&rec), regs);
	KUNIT_EXPECT_EQ(test, ftrace_mux_addr_curr(&rec), args);
	rec.flags ^= FTRACE_FL_REGS | FTRACE_FL_REGS_EN;
	KUNIT_EXPECT_EQ(test, ftrace_mux_addr_new(&rec), args);
	KUNIT_EXPECT_EQ(test, ftrace_mux_addr_curr(&rec), regs);
	rec.flags &= ~FTRACE_FL_MUX_PATCHED;
	KUNIT_EXPECT_EQ(test, ftrace_mux_addr_curr(&rec), 0);
}

/* Each set of IDs and each flavour has a caller of its own */
static void callers_differ(struct kunit *test)
{
	const int masks = BIT(FTRACE_MUX_BITS) - 1, n = 2 * masks;
	unsigned long *addr = kunit_kcalloc(test, n, sizeof(*addr), GFP_KERNEL);
	int i, k, same = 0;

	KUNIT_ASSERT_NOT_NULL(test, addr);
	for (i = 0; i < n; i++) {
		addr[i] = arch_ftrace_mux_caller(i % masks + 1, i >= masks);
		for (k = 0; k < i; k++)
			same += addr[k] == addr[i];
	}
	KUNIT_EXPECT_EQ(test, same, 0);
}

static struct kunit_case caller_cases[] = {
	KUNIT_CASE_PARAM(caller_wanted, want_gen_params),
	KUNIT_CASE(caller_patched),
	KUNIT_CASE(caller_flavours),
	KUNIT_CASE(callers_differ),
	{ }
};

static struct kunit_suite caller_suite = {
	.name = "ftrace_mux_callers",
	.test_cases = caller_cases,
};

kunit_test_suites(&hash_suite, &account_suite, &caller_suite);
