// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the IDs and the life of a slot: see mux_test_begin().
 */

#include <linux/kprobes.h>

#include "mux_kunit.h"

/* Two more than there are IDs */
#define NR_OPS	(FTRACE_MUX_IDS + 2)

static struct mux_test_ops *slots_begin(struct kunit *test)
{
	return mux_test_begin(test, NR_OPS);
}

static void slots_end(struct mux_test_ops *t)
{
	mux_test_end(t, NR_OPS);
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
	KUNIT_EXPECT_PTR_EQ(test, ftrace_mux_slots[slot].ops, &t->ops);
	KUNIT_EXPECT_TRUE(test, ftrace_mux_slot_used(slot));
}

static void expect_no_slot(struct kunit *test, struct mux_test_ops *t)
{
	int i;

	KUNIT_EXPECT_EQ(test, t->ops.mux_id, 0);
	for (i = 0; i < FTRACE_MUX_IDS; i++)
		KUNIT_EXPECT_PTR_NE(test, ftrace_mux_slots[i].ops, &t->ops);
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
	KUNIT_EXPECT_PTR_EQ(test, ftrace_mux_slots[0].ops, &global_ops);
	mux_test_leave(&global_ops);
	slots_end(t);
}

#ifdef CONFIG_KPROBES_ON_FTRACE
static void slots_last_for_kprobes(struct kunit *test)
{
	struct mux_test_ops *t = slots_begin(test);

	t[0].ops.func = kprobe_ftrace_handler;
	ftrace_mux_register(&t[0].ops);
	KUNIT_EXPECT_PTR_EQ(test, ftrace_mux_slots[FTRACE_MUX_IDS - 1].ops, &t[0].ops);
	slots_end(t);
}
#endif

static void slots_static_becomes_zombie(struct kunit *test)
{
	struct mux_test_ops *t = slots_begin(test);
	int slot = nth_slot(0);

	ftrace_mux_register(&t[0].ops);
	mux_test_leave(&t[0].ops);
	KUNIT_EXPECT_EQ(test, t[0].ops.mux_id, 0);
	KUNIT_EXPECT_FALSE(test, ftrace_mux_slot_used(slot));
	KUNIT_EXPECT_PTR_EQ(test, ftrace_mux_slots[slot].ops, &t[0].ops);
	slots_end(t);
}

static void slots_zombie_comes_back(struct kunit *test)
{
	struct mux_test_ops *t = slots_begin(test);

	ftrace_mux_register(&t[0].ops);
	mux_test_leave(&t[0].ops);
	if (FTRACE_MUX_IDS > 1) {
		/* Another slot is free, so the zombie keeps its slot */
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
	mux_test_leave(&t[0].ops);
	KUNIT_EXPECT_FALSE(test, ftrace_mux_slot_used(slot));
	KUNIT_EXPECT_NULL(test, ftrace_mux_slots[slot].ops);

	ftrace_mux_register(&t[1].ops);
	expect_slot(test, &t[1], slot);
	slots_end(t);
}

/* An ops that its owner keeps is waited for before its memory is freed, and is no zombie then */
static void slots_kept_is_forgotten(struct kunit *test)
{
	struct mux_test_ops *t = slots_begin(test);
	int slot = nth_slot(0);

	t[0].ops.flags |= FTRACE_OPS_FL_DYNAMIC | FTRACE_OPS_FL_TRACE_ARRAY;
	ftrace_mux_register(&t[0].ops);
	mux_test_leave(&t[0].ops);
	KUNIT_EXPECT_FALSE(test, ftrace_mux_slot_used(slot));
	KUNIT_EXPECT_PTR_EQ(test, ftrace_mux_slots[slot].ops, &t[0].ops);

	mutex_unlock(&ftrace_lock);
	KUNIT_EXPECT_TRUE(test, ftrace_mux_forget(&t[0].ops));
	mutex_lock(&ftrace_lock);
	KUNIT_EXPECT_NULL(test, ftrace_mux_slots[slot].ops);
	slots_end(t);
}

/* Register the last ops. Try again, as registering waits for a grace period for a second only */
static void register_at_last(struct mux_test_ops *t)
{
	int i;

	ftrace_mux_register(&t->ops);
	for (i = 0; i < 100 && !t->ops.mux_id; i++) {
		mux_test_leave(&t->ops);
		ftrace_mux_register(&t->ops);
	}
}

static void slots_zombies_make_room(struct kunit *test)
{
	struct mux_test_ops *t = slots_begin(test);
	int i;

	fill_slots(t);
	for (i = 0; i < FTRACE_MUX_IDS; i++)
		mux_test_leave(&t[i].ops);
	KUNIT_EXPECT_EQ(test, used_slots(), 0);

	register_at_last(&t[FTRACE_MUX_IDS]);
	expect_slot(test, &t[FTRACE_MUX_IDS], nth_slot(0));
	KUNIT_EXPECT_EQ(test, used_slots(), 1);
	for (i = 1; i < FTRACE_MUX_IDS; i++)
		KUNIT_EXPECT_NULL(test, ftrace_mux_slots[nth_slot(i)].ops);
	slots_end(t);
}

/* A slot that was left a moment ago is not given to another ops before a grace period */
static void slots_zombie_waits(struct kunit *test)
{
	struct mux_test_ops *t = slots_begin(test);
	unsigned long seq;
	int i;

	fill_slots(t);
	mux_test_leave(&t[0].ops);
	seq = ftrace_mux_seq;
	KUNIT_EXPECT_FALSE(test, ftrace_mux_is_clean(seq - 1));
	register_at_last(&t[FTRACE_MUX_IDS]);
	KUNIT_EXPECT_TRUE(test, ftrace_mux_is_clean(seq - 1));
	expect_slot(test, &t[FTRACE_MUX_IDS], nth_slot(0));
	expect_no_slot(test, &t[0]);
	for (i = 1; i < FTRACE_MUX_IDS; i++)
		expect_slot(test, &t[i], nth_slot(i));
	slots_end(t);
}

/* An ops that comes too late gets no ID, named or not, the function tracer neither */
static void slots_nobody_is_displaced(struct kunit *test)
{
	struct mux_test_ops *t = slots_begin(test);
	int i;

	fill_slots(t);
	ftrace_mux_register(&t[NR_OPS - 2].ops);
	t[NR_OPS - 1].ops.name = "kunit-named";
	ftrace_mux_register(&t[NR_OPS - 1].ops);
	ftrace_mux_register(&global_ops);

	for (i = 0; i < FTRACE_MUX_IDS; i++)
		expect_slot(test, &t[i], nth_slot(i));
	expect_no_slot(test, &t[NR_OPS - 2]);
	expect_no_slot(test, &t[NR_OPS - 1]);
	KUNIT_EXPECT_EQ(test, global_ops.mux_id, 0);
	KUNIT_EXPECT_EQ(test, used_slots(), FTRACE_MUX_IDS);

	mux_test_leave(&global_ops);
	mux_test_leave(&t[NR_OPS - 1].ops);
	mux_test_leave(&t[NR_OPS - 2].ops);
	KUNIT_EXPECT_EQ(test, used_slots(), FTRACE_MUX_IDS);
	slots_end(t);
}

/* A slot that becomes free is for the ops that registers next, not for one without an ID */
static void slots_none_stays_none(struct kunit *test)
{
	struct mux_test_ops *t = slots_begin(test);

	t[0].ops.flags |= FTRACE_OPS_FL_DYNAMIC;
	fill_slots(t);
	ftrace_mux_register(&t[NR_OPS - 2].ops);
	mux_test_leave(&t[0].ops);
	expect_no_slot(test, &t[NR_OPS - 2]);

	ftrace_mux_register(&t[NR_OPS - 1].ops);
	expect_slot(test, &t[NR_OPS - 1], nth_slot(0));
	expect_no_slot(test, &t[NR_OPS - 2]);
	slots_end(t);
}

static void slots_not_for_all(struct kunit *test)
{
	struct mux_test_ops *t = slots_begin(test);

	t[0].ops.flags |= FTRACE_OPS_FL_STUB;
	ftrace_mux_register(&t[0].ops);
	expect_no_slot(test, &t[0]);

	t[1].ops.flags |= FTRACE_OPS_FL_DIRECT;
	ftrace_mux_register(&t[1].ops);
	expect_no_slot(test, &t[1]);

	/* Livepatch has both flags; an ops with one of them only gets an ID */
	t[2].ops.flags |= FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_PERMANENT;
	ftrace_mux_register(&t[2].ops);
	expect_no_slot(test, &t[2]);
	mux_test_leave(&t[2].ops);

	t[2].ops.flags &= ~FTRACE_OPS_FL_PERMANENT;
	ftrace_mux_register(&t[2].ops);
	expect_slot(test, &t[2], nth_slot(0));
	slots_end(t);
}

/* With an ID, an ops counts as having no trampoline, though it may have an old one */
static void slots_instead_of_trampoline(struct kunit *test)
{
	struct mux_test_ops *t = slots_begin(test);

	t[0].ops.trampoline = 0x1000;
	t[1].ops.trampoline = 0x1000;
	t[1].ops.flags |= FTRACE_OPS_FL_DIRECT;
	ftrace_mux_register(&t[0].ops);
	ftrace_mux_register(&t[1].ops);
	KUNIT_EXPECT_EQ(test, ftrace_mux_without_id, 1);
	KUNIT_EXPECT_EQ(test, ftrace_mux_trampoline(&t[0].ops), 0);
	KUNIT_EXPECT_EQ(test, ftrace_mux_trampoline(&t[1].ops), 0x1000);
	KUNIT_EXPECT_TRUE(test, ftrace_mux_update_func(&t[0].ops));
	KUNIT_EXPECT_FALSE(test, ftrace_mux_update_func(&t[1].ops));
	mux_test_leave(&t[1].ops);
	KUNIT_EXPECT_EQ(test, ftrace_mux_without_id, 0);
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
	KUNIT_CASE_SLOW(slots_kept_is_forgotten),
	KUNIT_CASE_SLOW(slots_zombies_make_room),
	KUNIT_CASE_SLOW(slots_zombie_waits),
	KUNIT_CASE_SLOW(slots_nobody_is_displaced),
	KUNIT_CASE(slots_none_stays_none),
	KUNIT_CASE(slots_not_for_all),
	KUNIT_CASE(slots_instead_of_trampoline),
	{ }
};

static struct kunit_suite slots_suite = {
	.name = "ftrace_mux_slots",
	.test_cases = slots_cases,
};

kunit_test_suites(&slots_suite);
