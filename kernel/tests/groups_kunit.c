// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the groups: a set of several recorders is a group, an ops with the
 * function of a trace array is a recorder, and each group has a separate entry.
 */

#include <linux/memory.h>
#include <linux/trace.h>

#include "mux_kunit.h"

#define EVERY_ID	FTRACE_MUX_MASK

struct group_param {
	const char	*name;
	unsigned int	recorders;
	unsigned int	filter;
	unsigned int	excluded;
	unsigned long	flags;		/* and the reference count */
	unsigned int	want;
};

static const struct group_param group_params[] = {
	{ "one recorder", 0x1, 0x1, 0, 1, 0x1 },
	{ "two recorders", 0x3, 0x3, 0, 2, 0x3 | FTRACE_MUX_GROUP },
	{ "two of more recorders", EVERY_ID, 0x3, 0, 2, 0x3 | FTRACE_MUX_GROUP },
	{ "a recorder and another one", 0x1, 0x3, 0, 2, 0x3 },
	{ "nobody that records", 0, 0x3, 0, 2, 0x3 },
	{ "the other one is excluded", 0x5, 0x7, 0x2, 2, 0x5 | FTRACE_MUX_GROUP },
	{ "a recorder is excluded", 0x3, 0x3, 0x2, 1, 0x1 },
	{ "with registers", 0x3, 0x3, 0, 2 | FTRACE_FL_REGS,
	  0x3 | (FTRACE_MUX_REGS ?: FTRACE_MUX_GROUP) },
};

KUNIT_ARRAY_PARAM_DESC(group, group_params, name);

static void groups_wanted(struct kunit *test)
{
	const struct group_param *p = test->param_value;
	struct dyn_ftrace rec = {
		.flags = p->flags | (unsigned long)p->filter << FTRACE_FL_MUX_FILTER_SHIFT |
			 (unsigned long)p->excluded << FTRACE_FL_MUX_NOTRACE_SHIFT,
	};
	struct mux_test_ops *t;

	if (p->filter > EVERY_ID)
		kunit_skip(test, "not enough IDs are configured");
	t = mux_test_begin(test, 1);
	ftrace_mux_recorders = p->recorders;
	KUNIT_EXPECT_EQ(test, ftrace_mux_want_set(NULL, &rec), p->want);
	KUNIT_EXPECT_EQ(test, ftrace_mux_mask_of(p->want), p->filter & ~p->excluded);
	KUNIT_EXPECT_EQ(test, ftrace_mux_is_group(p->want), !!(p->want & FTRACE_MUX_GROUP));
	KUNIT_EXPECT_EQ(test, ftrace_mux_regs_of(p->want),
			FTRACE_MUX_REGS && p->flags & FTRACE_FL_REGS);
	KUNIT_EXPECT_NULL(test, ftrace_mux_list_of(p->want));
	mux_test_end(t, 1);
}

/* Is an ops with this function a recorder? */
static bool is_recorder(struct mux_test_ops *t, ftrace_func_t func)
{
	unsigned int id = BIT(t->ops.mux_id - 1);

	t->ops.func = func;
	ftrace_mux_update_func(&t->ops);
	return ftrace_mux_recorders & id;
}

/* The function of a trace array's ops is function_trace_call(), before it has started */
static void groups_recorders(struct kunit *test)
{
	struct trace_array *tr = trace_array_get_by_name("mux_kunit", NULL);
	struct mux_test_ops *t;
	ftrace_func_t func;

	KUNIT_ASSERT_NOT_NULL(test, tr);
	func = tr->ops->func;
	t = mux_test_begin(test, 2);
	t[0].ops.private = tr;
	ftrace_mux_register(&t[0].ops);
	ftrace_mux_register(&t[1].ops);
	KUNIT_EXPECT_EQ(test, ftrace_mux_recorders, 0);
	KUNIT_EXPECT_FALSE(test, is_recorder(&t[0], mux_test_called));
	KUNIT_EXPECT_TRUE(test, is_recorder(&t[0], func));
	KUNIT_EXPECT_EQ(test, hweight32(ftrace_mux_recorders), 1);
	KUNIT_EXPECT_FALSE(test, is_recorder(&t[0], mux_test_called));
	/* Not an ops that ftrace protects from recursion, or that wants all registers */
	t[0].ops.flags |= FTRACE_OPS_FL_RECURSION;
	KUNIT_EXPECT_FALSE(test, is_recorder(&t[0], func));
	t[0].ops.flags &= ~FTRACE_OPS_FL_RECURSION;
	t[0].ops.flags |= FTRACE_OPS_FL_SAVE_REGS;
	KUNIT_EXPECT_FALSE(test, is_recorder(&t[0], func));
	t[0].ops.flags &= ~FTRACE_OPS_FL_SAVE_REGS;
	KUNIT_EXPECT_TRUE(test, is_recorder(&t[0], func));
	/* Another ops gets the slot of the zombie */
	ftrace_mux_free_slot(&t[0].ops);
	KUNIT_EXPECT_EQ(test, ftrace_mux_recorders, 0);
	mux_test_end(t, 2);
	trace_array_put(tr);
	trace_array_destroy(tr);
}

static bool is_group(unsigned int set)
{
	return set > FTRACE_MUX_GROUP && set <= (FTRACE_MUX_GROUP | FTRACE_MUX_MASK);
}

/* A stub that leads to a group leads to no other set */
static void groups_entries_differ(struct kunit *test)
{
	static const unsigned int masks[] = { 0x1, EVERY_ID / 2 + 1, EVERY_ID };
	struct mux_test_ops *t = mux_test_begin(test, 1);
	unsigned int i, set, found;

	for (i = 0; i < ARRAY_SIZE(masks); i++) {
		scoped_guard(mutex, &text_mutex) {
			arch_ftrace_mux_point(1, masks[i] | FTRACE_MUX_GROUP);
			arch_ftrace_mux_finish();
		}
		for (set = 1, found = 0; set < FTRACE_MUX_SETS; set++) {
			if (set == FTRACE_MUX_REGS ||
			    (set >= FTRACE_MUX_GROUP && set < FTRACE_MUX_LIST && !is_group(set)))
				continue;
			found += arch_ftrace_mux_points(1, set);
		}
		KUNIT_EXPECT_TRUE(test, arch_ftrace_mux_points(1, masks[i] | FTRACE_MUX_GROUP));
		KUNIT_EXPECT_EQ(test, found, 1);
	}
	mux_test_end(t, 1);
}

static struct kunit_case groups_cases[] = {
	KUNIT_CASE_PARAM(groups_wanted, group_gen_params),
	KUNIT_CASE_SLOW(groups_recorders),
	KUNIT_CASE(groups_entries_differ),
	{ }
};

static struct kunit_suite groups_suite = {
	.name = "ftrace_mux_groups",
	.test_cases = groups_cases,
};

kunit_test_suites(&groups_suite);
