// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of lists.c: which sets share a list, what a list calls, and when it is
 * freed.
 *
 * No call site leads to a list that they make: see mux_test_begin().
 */

#include <linux/memory.h>

#include "mux_kunit.h"

#define NR_OPS	4
#define IP	0x1000UL

static struct mux_test_ops *sets_begin(struct kunit *test)
{
	return mux_test_begin(test, NR_OPS);
}

static void sets_end(struct mux_test_ops *t)
{
	mux_test_end(t, NR_OPS);
}

/* The set of the list of these members, which is made if there is none */
static unsigned int set_of(unsigned int mask, bool regs,
			   const struct ftrace_mux_member *members, unsigned int nr)
{
	return ftrace_mux_find_list(mask, regs, members, nr) ?:
	       ftrace_mux_make_list(mask, regs, members, nr);
}

/* The set of the first @nr of @t, of which those in @mask have an ID */
static unsigned int list_of(struct mux_test_ops *t, unsigned int mask, bool regs, unsigned int nr)
{
	struct ftrace_mux_member members[NR_OPS] = { };
	unsigned int i;

	for (i = 0; i < nr; i++) {
		members[i].ops = &t[i].ops;
		members[i].func = t[i].ops.func;
	}
	return set_of(mask, regs, members, nr);
}

static void call(unsigned int set)
{
	ftrace_mux_list_func(IP, 0, ftrace_mux_list_of(set), NULL);
}

static void expect_calls(struct kunit *test, struct mux_test_ops *t, int a, int b, int c)
{
	KUNIT_EXPECT_EQ(test, t[0].calls, a);
	KUNIT_EXPECT_EQ(test, t[1].calls, b);
	KUNIT_EXPECT_EQ(test, t[2].calls, c);
}

static void list_says_who(struct kunit *test)
{
	struct mux_test_ops *t = sets_begin(test);
	unsigned int set = list_of(t, 0x1, true, 2);

	KUNIT_EXPECT_GE(test, set, FTRACE_MUX_LIST);
	KUNIT_EXPECT_LT(test, set, FTRACE_MUX_SETS);
	KUNIT_EXPECT_EQ(test, ftrace_mux_mask_of(set), 0x1);
	KUNIT_EXPECT_TRUE(test, ftrace_mux_regs_of(set));
	KUNIT_EXPECT_FALSE(test, ftrace_mux_regs_of(list_of(t, 0x1, false, 2)));
	sets_end(t);
}

static void list_calls_its_members(struct kunit *test)
{
	struct mux_test_ops *t = sets_begin(test);

	call(list_of(t, 0, false, 2));
	expect_calls(test, t, 1, 1, 0);
	call(list_of(t, 0, false, 3));
	expect_calls(test, t, 2, 2, 1);
	sets_end(t);
}

static void called_by_thousands(unsigned long ip, unsigned long parent_ip,
				struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	container_of(ops, struct mux_test_ops, ops)->calls += 1000;
}

/* A pid filter changes the function of an ops while its call sites are patched */
static void list_follows_the_function(struct kunit *test)
{
	struct mux_test_ops *t = sets_begin(test);
	unsigned int two = list_of(t, 0, false, 2), three = list_of(t, 0, false, 3);

	t[1].ops.func = called_by_thousands;
	KUNIT_EXPECT_FALSE(test, ftrace_mux_update_func(&t[1].ops));
	call(two);
	expect_calls(test, t, 1, 1000, 0);
	call(three);
	expect_calls(test, t, 2, 2000, 1);
	/* Call sites that want the set from now on get the same list */
	KUNIT_EXPECT_EQ(test, list_of(t, 0, false, 2), two);
	sets_end(t);
}

static void list_is_shared(struct kunit *test)
{
	struct mux_test_ops *t = sets_begin(test);
	unsigned int set = list_of(t, 0x1, false, 2);

	KUNIT_EXPECT_NE(test, list_of(t, 0x1, true, 2), set);
	KUNIT_EXPECT_NE(test, list_of(t, 0x2, false, 2), set);
	KUNIT_EXPECT_NE(test, list_of(t, 0x1, false, 1), set);
	KUNIT_EXPECT_NE(test, list_of(t, 0x1, false, 3), set);
	KUNIT_EXPECT_NE(test, list_of(t + 1, 0x1, false, 2), set);
	KUNIT_EXPECT_EQ(test, list_of(t, 0x1, false, 2), set);
	sets_end(t);
}

/* In the place of an ops stand the users of function graph, as a bitmap */
static void list_has_a_bitmap(struct kunit *test)
{
	struct mux_test_ops *t = sets_begin(test);
	struct ftrace_mux_member members[] = {
		{ .ops = &t->ops, .func = ftrace_stub },
		{ .bitmap = 0x9, .is_bitmap = true, .func = ftrace_stub },
	};
	unsigned int set = set_of(0x1, false, members, 2);
	unsigned int without = list_of(t, 0x1, false, 1);

	KUNIT_EXPECT_EQ(test, ftrace_mux_list_of(set)->graph, 0x9);
	KUNIT_EXPECT_EQ(test, ftrace_mux_list_of(without)->graph, 0);
	KUNIT_EXPECT_EQ(test, ftrace_mux_sets_differ(set, without), ftrace_mux_graph_mask());
	KUNIT_EXPECT_EQ(test, set_of(0x1, false, members, 2), set);
	members[1].bitmap = 0x8;
	KUNIT_EXPECT_NE(test, set_of(0x1, false, members, 2), set);
	sets_end(t);
}

/* The memory of a freed ops may become another ops, which is not in the old list */
static void list_is_gone_with_a_member(struct kunit *test)
{
	struct mux_test_ops *t = sets_begin(test);
	struct ftrace_mux_stub *stub = &ftrace_mux_stubs[FTRACE_MUX_STUBS];
	unsigned int set, other;

	t[1].ops.flags |= FTRACE_OPS_FL_DIRECT;
	ftrace_mux_register(&t[1].ops);
	set = list_of(t, 0, false, 2);
	other = list_of(t + 2, 0, false, 2);
	scoped_guard(mutex, &text_mutex) {
		ftrace_mux_redirect(FTRACE_MUX_STUBS, set);
		arch_ftrace_mux_finish();
	}
	KUNIT_EXPECT_EQ(test, ftrace_mux_list_of(set)->stubs, 1);
	KUNIT_EXPECT_EQ(test, ftrace_mux_stub_with(set), FTRACE_MUX_STUBS);

	mux_test_leave(&t[1].ops);
	KUNIT_EXPECT_NE(test, list_of(t, 0, false, 2), set);
	KUNIT_EXPECT_EQ(test, list_of(t + 2, 0, false, 2), other);
	KUNIT_EXPECT_EQ(test, ftrace_mux_stub_with(set), 0);
	KUNIT_EXPECT_EQ(test, stub->set, 0);
	KUNIT_EXPECT_EQ(test, stub->next, 0);
	/* A task may be on its way through the stub */
	KUNIT_EXPECT_FALSE(test, ftrace_mux_is_clean(stub->left));
	KUNIT_EXPECT_EQ(test, ftrace_mux_list_of(set)->stubs, 0);
	sets_end(t);
}

/* A list that no stub leads to is freed after a grace period */
static void list_is_freed(struct kunit *test)
{
	struct mux_test_ops *t = sets_begin(test);
	unsigned int set = list_of(t, 0, false, 2), index = set - FTRACE_MUX_LIST;

	ftrace_mux_use_set(set, 1);
	ftrace_mux_use_set(set, 1);
	ftrace_mux_use_set(set, -1);
	ftrace_mux_wait_for_callers(ftrace_mux_seq);
	ftrace_mux_free_lists();
	KUNIT_EXPECT_NOT_NULL(test, ftrace_mux_lists[index]);

	ftrace_mux_use_set(set, -1);
	ftrace_mux_free_lists();
	KUNIT_EXPECT_NOT_NULL(test, ftrace_mux_lists[index]);
	ftrace_mux_wait_for_callers(ftrace_mux_seq);
	ftrace_mux_free_lists();
	KUNIT_EXPECT_NULL(test, ftrace_mux_lists[index]);
	sets_end(t);
}

static void lists_run_out(struct kunit *test)
{
	struct mux_test_ops *t = sets_begin(test);
	unsigned int i, same = 0, none = 0, set = 0, last;

	for (i = 0; i < FTRACE_MUX_LISTS; i++) {
		last = set;
		set = list_of(t, i, false, 1);
		none += !set;
		same += set == last;
	}
	KUNIT_EXPECT_EQ(test, none, 0);
	KUNIT_EXPECT_EQ(test, same, 0);
	KUNIT_EXPECT_EQ(test, list_of(t, 0, true, 1), 0);
	KUNIT_EXPECT_EQ(test, ftrace_mux_grace_delay(), 1);
	/* A list that exists is still found */
	KUNIT_EXPECT_EQ(test, list_of(t, FTRACE_MUX_LISTS - 1, false, 1), set);
	ftrace_mux_free_lists();
	KUNIT_EXPECT_NE(test, list_of(t, 0, true, 1), 0);
	sets_end(t);
}

/* ftrace is dead: lists call ftrace_stub() for the ops, and no longer name it */
static void list_is_scrubbed(struct kunit *test)
{
	struct mux_test_ops *t = sets_begin(test);
	unsigned int set = list_of(t, 0, false, 2);

	ftrace_mux_update_lists(&t[1].ops, ftrace_stub);
	ftrace_mux_scrub_lists(&t[1].ops);
	KUNIT_EXPECT_PTR_EQ(test, ftrace_mux_list_of(set)->members[0].ops, &t[0].ops);
	KUNIT_EXPECT_PTR_EQ(test, ftrace_mux_list_of(set)->members[1].ops, &ftrace_list_end);
	call(set);
	expect_calls(test, t, 1, 0, 0);
	sets_end(t);
}

static struct kunit_case list_cases[] = {
	KUNIT_CASE(list_says_who),
	KUNIT_CASE(list_calls_its_members),
	KUNIT_CASE(list_follows_the_function),
	KUNIT_CASE(list_is_shared),
	KUNIT_CASE(list_has_a_bitmap),
	KUNIT_CASE(list_is_gone_with_a_member),
	KUNIT_CASE_SLOW(list_is_freed),
	KUNIT_CASE(lists_run_out),
	KUNIT_CASE(list_is_scrubbed),
	{ }
};

static struct kunit_suite list_suite = {
	.name = "ftrace_mux_lists",
	.test_cases = list_cases,
};

kunit_test_suites(&list_suite);
