// SPDX-License-Identifier: GPL-2.0
/*
 * The tracers without an ID that trace a function: nothing in its record names
 * them.
 *
 * An update looks for them once and keeps what it finds until it ends:
 *
 *   narrow  for each function in the filter of a tracer with a small one (a
 *           livepatched function, a direct call), the pair of both, sorted by
 *           function
 *   wide    the other tracers, whose hashes are tested for each function
 *
 * So a function costs a search among the pairs, and the hashes of the tracers
 * that select a good part of all functions.
 */

#include <linux/bsearch.h>
#include <linux/ftrace.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "../ftrace_internal.h"
#include "../trace.h"
#include "mux.h"

struct pair {
	unsigned long		ip;
	struct ftrace_ops	*ops;
};

static struct {
	struct ftrace_ops	**wide;
	unsigned int		nr_wide;
	struct pair		*pairs;
	unsigned int		nr_pairs;
	/* Where the members of a function are gathered */
	struct ftrace_ops	**members;
} prepared;

/* An update is under way, and has looked for them */
bool ftrace_mux_planning;

/* IDs that lists call even so: that of function graph while it has several users */
unsigned int ftrace_mux_by_list;

/* Some function has not got its list in the current or last update */
bool ftrace_mux_list_missing;

/*
 * The current update could not make a list. It makes no other one: a record would
 * want one thing before, and another one when it is looked at again.
 */
bool ftrace_mux_list_refused;

/* The last record asked for, and what it wants */
static const struct dyn_ftrace *last_rec;
static unsigned int last_set;

static bool has_no_id(const struct ftrace_ops *ops)
{
	return ops->flags & FTRACE_OPS_FL_ENABLED && !ops->mux_id;
}

static struct ftrace_hash *filter_of(const struct ftrace_ops *ops)
{
	return rcu_dereference_protected(ops->func_hash->filter_hash,
					 lockdep_is_held(&ftrace_lock));
}

/* Is testing its hashes for each function not much more than it selects? */
static bool is_wide(const struct ftrace_ops *ops)
{
	struct ftrace_hash *hash = filter_of(ops);

	return ftrace_hash_empty(hash) || hash->count > ftrace_update_tot_cnt / 64;
}

static int compare_pairs(const void *a, const void *b)
{
	const struct pair *pa = a, *pb = b;

	return pa->ip < pb->ip ? -1 : pa->ip > pb->ip;
}

/* In order of their addresses: the same ones always make the same list */
static void insert_member(struct ftrace_ops **members, unsigned int nr, struct ftrace_ops *ops)
{
	for (; nr && members[nr - 1] > ops; nr--)
		members[nr] = members[nr - 1];
	members[nr] = ops;
}

static void add_pairs(struct ftrace_ops *ops)
{
	struct ftrace_hash *hash = filter_of(ops);
	struct ftrace_func_entry *entry;
	unsigned int i;

	for (i = 0; i < 1U << hash->size_bits; i++) {
		hlist_for_each_entry(entry, &hash->buckets[i], hlist) {
			if (!ftrace_mux_ops_traces(ops, entry->ip))
				continue;
			prepared.pairs[prepared.nr_pairs++] = (struct pair) { entry->ip, ops };
		}
	}
}

/* Room for all of them. Return: false without memory */
static bool alloc_prepared(void)
{
	unsigned int nr = 0, wide = 0;
	unsigned long pairs = 0;
	struct ftrace_ops *ops;

	do_for_each_ftrace_op(ops, ftrace_ops_list) {
		if (!has_no_id(ops))
			continue;
		nr++;
		if (is_wide(ops))
			wide++;
		else
			pairs += filter_of(ops)->count;
	} while_for_each_ftrace_op(ops);

	if (!nr && !ftrace_mux_by_list)
		return false;
	prepared.members = kvmalloc_array(nr + FTRACE_MUX_IDS, sizeof(*prepared.members), GFP_KERNEL);
	prepared.wide = kvmalloc_array(wide, sizeof(*prepared.wide), GFP_KERNEL);
	prepared.pairs = kvmalloc_array(pairs, sizeof(*prepared.pairs), GFP_KERNEL);
	return prepared.members && prepared.wide && prepared.pairs;
}

/**
 * ftrace_mux_prepare_members - look for the tracers without an ID
 *
 * Without memory no function has any: those that have them are called through
 * ftrace_caller, by what ftrace_mux_want_list() returns.
 *
 * Context: ftrace_lock held, may sleep. ftrace_mux_forget_members() has to follow.
 */
void ftrace_mux_prepare_members(void)
{
	struct ftrace_ops *ops;

	lockdep_assert_held(&ftrace_lock);

	ftrace_mux_planning = true;
	ftrace_mux_by_list = ftrace_mux_graph_plan();
	if (!alloc_prepared()) {
		kvfree(prepared.members);
		prepared.members = NULL;
		return;
	}
	do_for_each_ftrace_op(ops, ftrace_ops_list) {
		if (!has_no_id(ops))
			continue;
		if (is_wide(ops))
			insert_member(prepared.wide, prepared.nr_wide++, ops);
		else
			add_pairs(ops);
	} while_for_each_ftrace_op(ops);
	sort(prepared.pairs, prepared.nr_pairs, sizeof(*prepared.pairs), compare_pairs, NULL);
}

/**
 * ftrace_mux_forget_members - the update has ended
 *
 * Context: ftrace_lock held.
 */
void ftrace_mux_forget_members(void)
{
	kvfree(prepared.members);
	kvfree(prepared.wide);
	kvfree(prepared.pairs);
	memset(&prepared, 0, sizeof(prepared));
	ftrace_mux_planning = false;
	ftrace_mux_list_refused = false;
	last_rec = NULL;
}

/* Those of an update. Return: how many of them trace the function */
static unsigned int find_prepared(unsigned long ip, struct ftrace_ops **members)
{
	struct pair key = { .ip = ip }, *pair, *end = prepared.pairs + prepared.nr_pairs;
	unsigned int i, nr = 0;

	for (i = 0; i < prepared.nr_wide; i++) {
		if (ftrace_mux_ops_traces(prepared.wide[i], ip))
			members[nr++] = prepared.wide[i];
	}
	pair = __inline_bsearch(&key, prepared.pairs, prepared.nr_pairs, sizeof(*pair), compare_pairs);
	if (!pair)
		return nr;
	while (pair > prepared.pairs && pair[-1].ip == ip)
		pair--;
	for (; pair < end && pair->ip == ip; pair++)
		insert_member(members, nr++, pair->ops);
	return nr;
}

/* Those of a record of a module that is being loaded */
static unsigned int find_directly(unsigned long ip, struct ftrace_ops **members, unsigned int max)
{
	struct ftrace_ops *ops;
	unsigned int nr = 0;

	do_for_each_ftrace_op(ops, ftrace_ops_list) {
		if (has_no_id(ops) && ftrace_mux_ops_traces(ops, ip) && nr++ < max)
			insert_member(members, nr - 1, ops);
	} while_for_each_ftrace_op(ops);
	return nr;
}

/* Who of function graph's users traces it? Return: how many members are left */
static unsigned int find_graph_users(unsigned long ip, struct ftrace_ops **members,
				     unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (!ftrace_mux_is_graph(members[i]))
			continue;
		members[i] = ftrace_mux_graph_member(ip);
		if (members[i])
			return nr;
		memmove(members + i, members + i + 1, (nr - i - 1) * sizeof(*members));
		return nr - 1;
	}
	return nr;
}

/* Those that have to be called after all others go to the end; they keep their order */
static void call_last(struct ftrace_ops **members, unsigned int nr)
{
	unsigned int i, left = nr;

	for (i = 0; left--; ) {
		struct ftrace_ops *ops = members[i];

		if (!ftrace_mux_called_last(ops)) {
			i++;
			continue;
		}
		memmove(members + i, members + i + 1, (nr - i - 1) * sizeof(*members));
		members[nr - 1] = ops;
	}
}

/* Gather the members. Return: the set, or 0 if it cannot be said or made */
static unsigned int gather(const struct dyn_ftrace *rec, struct ftrace_ops **members)
{
	unsigned int mask = ftrace_mux_interested(rec);
	unsigned int count = ftrace_rec_count(rec);
	unsigned int i, nr = 0, nr_without_id, found;

	for (i = 0; i < FTRACE_MUX_IDS; i++) {
		if (mask & BIT(i))
			members[nr++] = ftrace_mux_slot_ops[i];
	}
	nr_without_id = count - nr;
	found = ftrace_mux_planning ? find_prepared(rec->ip, members + nr) :
				      find_directly(rec->ip, members + nr, nr_without_id);
	if (found != nr_without_id)
		return 0;
	call_last(members, count);
	count = find_graph_users(rec->ip, members, count);
	return ftrace_mux_list_set(mask, rec->flags & FTRACE_FL_REGS, members, count);
}

/* Where there is no list: who has an ID, and function graph tests hashes; or 0 */
static unsigned int set_without_list(const struct dyn_ftrace *rec)
{
	ftrace_mux_list_missing = true;
	if (ftrace_rec_count(rec) > hweight8(ftrace_mux_interested(rec)))
		return 0;
	return ftrace_mux_mask_set(rec);
}

/**
 * ftrace_mux_want_list - the set of a record whose users its mask does not say
 * @rec: the record
 *
 * Context: ftrace_lock held, may sleep.
 * Return: the set, or 0 if there is no memory for it: then the call site calls
 * ftrace_caller, whose list function finds out for each call.
 */
unsigned int ftrace_mux_want_list(const struct dyn_ftrace *rec)
{
	struct ftrace_ops **members;
	unsigned int set;

	if (!ftrace_mux_planning) {
		members = kvmalloc_array(ftrace_rec_count(rec), sizeof(*members), GFP_KERNEL);
		set = members ? gather(rec, members) : 0;
		kvfree(members);
		return set ?: set_without_list(rec);
	}
	if (!prepared.members)
		return set_without_list(rec);
	if (rec != last_rec) {
		last_set = gather(rec, prepared.members) ?: set_without_list(rec);
		last_rec = rec;
	}
	return last_set;
}
