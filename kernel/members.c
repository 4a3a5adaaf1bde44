// SPDX-License-Identifier: GPL-2.0
/*
 * Which set a record wants, and which tracers are its members. A record's mask
 * names the tracers with an ID; nothing in it names those without one, nor which
 * of several users of function graph trace the function.
 *
 * Nearly always a single tracer has changed since the last update. Then the
 * flags of a record say which list it wants: its stub says which tracers without
 * an ID traced it, and its reference count whether the one that has changed does.
 *
 * For other records an update looks for the tracers without an ID once and keeps
 * what it finds:
 *
 *   narrow  for each function in the filter of a tracer with a small one (a
 *           livepatched function, a direct call), the pair of both, sorted by
 *           function
 *   wide    the other tracers, whose hashes are tested for each function
 *
 * So a function costs a search among the pairs, and the hashes of the tracers
 * that select a good part of all functions. The members of its list:
 *
 *   those with an ID, by ID | those without, by address | those called last
 *                 ^
 *                 function graph, or the bitmap of its users
 *
 * Calls: record_group.c hashes.c ids.c lists.c stubs.c graph.c
 */

#include <linux/bsearch.h>
#include <linux/ftrace.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "../ftrace_internal.h"
#include "../trace.h"
#include "internal.h"

/* IDs whose tracers are called by lists: that of function graph while it has several users */
static unsigned int by_list;
/* Function graph, with an ID or without, had several users in the last update */
static bool with_bitmaps;

/* Since the last update began, a list could not be made */
bool ftrace_mux_list_missing;

/* The tracer without an ID that traces other functions than in the last update, or NULL */
static struct ftrace_ops *changed;

/* There may be more than one such tracer */
static bool more_changed;

static bool has_no_id(const struct ftrace_ops *ops)
{
	return ops->flags & FTRACE_OPS_FL_ENABLED && !ops->mux_id;
}

static int compare_pairs(const void *a, const void *b)
{
	const struct ftrace_mux_pair *pa = a, *pb = b;

	return pa->ip < pb->ip ? -1 : pa->ip > pb->ip;
}

/* In order of their addresses: the same ones always make the same list */
static void insert_ops(struct ftrace_ops **all, unsigned int nr, struct ftrace_ops *ops)
{
	for (; nr && all[nr - 1] > ops; nr--)
		all[nr] = all[nr - 1];
	all[nr] = ops;
}

static void add_pairs(struct ftrace_mux_plan *plan, struct ftrace_ops *ops)
{
	struct ftrace_hash *hash = ftrace_mux_ops_filter(ops);
	struct ftrace_func_entry *entry;
	unsigned int i;

	for (i = 0; i < 1U << hash->size_bits; i++) {
		hlist_for_each_entry(entry, &hash->buckets[i], hlist) {
			if (!ftrace_mux_ops_traces(ops, entry->ip))
				continue;
			plan->pairs[plan->nr_pairs++] = (struct ftrace_mux_pair) {
				.ip = entry->ip,
				.ops = ops,
			};
		}
	}
}

/* Make room for the tracers without an ID. Return: false without memory */
static bool alloc_pairs(struct ftrace_mux_plan *plan)
{
	unsigned long pairs = 0;
	unsigned int wide = 0;
	struct ftrace_ops *ops;

	do_for_each_ftrace_op(ops, ftrace_ops_list) {
		if (!has_no_id(ops))
			continue;
		if (ftrace_mux_ops_is_wide(ops))
			wide++;
		else
			pairs += ftrace_mux_ops_filter(ops)->count;
	} while_for_each_ftrace_op(ops);

	plan->wide = kvmalloc_array(wide, sizeof(*plan->wide), GFP_KERNEL);
	plan->pairs = kvmalloc_array(pairs, sizeof(*plan->pairs), GFP_KERNEL);
	return plan->wide && plan->pairs;
}

/* Look for the tracers without an ID, once */
static void look_for_tracers(struct ftrace_mux_plan *plan)
{
	struct ftrace_ops *ops;

	if (plan->looked)
		return;
	plan->looked = true;
	if (!alloc_pairs(plan))
		return;
	do_for_each_ftrace_op(ops, ftrace_ops_list) {
		if (!has_no_id(ops))
			continue;
		if (ftrace_mux_ops_is_wide(ops))
			insert_ops(plan->wide, plan->nr_wide++, ops);
		else
			add_pairs(plan, ops);
	} while_for_each_ftrace_op(ops);
	sort(plan->pairs, plan->nr_pairs, sizeof(*plan->pairs), compare_pairs, NULL);
}

/**
 * ftrace_mux_note_change - an ops begins or ends to trace functions
 * @ops: the ops; the records count it accordingly from now on
 *
 * While ftrace is off, no update follows: the next one finds several changes.
 *
 * Context: ftrace_lock held.
 */
void ftrace_mux_note_change(struct ftrace_ops *ops)
{
	if (ops->mux_id)
		return;
	more_changed |= !ftrace_enabled || (changed && changed != ops);
	changed = ops;
}

/* How many members a list can have; one of them may have been unregistered */
static unsigned int most_members(void)
{
	unsigned int nr = FTRACE_MUX_IDS + 1;
	struct ftrace_ops *ops;

	do_for_each_ftrace_op(ops, ftrace_ops_list) {
		nr += has_no_id(ops);
	} while_for_each_ftrace_op(ops);
	return nr;
}

/**
 * ftrace_mux_prepare_members - get ready to find the lists that records want
 * @plan: keeps what is found
 * @update: an update begins; otherwise all is found from the hashes
 *
 * Without memory no list can be found: ftrace_mux_want_set() lets ftrace_caller call
 * the tracers of a function that is traced by one without an ID.
 *
 * Context: ftrace_lock held, may sleep. ftrace_mux_forget_members() has to follow.
 */
void ftrace_mux_prepare_members(struct ftrace_mux_plan *plan, bool update)
{
	unsigned int nr = most_members();
	bool several = ftrace_mux_graph_plan();

	lockdep_assert_held(&ftrace_lock);

	by_list = several ? ftrace_mux_graph_mask() : 0;
	if (update) {
		plan->by_flags = !with_bitmaps && !several && !more_changed;
		with_bitmaps = several;
		plan->changed = changed;
		changed = NULL;
		more_changed = false;
	}
	/* No record wants a list */
	if (nr == FTRACE_MUX_IDS + 1 && !by_list)
		return;
	plan->members = kvmalloc_array(nr, sizeof(*plan->members), GFP_KERNEL);
	if (plan->members)
		plan->ops = kvmalloc_array(nr, sizeof(*plan->ops), GFP_KERNEL);
}

/**
 * ftrace_mux_forget_members - free what ftrace_mux_prepare_members() has found
 * @plan: where it is
 */
void ftrace_mux_forget_members(struct ftrace_mux_plan *plan)
{
	kvfree(plan->ops);
	kvfree(plan->members);
	kvfree(plan->wide);
	kvfree(plan->pairs);
}

/* Add the tracers with an ID. Return: how many */
static unsigned int add_with_id(unsigned int mask, struct ftrace_ops **all)
{
	unsigned int i, nr = 0;

	for (i = 0; i < FTRACE_MUX_IDS; i++) {
		if (mask & BIT(i))
			all[nr++] = ftrace_mux_slots[i].ops;
	}
	return nr;
}

/* In an update, add the tracers without an ID that trace the function. Return: how many */
static unsigned int add_prepared(struct ftrace_mux_plan *plan, unsigned long ip,
				 struct ftrace_ops **all)
{
	struct ftrace_mux_pair key = { .ip = ip }, *pair, *end;
	unsigned int i, nr = 0;

	look_for_tracers(plan);
	end = plan->pairs + plan->nr_pairs;
	for (i = 0; i < plan->nr_wide; i++) {
		if (ftrace_mux_ops_traces(plan->wide[i], ip))
			all[nr++] = plan->wide[i];
	}
	pair = __inline_bsearch(&key, plan->pairs, plan->nr_pairs, sizeof(*pair), compare_pairs);
	if (!pair)
		return nr;
	while (pair > plan->pairs && pair[-1].ip == ip)
		pair--;
	for (; pair < end && pair->ip == ip; pair++)
		insert_ops(all, nr++, pair->ops);
	return nr;
}

/* The same while a module is being loaded; there is room for @max */
static unsigned int add_directly(unsigned long ip, struct ftrace_ops **all, unsigned int max)
{
	struct ftrace_ops *ops;
	unsigned int nr = 0;

	do_for_each_ftrace_op(ops, ftrace_ops_list) {
		if (has_no_id(ops) && ftrace_mux_ops_traces(ops, ip) && nr++ < max)
			insert_ops(all, nr - 1, ops);
	} while_for_each_ftrace_op(ops);
	return nr;
}

/* Move the tracers that have to be called after all others to the end, in their order */
static void call_last(struct ftrace_ops **all, unsigned int nr)
{
	unsigned int i, left = nr;

	for (i = 0; left--; ) {
		struct ftrace_ops *ops = all[i];

		if (!ftrace_mux_called_last(ops)) {
			i++;
			continue;
		}
		memmove(all + i, all + i + 1, (nr - i - 1) * sizeof(*all));
		all[nr - 1] = ops;
	}
}

/* Gather the tracers of a function. Return: false if its record counts others */
static bool gather(struct ftrace_mux_plan *plan, const struct dyn_ftrace *rec,
		   struct ftrace_ops **all)
{
	unsigned int nr = add_with_id(ftrace_mux_interested(rec), all);
	unsigned int count = ftrace_rec_count(rec), found;

	found = plan ? add_prepared(plan, rec->ip, all + nr) :
		       add_directly(rec->ip, all + nr, count - nr);
	if (found != count - nr)
		return false;
	call_last(all, count);
	return true;
}

/*
 * Gather them from the flags of the record and the list of its stub. Return: false
 * where these do not tell, as the call site calls a trampoline, a direct function or
 * ftrace_caller. A nop has had no tracers.
 */
static bool gather_by_flags(const struct ftrace_mux_plan *plan, const struct dyn_ftrace *rec,
			    struct ftrace_ops **all)
{
	const struct ftrace_mux_list *list = ftrace_mux_list_of(ftrace_mux_stub_of(rec)->set);
	unsigned int ids = add_with_id(ftrace_mux_interested(rec), all), nr = ids, i;

	if (!ftrace_mux_stub_index(rec) && rec->flags & FTRACE_FL_ENABLED)
		return false;
	for (i = 0; list && i < list->nr; i++) {
		struct ftrace_ops *ops = list->members[i].ops;

		if (!ops->mux_id && ops != plan->changed)
			insert_ops(all + ids, nr++ - ids, ops);
	}
	if (plan->changed && nr + 1 == ftrace_rec_count(rec))
		insert_ops(all + ids, nr++ - ids, plan->changed);
	call_last(all, nr);
	return nr == ftrace_rec_count(rec);
}

/* Fill in the members; those of function graph take the place of graph_ops. Return: how many */
static unsigned int make_members(unsigned long ip, struct ftrace_ops *const *all,
				 unsigned int count, struct ftrace_mux_member *members)
{
	unsigned int i, nr = 0;

	for (i = 0; i < count; i++) {
		members[nr] = (struct ftrace_mux_member) { .ops = all[i] };
		if (!ftrace_mux_is_graph(all[i]) ||
		    ftrace_mux_graph_member(ip, &members[nr]))
			nr++;
	}
	return nr;
}

/* A new list calls the functions that its members have now */
static void add_functions(struct ftrace_mux_member *members, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		members[i].func = members[i].is_bitmap ?
			ftrace_mux_graph_func(members[i].bitmap) :
			ftrace_mux_ops_func(members[i].ops);
	}
}

/* The set of these tracers. Return: 0 if its list cannot be made */
static unsigned int set_of(struct ftrace_mux_plan *plan, const struct dyn_ftrace *rec,
			   struct ftrace_ops **all, struct ftrace_mux_member *members)
{
	unsigned int mask = ftrace_mux_interested(rec), nr, set;
	bool regs = rec->flags & FTRACE_FL_REGS;

	nr = make_members(rec->ip, all, ftrace_rec_count(rec), members);
	set = ftrace_mux_find_list(mask, regs, members, nr);
	if (set || (plan && plan->list_refused))
		return set;
	add_functions(members, nr);
	set = ftrace_mux_make_list(mask, regs, members, nr);
	if (!set && plan)
		plan->list_refused = true;
	return set;
}

/* The set of the record's list. Return: 0 if its members are not known, or it cannot be made */
static unsigned int list_set(struct ftrace_mux_plan *plan, const struct dyn_ftrace *rec,
			     struct ftrace_ops **all, struct ftrace_mux_member *members)
{
	return gather(plan, rec, all) ? set_of(plan, rec, all, members) : 0;
}

/* The same for all records with these flags. Return: 0 if the flags do not tell */
static unsigned int list_set_by_flags(struct ftrace_mux_plan *plan, const struct dyn_ftrace *rec)
{
	struct ftrace_mux_known *known;

	if (!plan->by_flags || !plan->ops)
		return 0;
	known = &plan->known[hash_long(rec->flags, ilog2(ARRAY_SIZE(plan->known)))];
	if (known->flags != rec->flags) {
		known->set = gather_by_flags(plan, rec, plan->ops) ?
			     set_of(plan, rec, plan->ops, plan->members) : 0;
		known->flags = rec->flags;
	}
	return known->set;
}

/* The same outside of an update */
static unsigned int list_set_directly(const struct dyn_ftrace *rec)
{
	unsigned int nr = ftrace_rec_count(rec);
	struct ftrace_ops **all __free(kvfree) =
		kvmalloc_array(nr, sizeof(*all), GFP_KERNEL);
	struct ftrace_mux_member *members __free(kvfree) =
		kvmalloc_array(nr, sizeof(*members), GFP_KERNEL);

	return all && members ? list_set(NULL, rec, all, members) : 0;
}

/*
 * The set of a record whose list could not be made: its IDs. Function graph tests the
 * hashes of its users then. Return: 0, which is ftrace_caller, if a tracer has no ID.
 */
static unsigned int set_without_list(const struct dyn_ftrace *rec)
{
	ftrace_mux_list_missing = true;
	if (ftrace_rec_count(rec) > hweight8(ftrace_mux_interested(rec)))
		return 0;
	return ftrace_mux_mask_set(rec);
}

/* The set of a record that has users which its mask does not name */
static unsigned int want_list(struct ftrace_mux_plan *plan, const struct dyn_ftrace *rec)
{
	unsigned int set;

	if (!plan)
		return list_set_directly(rec) ?: set_without_list(rec);
	if (!plan->ops)
		return set_without_list(rec);
	set = list_set_by_flags(plan, rec);
	if (set)
		return set;
	if (rec != plan->last) {
		plan->last_set = list_set(plan, rec, plan->ops, plan->members) ?:
				 set_without_list(rec);
		plan->last = rec;
	}
	return plan->last_set;
}

/**
 * ftrace_mux_beyond_mask - does a record have users that its mask does not name?
 * @rec: the record
 *
 * They have no ID, or they are several of function graph.
 *
 * Context: ftrace_lock held.
 */
bool ftrace_mux_beyond_mask(const struct dyn_ftrace *rec)
{
	unsigned int mask = ftrace_mux_interested(rec);

	return ftrace_rec_count(rec) > hweight8(mask) || mask & by_list;
}

/**
 * ftrace_mux_wants_list - does a function that is called through a stub want a list?
 * @rec: its record
 *
 * Context: ftrace_lock held.
 */
bool ftrace_mux_wants_list(const struct dyn_ftrace *rec)
{
	return ftrace_mux_wanted(rec) && ftrace_mux_beyond_mask(rec);
}

/**
 * ftrace_mux_want_set - the set that a record's call site should call
 * @plan: of the update, or NULL
 * @rec: the record
 *
 * Context: ftrace_lock held; may sleep if ftrace_mux_beyond_mask().
 * Return: the set, or 0 where the site is to be a nop or to call a trampoline of
 * an ops, a direct function, or, if a list cannot be made, ftrace_caller, which
 * calls ftrace's own list function.
 */
unsigned int ftrace_mux_want_set(struct ftrace_mux_plan *plan, const struct dyn_ftrace *rec)
{
	if (!ftrace_mux_wanted(rec))
		return 0;
	return ftrace_mux_beyond_mask(rec) ? want_list(plan, rec) : ftrace_mux_mask_set(rec);
}

/**
 * ftrace_mux_flags_say - do all records with the flags of this one want the same set?
 * @plan: of the update
 * @rec: the record
 *
 * Makes the list of that set if there is none yet.
 *
 * Context: ftrace_lock held, may sleep.
 */
bool ftrace_mux_flags_say(struct ftrace_mux_plan *plan, const struct dyn_ftrace *rec)
{
	return !ftrace_mux_accounted(rec) || !ftrace_mux_wants_list(rec) ||
	       list_set_by_flags(plan, rec);
}

static unsigned long graph_of(unsigned int set)
{
	const struct ftrace_mux_list *list = ftrace_mux_list_of(set);

	return list ? list->graph : 0;
}

/**
 * ftrace_mux_sets_differ - the IDs of members that only one of two sets has
 * @a: a set
 * @b: another one
 */
unsigned int ftrace_mux_sets_differ(unsigned int a, unsigned int b)
{
	unsigned int mask = ftrace_mux_mask_of(a) ^ ftrace_mux_mask_of(b);

	return graph_of(a) == graph_of(b) ? mask : mask | ftrace_mux_graph_mask();
}
