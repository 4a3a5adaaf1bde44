// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of members.c: which list a function wants.
 *
 * No call site leads to a list that they make: see mux_test_begin().
 */

#include <linux/kprobes.h>
#include <linux/memory.h>
#include <linux/rcupdate.h>

#include "mux_kunit.h"

#define NR_OPS	3
#define IP	0x1000UL
#define OTHER_IP	0x2000UL

/*
 * Three ops on ftrace's list: t[0], with an ID, which traces everything, t[1] without
 * one that traces IP only, and t[2] without one that traces everything. None
 * has a call site.
 */
static struct mux_test_ops *want_begin(struct kunit *test)
{
	struct mux_test_ops *t = mux_test_begin(test, NR_OPS);
	struct ftrace_ops *next = &ftrace_list_end;
	int i;

	mux_test_add(&t[1].filter, IP);
	t[1].ops.flags |= FTRACE_OPS_FL_DIRECT;
	t[2].ops.flags |= FTRACE_OPS_FL_DIRECT;
	for (i = 2; i >= 0; i--) {
		t[i].ops.flags |= FTRACE_OPS_FL_ENABLED;
		ftrace_mux_register(&t[i].ops);
		rcu_assign_pointer(t[i].ops.next, next);
		next = &t[i].ops;
	}
	rcu_assign_pointer(ftrace_ops_list, next);
	return t;
}

static void want_end(struct mux_test_ops *t)
{
	rcu_assign_pointer(ftrace_ops_list, &ftrace_list_end);
	/* A task that asks whether an address is in a trampoline walks the list without a lock */
	synchronize_rcu();
	mux_test_end(t, NR_OPS);
}

/* A record of a function whose flags count the users, one of which is t[0] */
static struct dyn_ftrace record(struct mux_test_ops *t, unsigned long ip, unsigned long flags)
{
	return (struct dyn_ftrace) {
		.ip = ip,
		.flags = flags | 1UL << (FTRACE_FL_MUX_FILTER_SHIFT + t[0].ops.mux_id - 1),
	};
}

/* The set that a record wants: in an update, or while the module with it is being loaded */
static unsigned int want(const struct dyn_ftrace *rec, bool planning)
{
	struct ftrace_mux_plan *plan = planning ? ftrace_mux_begin_plan(false) : NULL;
	unsigned int set = ftrace_mux_want_set(plan, rec);

	ftrace_mux_end_plan();
	return set;
}

static void expect_members(struct kunit *test, unsigned int set, struct mux_test_ops *const *want,
			   unsigned int nr)
{
	const struct ftrace_mux_list *list = ftrace_mux_list_of(set);
	unsigned int i;

	KUNIT_EXPECT_NOT_NULL(test, list);
	if (!list)
		return;
	KUNIT_EXPECT_EQ(test, list->nr, nr);
	for (i = 0; i < nr && i < list->nr; i++) {
		KUNIT_EXPECT_PTR_EQ(test, list->members[i].ops, &want[i]->ops);
		KUNIT_EXPECT_PTR_EQ(test, list->members[i].func, want[i]->ops.func);
	}
	KUNIT_EXPECT_NULL(test, list->members[list->nr].func);
}

static void want_all_users(struct kunit *test)
{
	struct mux_test_ops *t = want_begin(test);
	struct dyn_ftrace rec = record(t, IP, 3), other = record(t, OTHER_IP, 2);
	unsigned int set, found;

	set = want(&rec, true);
	found = ftrace_mux_list_of(set) ? ftrace_mux_list_of(set)->nr : 0;
	KUNIT_EXPECT_EQ(test, found, 3);
	KUNIT_EXPECT_EQ(test, ftrace_mux_mask_of(set), ftrace_mux_interested(&rec));
	KUNIT_EXPECT_FALSE(test, ftrace_mux_regs_of(set));
	if (found) {
		ftrace_mux_list_func(IP, 0, ftrace_mux_list_of(set), NULL);
		KUNIT_EXPECT_EQ(test, t[0].calls, 1);
		KUNIT_EXPECT_EQ(test, t[1].calls, 1);
		KUNIT_EXPECT_EQ(test, t[2].calls, 1);
	}
	expect_members(test, want(&rec, false), (struct mux_test_ops *[]) { t, t + 1, t + 2 }, 3);

	set = want(&other, true);
	expect_members(test, set, (struct mux_test_ops *[]) { t, t + 2 }, 2);
	KUNIT_EXPECT_EQ(test, want(&other, false), set);
	want_end(t);
}

/* A record that is looked at again in the same update wants the same set */
static void want_of_the_next_record(struct kunit *test)
{
	struct mux_test_ops *t = want_begin(test);
	struct dyn_ftrace rec = record(t, IP, 3), other = record(t, OTHER_IP, 2);
	unsigned int first, second;
	struct ftrace_mux_plan *plan;

	plan = ftrace_mux_begin_plan(false);
	first = ftrace_mux_want_set(plan, &rec);
	second = ftrace_mux_want_set(plan, &other);
	KUNIT_EXPECT_NE(test, first, 0);
	KUNIT_EXPECT_NE(test, second, 0);
	KUNIT_EXPECT_NE(test, first, second);
	KUNIT_EXPECT_EQ(test, ftrace_mux_want_set(plan, &other), second);
	KUNIT_EXPECT_EQ(test, ftrace_mux_want_set(plan, &rec), first);
	ftrace_mux_end_plan();
	want_end(t);
}

static void want_registers(struct kunit *test)
{
	struct mux_test_ops *t = want_begin(test);
	struct dyn_ftrace rec = record(t, IP, 3 | FTRACE_FL_REGS);
	unsigned int set = want(&rec, true);

	KUNIT_EXPECT_NOT_NULL(test, ftrace_mux_list_of(set));
	KUNIT_EXPECT_TRUE(test, ftrace_mux_regs_of(set));
	want_end(t);
}

/* A direct call and a tracer have a list with both; a direct call alone has none */
static void want_direct(struct kunit *test)
{
	struct mux_test_ops *t = want_begin(test);
	struct dyn_ftrace both = record(t, OTHER_IP, 2 | FTRACE_FL_DIRECT);
	struct dyn_ftrace alone = { .ip = OTHER_IP, .flags = 1 | FTRACE_FL_DIRECT };
	struct dyn_ftrace tramp = { .ip = OTHER_IP, .flags = 1 | FTRACE_FL_TRAMP };
	struct dyn_ftrace none = { .ip = OTHER_IP, .flags = 1 };

	expect_members(test, want(&both, true), (struct mux_test_ops *[]) { t, t + 2 }, 2);
	expect_members(test, want(&none, true), (struct mux_test_ops *[]) { t + 2 }, 1);
	KUNIT_EXPECT_EQ(test, want(&alone, true), 0);
	KUNIT_EXPECT_EQ(test, want(&tramp, true), 0);
	want_end(t);
}

/* A record counts more or fewer users than are found: it calls ftrace's list function */
static void want_users_not_found(struct kunit *test)
{
	struct mux_test_ops *t = want_begin(test);
	struct dyn_ftrace more = record(t, IP, 4), fewer = record(t, IP, 2);

	KUNIT_EXPECT_EQ(test, want(&more, true), 0);
	KUNIT_EXPECT_EQ(test, want(&more, false), 0);
	KUNIT_EXPECT_EQ(test, want(&fewer, true), 0);
	KUNIT_EXPECT_EQ(test, want(&fewer, false), 0);
	want_end(t);
}

/* Outside of an update the users are not looked for: a call site may have to be patched */
static void want_unknown_outside_of_an_update(struct kunit *test)
{
	struct mux_test_ops *t = want_begin(test);
	struct dyn_ftrace rec = record(t, IP, 3);

	KUNIT_EXPECT_TRUE(test, ftrace_mux_wants_list(&rec));
	ftrace_mux_begin_plan(false);
	scoped_guard(mutex, &text_mutex)
		ftrace_mux_addr_new(&rec);
	ftrace_mux_set_stub(&rec);
	KUNIT_EXPECT_NE(test, ftrace_mux_stub_index(&rec), 0);
	KUNIT_EXPECT_EQ(test, ftrace_mux_changed(&rec), 0);
	ftrace_mux_end_plan();
	KUNIT_EXPECT_NE(test, ftrace_mux_changed(&rec), 0);
	want_end(t);
}

/* A call site that calls the stub that it wants; @count of the ops trace its function */
static struct dyn_ftrace site(struct mux_test_ops *t, unsigned long ip, unsigned long count)
{
	struct dyn_ftrace rec = record(t, ip, count);

	ftrace_mux_begin_plan(false);
	scoped_guard(mutex, &text_mutex)
		ftrace_mux_addr_new(&rec);
	ftrace_mux_set_stub(&rec);
	rec.flags |= FTRACE_FL_ENABLED;
	ftrace_mux_end_plan();
	return rec;
}

/* The set that it wants in the next update */
static unsigned int want_next(const struct dyn_ftrace *rec, bool *flags_say)
{
	struct ftrace_mux_plan *plan = ftrace_mux_begin_plan(true);
	unsigned int set = ftrace_mux_want_set(plan, rec);

	*flags_say = ftrace_mux_flags_say(plan, rec);
	ftrace_mux_end_plan();
	return set;
}

/* Nothing has changed, one tracer leaves the function, and it comes back */
static void want_by_flags(struct kunit *test)
{
	struct mux_test_ops *t = want_begin(test);
	struct mux_test_ops *others[] = { t, t + 2 };
	struct dyn_ftrace rec = site(t, IP, 3);
	unsigned int all = ftrace_mux_stub_of(&rec)->set;
	bool flags_say;

	/* End the updates that the changes so far belong to */
	want_next(&rec, &flags_say);
	KUNIT_EXPECT_EQ(test, want_next(&rec, &flags_say), all);
	KUNIT_EXPECT_TRUE(test, flags_say);

	ftrace_mux_note_change(&t[1].ops);
	rec.flags--;
	expect_members(test, want_next(&rec, &flags_say), others, 2);
	KUNIT_EXPECT_TRUE(test, flags_say);

	ftrace_mux_note_change(&t[1].ops);
	rec.flags++;
	KUNIT_EXPECT_EQ(test, want_next(&rec, &flags_say), all);
	KUNIT_EXPECT_TRUE(test, flags_say);

	/* A function that nobody traced */
	rec = record(t, OTHER_IP, 2);
	ftrace_mux_note_change(&t[2].ops);
	expect_members(test, want_next(&rec, &flags_say), others, 2);
	KUNIT_EXPECT_TRUE(test, flags_say);
	want_end(t);
}

/* Where the flags do not tell the list, the hashes do */
static void want_by_hashes(struct kunit *test)
{
	struct mux_test_ops *t = want_begin(test);
	struct dyn_ftrace rec = site(t, IP, 3), other = site(t, OTHER_IP, 2);
	struct dyn_ftrace elsewhere = { .ip = IP, .flags = rec.flags & ~FTRACE_FL_MUX_STUB };
	struct dyn_ftrace caller = { .ip = OTHER_IP, .flags = other.flags & ~FTRACE_FL_MUX_STUB };
	struct mux_test_ops *all[] = { t, t + 1, t + 2 }, *without_last[] = { t, t + 1 };
	struct mux_test_ops *without_second[] = { t, t + 2 };
	struct dyn_ftrace same_count = other;
	bool flags_say;

	/* Two ops have changed */
	ftrace_mux_note_change(&t[1].ops);
	ftrace_mux_note_change(&t[2].ops);
	other.ip = IP;
	other.flags++;
	expect_members(test, want_next(&other, &flags_say), all, 3);
	KUNIT_EXPECT_FALSE(test, flags_say);

	/* One ops has changed, more than once */
	ftrace_mux_note_change(&t[1].ops);
	ftrace_mux_note_change(&t[1].ops);
	expect_members(test, want_next(&other, &flags_say), all, 3);
	KUNIT_EXPECT_TRUE(test, flags_say);

	/* One ops has changed, but the record counts two more */
	ftrace_mux_note_change(&t[1].ops);
	elsewhere.flags &= ~FTRACE_FL_ENABLED;
	expect_members(test, want_next(&elsewhere, &flags_say), all, 3);
	KUNIT_EXPECT_FALSE(test, flags_say);

	/* The call site calls ftrace_caller */
	ftrace_mux_note_change(&t[1].ops);
	elsewhere.flags |= FTRACE_FL_ENABLED;
	expect_members(test, want_next(&elsewhere, &flags_say), all, 3);
	KUNIT_EXPECT_FALSE(test, flags_say);

	/* The same, and the ops that has changed does not trace the function */
	ftrace_mux_note_change(&t[1].ops);
	expect_members(test, want_next(&caller, &flags_say), without_second, 2);
	KUNIT_EXPECT_FALSE(test, flags_say);

	/* While ftrace was off no update followed */
	ftrace_enabled = 0;
	ftrace_mux_note_change(&t[1].ops);
	ftrace_enabled = 1;
	expect_members(test, want_next(&rec, &flags_say), all, 3);
	KUNIT_EXPECT_FALSE(test, flags_say);

	/* Two ops have changed: one has left the function, the other one traces it now */
	mux_test_add(&t[1].filter, OTHER_IP);
	mux_test_add(&t[2].excluded, OTHER_IP);
	ftrace_mux_note_change(&t[1].ops);
	ftrace_mux_note_change(&t[2].ops);
	expect_members(test, want_next(&same_count, &flags_say), without_last, 2);
	KUNIT_EXPECT_FALSE(test, flags_say);
	want_end(t);
}

#ifdef CONFIG_KPROBES_ON_FTRACE
static void want_kprobes_last(struct kunit *test)
{
	struct mux_test_ops *t = want_begin(test);
	struct dyn_ftrace rec = record(t, OTHER_IP, 2);

	t[0].ops.func = kprobe_ftrace_handler;
	expect_members(test, want(&rec, true), (struct mux_test_ops *[]) { t + 2, t }, 2);
	expect_members(test, want(&rec, false), (struct mux_test_ops *[]) { t + 2, t }, 2);
	want_end(t);
}

/* The same among the ops without an ID */
static void want_kprobes_without_id_last(struct kunit *test)
{
	struct mux_test_ops *t = want_begin(test);
	struct dyn_ftrace rec = record(t, IP, 3);

	t[1].ops.func = kprobe_ftrace_handler;
	expect_members(test, want(&rec, true), (struct mux_test_ops *[]) { t, t + 2, t + 1 }, 3);
	t[0].ops.func = kprobe_ftrace_handler;
	ftrace_mux_leave_lists(&t[1].ops);
	expect_members(test, want(&rec, false), (struct mux_test_ops *[]) { t + 2, t, t + 1 }, 3);
	want_end(t);
}
#endif

/* Make all lists, of other members */
static void use_all_lists(struct mux_test_ops *t)
{
	struct ftrace_mux_member member = { .func = t->ops.func, .ops = &t->ops };
	unsigned int i;

	for (i = 0; ftrace_mux_unused_lists(); i++)
		ftrace_mux_make_list(i, false, &member, 1);
}

/* An update that could not make a list makes none later: a record always wants the same set */
static void want_no_list_later(struct kunit *test)
{
	struct mux_test_ops *t = want_begin(test);
	struct dyn_ftrace rec = record(t, IP, 3), other = record(t, OTHER_IP, 2);
	struct ftrace_mux_plan *plan;

	use_all_lists(t);
	plan = ftrace_mux_begin_plan(false);
	KUNIT_EXPECT_EQ(test, ftrace_mux_want_set(plan, &rec), 0);
	ftrace_mux_free_lists();
	KUNIT_EXPECT_EQ(test, ftrace_mux_want_set(plan, &other), 0);
	KUNIT_EXPECT_EQ(test, ftrace_mux_want_set(plan, &rec), 0);
	ftrace_mux_end_plan();
	KUNIT_EXPECT_NE(test, want(&other, true), 0);
	want_end(t);
}

/* A module is being loaded: a list becomes free only after its call site has got an address */
static void want_decided_once(struct kunit *test)
{
	struct mux_test_ops *t = want_begin(test);
	struct dyn_ftrace rec = record(t, IP, 3);

	use_all_lists(t);
	scoped_guard(mutex, &text_mutex)
		KUNIT_EXPECT_EQ(test, ftrace_mux_addr_new(&rec), 0);
	ftrace_mux_free_lists();
	ftrace_mux_set_stub(&rec);
	KUNIT_EXPECT_EQ(test, ftrace_mux_stub_index(&rec), 0);
	want_end(t);
}

static struct kunit_case want_cases[] = {
	KUNIT_CASE(want_all_users),
	KUNIT_CASE(want_of_the_next_record),
	KUNIT_CASE(want_registers),
	KUNIT_CASE(want_direct),
	KUNIT_CASE(want_users_not_found),
	KUNIT_CASE(want_unknown_outside_of_an_update),
	KUNIT_CASE(want_by_flags),
	KUNIT_CASE(want_by_hashes),
#ifdef CONFIG_KPROBES_ON_FTRACE
	KUNIT_CASE(want_kprobes_last),
	KUNIT_CASE(want_kprobes_without_id_last),
#endif
	KUNIT_CASE(want_no_list_later),
	KUNIT_CASE(want_decided_once),
	{ }
};

static struct kunit_suite want_suite = {
	.name = "ftrace_mux_members",
	.test_cases = want_cases,
};

kunit_test_suites(&want_suite);
