// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the IDs, the life of a slot and the overflow lane.
 *
 * Each test has all slots for itself: it holds ftrace_lock, and is skipped
 * where a tracer is registered. While it does it only expects and asserts
 * nothing, since an assertion would end the thread with the lock held.
 */

#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>

#include "mux_kunit.h"

/* Enough to have two in the lane */
#define NR_OPS	(FTRACE_MUX_IDS + 2)

static struct mux_test_ops *slots_begin(struct kunit *test)
{
	struct mux_test_ops *t = mux_test_alloc(test, NR_OPS);

	mutex_lock(&ftrace_lock);
	if (mux_test_busy()) {
		mutex_unlock(&ftrace_lock);
		kunit_skip(test, "tracers are registered");
	}

	/* The slots of zombies are free once no task is in a caller */
	synchronize_rcu_tasks_rude();
	synchronize_rcu_tasks();
	memset(ftrace_mux_slot_ops, 0, FTRACE_MUX_IDS * sizeof(*ftrace_mux_slot_ops));
	return t;
}

/* Unregister and release, as ftrace_shutdown() does */
static void leave(struct ftrace_ops *ops)
{
	ftrace_mux_unregister(ops);
	ftrace_mux_release(ops);
}

/* No task was ever in a caller that leads to these */
static void slots_end(struct mux_test_ops *t)
{
	int i;

	for (i = 0; i < NR_OPS; i++) {
		if (t[i].ops.mux_id || ftrace_mux_in_lane(&t[i].ops))
			leave(&t[i].ops);
	}
	memset(ftrace_mux_slot_ops, 0, FTRACE_MUX_IDS * sizeof(*ftrace_mux_slot_ops));
	mutex_unlock(&ftrace_lock);
}

/* The slot of the nth tracer, with all slots free at first: slot 0 comes last */
static int nth_slot(int n)
{
	return (n + 1) % FTRACE_MUX_IDS;
}

static void fill_slots(struct mux_test_ops *t)
{
	int i;

	for (i = 0; i < FTRACE_MUX_IDS; i++)
		ftrace_mux_register(&t[i].ops);
}

static int used_slots(void)
{
	int i, n = 0;

	for (i = 0; i < FTRACE_MUX_IDS; i++)
		n += ftrace_mux_slot_used(i);
	return n;
}

static void expect_slot(struct kunit *test, struct mux_test_ops *t, int slot)
{
	KUNIT_EXPECT_EQ(test, ftrace_mux_ops_id(&t->ops), slot);
	KUNIT_EXPECT_PTR_EQ(test, ftrace_mux_slot_ops[slot], &t->ops);
	KUNIT_EXPECT_TRUE(test, ftrace_mux_slot_used(slot));
	KUNIT_EXPECT_FALSE(test, ftrace_mux_in_lane(&t->ops));
}

static void expect_lane(struct kunit *test, struct mux_test_ops *t)
{
	KUNIT_EXPECT_EQ(test, t->ops.mux_id, 0);
	KUNIT_EXPECT_TRUE(test, ftrace_mux_in_lane(&t->ops));
}

static void slots_in_order(struct kunit *test)
{
	struct mux_test_ops *t = slots_begin(test);
	int i;

	fill_slots(t);
	for (i = 0; i < FTRACE_MUX_IDS; i++)
		expect_slot(test, &t[i], nth_slot(i));
	slots_end(t);
}

static void slots_first_for_function_tracer(struct kunit *test)
{
	struct mux_test_ops *t = slots_begin(test);

	if (FTRACE_MUX_IDS > 1)
		ftrace_mux_register(&t[0].ops);
	ftrace_mux_register(&global_ops);
	KUNIT_EXPECT_EQ(test, ftrace_mux_ops_id(&global_ops), 0);
	KUNIT_EXPECT_PTR_EQ(test, ftrace_mux_slot_ops[0], &global_ops);
	leave(&global_ops);
	slots_end(t);
}

#ifdef CONFIG_KPROBES_ON_FTRACE
static void slots_last_for_kprobes(struct kunit *test)
{
	struct mux_test_ops *t = slots_begin(test);

	t[0].ops.func = kprobe_ftrace_handler;
	ftrace_mux_register(&t[0].ops);
	KUNIT_EXPECT_PTR_EQ(test, ftrace_mux_slot_ops[FTRACE_MUX_IDS - 1], &t[0].ops);
	slots_end(t);
}
#endif

static void slots_static_becomes_zombie(struct kunit *test)
{
	struct mux_test_ops *t = slots_begin(test);
	int slot = nth_slot(0);

	ftrace_mux_register(&t[0].ops);
	leave(&t[0].ops);
	KUNIT_EXPECT_EQ(test, t[0].ops.mux_id, 0);
	KUNIT_EXPECT_FALSE(test, ftrace_mux_slot_used(slot));
	KUNIT_EXPECT_PTR_EQ(test, ftrace_mux_slot_ops[slot], &t[0].ops);
	slots_end(t);
}

static void slots_zombie_comes_back(struct kunit *test)
{
	struct mux_test_ops *t = slots_begin(test);

	ftrace_mux_register(&t[0].ops);
	leave(&t[0].ops);
	if (FTRACE_MUX_IDS > 1) {
		/* There is another free slot */
		ftrace_mux_register(&t[1].ops);
		expect_slot(test, &t[1], nth_slot(1));
	}
	ftrace_mux_register(&t[0].ops);
	expect_slot(test, &t[0], nth_slot(0));
	slots_end(t);
}

static void slots_dynamic_becomes_free(struct kunit *test)
{
	struct mux_test_ops *t = slots_begin(test);
	int slot = nth_slot(0);

	t[0].ops.flags |= FTRACE_OPS_FL_DYNAMIC;
	ftrace_mux_register(&t[0].ops);
	leave(&t[0].ops);
	KUNIT_EXPECT_FALSE(test, ftrace_mux_slot_used(slot));
	KUNIT_EXPECT_NULL(test, ftrace_mux_slot_ops[slot]);

	ftrace_mux_register(&t[1].ops);
	expect_slot(test, &t[1], slot);
	slots_end(t);
}

static void slots_zombies_make_room(struct kunit *test)
{
	struct mux_test_ops *t = slots_begin(test);
	int i;

	fill_slots(t);
	for (i = 0; i < FTRACE_MUX_IDS; i++)
		leave(&t[i].ops);
	KUNIT_EXPECT_EQ(test, used_slots(), 0);

	ftrace_mux_register(&t[FTRACE_MUX_IDS].ops);
	expect_slot(test, &t[FTRACE_MUX_IDS], nth_slot(0));
	KUNIT_EXPECT_EQ(test, used_slots(), 1);
	for (i = 1; i < FTRACE_MUX_IDS; i++)
		KUNIT_EXPECT_NULL(test, ftrace_mux_slot_ops[nth_slot(i)]);
	slots_end(t);
}

static void slots_full_goes_to_lane(struct kunit *test)
{
	struct mux_test_ops *t = slots_begin(test);

	fill_slots(t);
	ftrace_mux_register(&t[NR_OPS - 2].ops);
	ftrace_mux_register(&t[NR_OPS - 1].ops);
	expect_lane(test, &t[NR_OPS - 2]);
	expect_lane(test, &t[NR_OPS - 1]);
	KUNIT_EXPECT_EQ(test, used_slots(), FTRACE_MUX_IDS);

	/* One of them leaves, the other one stays */
	leave(&t[NR_OPS - 2].ops);
	KUNIT_EXPECT_FALSE(test, ftrace_mux_in_lane(&t[NR_OPS - 2].ops));
	expect_lane(test, &t[NR_OPS - 1]);
	slots_end(t);
}

static void slots_lane_member_stays(struct kunit *test)
{
	struct mux_test_ops *t = slots_begin(test);
	int slot = nth_slot(0);

	t[0].ops.flags |= FTRACE_OPS_FL_DYNAMIC;
	fill_slots(t);
	ftrace_mux_register(&t[NR_OPS - 2].ops);
	leave(&t[0].ops);
	expect_lane(test, &t[NR_OPS - 2]);

	/* The free slot is that of the next who registers */
	ftrace_mux_register(&t[NR_OPS - 1].ops);
	expect_slot(test, &t[NR_OPS - 1], slot);
	slots_end(t);
}

static void slots_not_for_all(struct kunit *test)
{
	struct mux_test_ops *t = slots_begin(test);

	t[0].ops.flags |= FTRACE_OPS_FL_STUB;
	ftrace_mux_register(&t[0].ops);
	KUNIT_EXPECT_EQ(test, t[0].ops.mux_id, 0);
	KUNIT_EXPECT_FALSE(test, ftrace_mux_in_lane(&t[0].ops));

	t[1].ops.flags |= FTRACE_OPS_FL_DIRECT;
	ftrace_mux_register(&t[1].ops);
	expect_lane(test, &t[1]);

	/* Livepatch has both flags, kprobes and a lone livepatch flag one */
	t[2].ops.flags |= FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_PERMANENT;
	ftrace_mux_register(&t[2].ops);
	expect_lane(test, &t[2]);
	leave(&t[2].ops);

	t[2].ops.flags &= ~FTRACE_OPS_FL_PERMANENT;
	ftrace_mux_register(&t[2].ops);
	expect_slot(test, &t[2], nth_slot(0));
	slots_end(t);
}

static void slots_named_displaces_unnamed(struct kunit *test)
{
	struct mux_test_ops *t = slots_begin(test);
	int last = FTRACE_MUX_IDS - 1, i;

	fill_slots(t);
	t[NR_OPS - 2].ops.name = "kunit-named";
	ftrace_mux_register(&t[NR_OPS - 2].ops);
	expect_slot(test, &t[NR_OPS - 2], last);
	for (i = 0; i < FTRACE_MUX_IDS; i++) {
		if (nth_slot(i) == last)
			expect_lane(test, &t[i]);
		else
			expect_slot(test, &t[i], nth_slot(i));
	}

	/* Without a name: nobody makes room */
	ftrace_mux_register(&t[NR_OPS - 1].ops);
	expect_lane(test, &t[NR_OPS - 1]);
	slots_end(t);
}

static void slots_function_tracer_displaces_named(struct kunit *test)
{
	struct mux_test_ops *t = slots_begin(test);
	int i;

	for (i = 0; i < NR_OPS; i++)
		t[i].ops.name = "kunit-named";
	fill_slots(t);
	ftrace_mux_register(&t[NR_OPS - 1].ops);
	expect_lane(test, &t[NR_OPS - 1]);

	ftrace_mux_register(&global_ops);
	KUNIT_EXPECT_EQ(test, ftrace_mux_ops_id(&global_ops), 0);
	expect_lane(test, &t[FTRACE_MUX_IDS - 1]);
	leave(&global_ops);
	slots_end(t);
}

static struct kunit_case slots_cases[] = {
	KUNIT_CASE(slots_in_order),
	KUNIT_CASE(slots_first_for_function_tracer),
#ifdef CONFIG_KPROBES_ON_FTRACE
	KUNIT_CASE(slots_last_for_kprobes),
#endif
	KUNIT_CASE(slots_static_becomes_zombie),
	KUNIT_CASE(slots_zombie_comes_back),
	KUNIT_CASE(slots_dynamic_becomes_free),
	KUNIT_CASE_SLOW(slots_zombies_make_room),
	KUNIT_CASE(slots_full_goes_to_lane),
	KUNIT_CASE(slots_lane_member_stays),
	KUNIT_CASE(slots_not_for_all),
	KUNIT_CASE_SLOW(slots_named_displaces_unnamed),
	KUNIT_CASE_SLOW(slots_function_tracer_displaces_named),
	{ }
};

static struct kunit_suite slots_suite = {
	.name = "ftrace_mux_slots",
	.test_cases = slots_cases,
};

/* The functions that the tests of the lane pretend to call */
#define IP_A	0x1000UL
#define IP_B	0x2000UL
#define IP_C	0x3000UL

/* A call of the function @ip through the caller of @mask */
static void call_lane(unsigned long ip, unsigned int mask)
{
	/* As an args caller leaves them: no code segment, no full registers */
	struct pt_regs regs = { };

	ftrace_mux_lane_func(ip, 0, mask, (struct ftrace_regs *)&regs);
}

/* Three members that want IP_A; IP_B; everything but IP_A */
static struct mux_test_ops *lane_begin(struct kunit *test)
{
	struct mux_test_ops *t = slots_begin(test);
	int i;

	mux_test_add(&t[0].filter, IP_A);
	mux_test_add(&t[1].filter, IP_B);
	mux_test_add(&t[2].excluded, IP_A);
	for (i = 0; i < 3; i++) {
		/* No ID for those with this flag */
		t[i].ops.flags |= FTRACE_OPS_FL_DIRECT;
		ftrace_mux_register(&t[i].ops);
	}
	return t;
}

static void expect_calls(struct kunit *test, struct mux_test_ops *t, int a, int b, int c)
{
	KUNIT_EXPECT_EQ(test, t[0].calls, a);
	KUNIT_EXPECT_EQ(test, t[1].calls, b);
	KUNIT_EXPECT_EQ(test, t[2].calls, c);
}

static void lane_calls_the_interested(struct kunit *test)
{
	struct mux_test_ops *t = lane_begin(test);

	call_lane(IP_A, FTRACE_MUX_LANE);
	expect_calls(test, t, 1, 0, 0);
	call_lane(IP_B, FTRACE_MUX_LANE);
	expect_calls(test, t, 1, 1, 1);
	call_lane(IP_C, FTRACE_MUX_LANE);
	expect_calls(test, t, 1, 1, 2);
	slots_end(t);
}

static void lane_leaves_callers_their_ids(struct kunit *test)
{
	struct mux_test_ops *t = lane_begin(test);

	/* On its way to the lane a tracer still has its ID: 0 */
	WRITE_ONCE(t[1].ops.mux_id, 1);
	call_lane(IP_B, FTRACE_MUX_LANE | BIT(0));
	expect_calls(test, t, 0, 0, 1);
	call_lane(IP_B, FTRACE_MUX_LANE);
	expect_calls(test, t, 0, 1, 2);
	WRITE_ONCE(t[1].ops.mux_id, 0);
	slots_end(t);
}

static void lane_without_registers(struct kunit *test)
{
	struct mux_test_ops *t = lane_begin(test);

	t[1].ops.flags |= FTRACE_OPS_FL_SAVE_REGS;
	call_lane(IP_B, FTRACE_MUX_LANE);
	expect_calls(test, t, 0, 0, 1);
	slots_end(t);
}

static void lane_members_come_and_go(struct kunit *test)
{
	struct mux_test_ops *t = lane_begin(test);

	/* From the middle, from the head, from the end; back again, once each */
	leave(&t[1].ops);
	call_lane(IP_B, FTRACE_MUX_LANE);
	expect_calls(test, t, 0, 0, 1);
	ftrace_mux_register(&t[1].ops);
	leave(&t[1].ops);
	leave(&t[0].ops);
	call_lane(IP_A, FTRACE_MUX_LANE);
	expect_calls(test, t, 0, 0, 1);
	ftrace_mux_register(&t[1].ops);
	ftrace_mux_register(&t[0].ops);
	call_lane(IP_A, FTRACE_MUX_LANE);
	call_lane(IP_B, FTRACE_MUX_LANE);
	expect_calls(test, t, 1, 1, 2);
	slots_end(t);
}

static struct kunit_case lane_cases[] = {
	KUNIT_CASE(lane_calls_the_interested),
	KUNIT_CASE(lane_leaves_callers_their_ids),
	KUNIT_CASE(lane_without_registers),
	KUNIT_CASE(lane_members_come_and_go),
	{ }
};

static struct kunit_suite lane_suite = {
	.name = "ftrace_mux_lane",
	.test_cases = lane_cases,
};

kunit_test_suites(&slots_suite, &lane_suite);
