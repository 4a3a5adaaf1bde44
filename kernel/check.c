// SPDX-License-Identifier: GPL-2.0
/*
 * function_mux_check: what the hashes of the tracers ask for, compared with the
 * records, the stubs and the text.
 *
 *   hashes of all tracers --> filter, notrace, count --> set --> stub --> text
 *   of the record        =?   filter, notrace, count     set     stub     text
 *
 * It also verifies that ftrace_mux_recorders has the IDs of the recorders and no others.
 *
 * Calls: arch.h record_group.c hashes.c ids.c lists.c stubs.c members.c sites.c
 */

#include <linux/ftrace.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "../ftrace_internal.h"
#include "../trace.h"
#include "internal.h"

/* What a record is compared with */
struct expected {
	unsigned int	filter;
	unsigned int	excluded;
	unsigned long	count;
};

static struct expected expect(const struct dyn_ftrace *rec)
{
	struct expected exp = { };
	struct ftrace_ops *ops;

	do_for_each_ftrace_op(ops, ftrace_ops_list) {
		if (!(ops->flags & FTRACE_OPS_FL_ENABLED) || !ftrace_mux_ops_selects(ops, rec->ip))
			continue;
		if (ops->mux_id)
			exp.filter |= BIT(ops->mux_id - 1);
		if (!ftrace_mux_ops_excludes(ops, rec->ip))
			exp.count++;
		else if (ops->mux_id)
			exp.excluded |= BIT(ops->mux_id - 1);
	} while_for_each_ftrace_op(ops);

	return exp;
}

/*
 * Does each call find out which tracers trace the function? It does where a list could
 * not be made, and where no stub was clean.
 */
static bool is_found_out(const struct dyn_ftrace *rec)
{
	if (!ftrace_mux_wanted(rec) || !(rec->flags & FTRACE_FL_ENABLED))
		return false;
	/* By ftrace's list function, or by function graph, which tests hashes */
	return !ftrace_mux_stub_index(rec) ||
	       (ftrace_mux_list_missing && ftrace_mux_beyond_mask(rec) &&
		ftrace_mux_stub_of(rec)->set == ftrace_mux_mask_set(rec));
}

/* Compare one record and its text. Return: true if all of it is right */
static bool check_record(struct seq_file *m, struct dyn_ftrace *rec)
{
	bool enabled = rec->flags & FTRACE_FL_ENABLED;
	struct expected exp = expect(rec);
	const char *what = NULL;

	if (ftrace_mux_filter(rec) != exp.filter)
		what = "filter mask";
	else if (ftrace_mux_notrace(rec) != exp.excluded)
		what = "notrace mask";
	else if (ftrace_rec_count(rec) != exp.count)
		what = "reference count";
	else if (!is_found_out(rec) &&
		 ftrace_test_record(rec, ftrace_enabled) != FTRACE_UPDATE_IGNORE)
		what = "set";
	else if (!arch_ftrace_mux_site_calls(rec, enabled ? ftrace_get_addr_curr(rec) : 0))
		what = "text";

	if (!what)
		return true;

	seq_printf(m, "violation: %ps: %s: flags %lx, expected filter %02x notrace %02x count %lu\n",
		   (void *)rec->ip, what, rec->flags, exp.filter, exp.excluded, exp.count);
	return false;
}

/* Compare what a stub and its list should be with what they are */
static bool check_stub(struct seq_file *m, unsigned int index, unsigned int count)
{
	const struct ftrace_mux_stub *stub = &ftrace_mux_stubs[index];
	const struct ftrace_mux_list *list = ftrace_mux_list_of(stub->set);
	const char *what = NULL;

	if (stub->count < count)
		what = "fewer call sites than call it";
	else if (count && !stub->set)
		what = "has call sites and no set";
	else if (count && list && list->gone)
		what = "has call sites and a list that is gone";
	else if (stub->set && !arch_ftrace_mux_points(index, stub->set))
		what = "text";

	if (!what)
		return true;
	seq_printf(m, "violation: stub %u: %s: set %x, %u call sites, expected %u\n",
		   index, what, stub->set, stub->count, count);
	return false;
}

static bool check_stubs(struct seq_file *m, const unsigned int *counts)
{
	unsigned int i;
	bool ok = true;

	for (i = 1; i <= FTRACE_MUX_STUBS; i++)
		ok &= check_stub(m, i, counts[i]);
	return ok;
}

/* Is a tracer in groups if it is a recorder, and only then? */
static bool check_recorders(struct seq_file *m)
{
	unsigned int i;
	bool ok = true;

	for (i = 0; i < FTRACE_MUX_IDS; i++) {
		const struct ftrace_ops *ops = ftrace_mux_slots[i].ops;
		bool in_groups = ftrace_mux_recorders & BIT(i);

		if (!ftrace_mux_slot_used(i) || in_groups == !!ftrace_mux_recorder_of(ops))
			continue;
		seq_printf(m, "violation: slot %u: %s\n", i, in_groups ?
			   "in groups and no recorder" : "a recorder and in no group");
		ok = false;
	}
	return ok;
}

/**
 * ftrace_mux_check - compare all records and stubs with the hashes and the text
 * @m: where each violation gets a line, or "ok" and how much was compared
 *
 * Context: takes ftrace_lock.
 * Return: 0, -ENOMEM, or -ENODEV when ftrace has been shut down by a bug.
 */
int ftrace_mux_check(struct seq_file *m)
{
	unsigned int *counts __free(kvfree) = kvcalloc(FTRACE_MUX_STUBS + 1, sizeof(*counts),
						      GFP_KERNEL);
	unsigned long records = 0, sites = 0, tracers = 0;
	struct ftrace_rec_iter *iter;
	struct ftrace_ops *ops;
	bool ok = true;

	if (!counts)
		return -ENOMEM;

	guard(mutex)(&ftrace_lock);

	if (ftrace_is_dead())
		return -ENODEV;
	ftrace_mux_begin_plan(false);

	for_ftrace_rec_iter(iter) {
		struct dyn_ftrace *rec = ftrace_rec_iter_record(iter);

		/* ftrace does not account these records either */
		if (!ftrace_mux_accounted(rec))
			continue;
		records++;
		sites += !!(rec->flags & FTRACE_FL_ENABLED);
		counts[ftrace_mux_stub_index(rec)]++;
		ok &= check_record(m, rec);
		cond_resched();
	}
	ok &= check_stubs(m, counts);
	ok &= check_recorders(m);
	ftrace_mux_end_plan();

	do_for_each_ftrace_op(ops, ftrace_ops_list) {
		tracers += ops != &ftrace_list_end;
	} while_for_each_ftrace_op(ops);

	if (ok)
		seq_printf(m, "ok: %lu records, %lu sites, %lu tracers\n",
			   records, sites, tracers);
	return 0;
}
