// SPDX-License-Identifier: GPL-2.0
/*
 * The state of the multiplexer as text.
 *
 *   enabled_functions  ftrace_mux_show()        mux: 0x0c {opens,files} group
 *   ftrace_bug()       ftrace_mux_bug()         mux: filter 0x0c notrace 0x00 stub 3 ...
 *   function_mux       ftrace_mux_show_state()  slot 2: used opens
 *                                               stub 3: 1 group 0x0c {opens,files}
 *
 * Calls: hashes.c ids.c lists.c stubs.c graph.c sites.c update.c tracers.c view.c
 */

#include <linux/ftrace.h>
#include <linux/seq_buf.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "../ftrace_internal.h"
#include "../trace.h"
#include "internal.h"

/* Does @ops have subops? */
static bool has_subops(const struct ftrace_ops *ops)
{
	return ops->flags & FTRACE_OPS_FL_INITIALIZED && !list_empty(&ops->subop_list);
}

/*
 * Print the names of an ops: its own, those of its named subops, or in
 * brackets the function it calls. @ip: only the subops that trace this
 * function, 0 for all.
 */
static void show_ops(struct seq_file *m, struct ftrace_ops *ops, unsigned long ip)
{
	struct ftrace_mux_tracer *t = ftrace_mux_find_ops(ops);
	struct ftrace_ops *subops;
	const char *sep = "";

	if (t) {
		seq_puts(m, t->name);
		return;
	}
	if (has_subops(ops)) {
		list_for_each_entry(subops, &ops->subop_list, list) {
			t = ftrace_mux_find_ops(subops);
			if (!t || (ip && !ftrace_mux_ops_traces(subops, ip)))
				continue;
			seq_printf(m, "%s%s", sep, t->name);
			sep = ",";
		}
	}
	if (!*sep)
		seq_printf(m, "[%ps]", ops->saved_func);
}

/* The user of a slot, or its previous user, whose name only the ops still has */
static void show_slot_ops(struct seq_file *m, struct ftrace_ops *ops)
{
	if (!ftrace_mux_find_ops(ops) && ops->name)
		seq_puts(m, ops->name);
	else
		show_ops(m, ops, 0);
}

/* The users of function graph by their indexes; of one without a name the function */
static void show_bitmap(struct seq_file *m, unsigned long bitmap)
{
	const char *sep = ftrace_mux_graph_mask() ? "" : "+";
	struct ftrace_mux_tracer *t;
	unsigned int i;

	for_each_set_bit(i, &bitmap, FTRACE_MUX_GRAPH_USERS) {
		seq_puts(m, sep);
		t = ftrace_mux_find_ops(ftrace_mux_graph_user(i));
		if (t)
			seq_puts(m, t->name);
		else
			seq_printf(m, "[%ps]", ftrace_mux_graph_entryfunc(i));
		sep = ",";
	}
}

/*
 * The names of the members of a set, a plus before those without an ID. @ip: of
 * a tracer with subops, only those that trace this function; 0 for all.
 */
static void show_set(struct seq_file *m, unsigned int set, unsigned long ip)
{
	const struct ftrace_mux_list *list = ftrace_mux_list_of(set);
	unsigned int mask = ftrace_mux_mask_of(set);
	const char *sep = "";
	unsigned int i;

	for (i = 0; i < (list ? list->nr : FTRACE_MUX_IDS); i++) {
		struct ftrace_ops *ops = list ? list->members[i].ops : ftrace_mux_slots[i].ops;

		if (!list && !(mask & BIT(i)))
			continue;
		seq_puts(m, sep);
		sep = ",";
		if (list && list->members[i].is_bitmap) {
			show_bitmap(m, list->members[i].bitmap);
			continue;
		}
		/* This must not happen: a call site leads to a free slot */
		if (!ops) {
			seq_putc(m, '?');
			continue;
		}
		if (!ops->mux_id)
			seq_putc(m, '+');
		show_ops(m, ops, ip);
	}
}

/**
 * ftrace_mux_show - what enabled_functions says of a record with a stub
 * @m: gets the IDs and the names of the tracers
 * @rec: the record
 *
 * Context: ftrace_lock held.
 * Return: false, and nothing printed, if the record has no stub.
 */
bool ftrace_mux_show(struct seq_file *m, struct dyn_ftrace *rec)
{
	unsigned int set = ftrace_mux_stub_of(rec)->set;

	if (!ftrace_mux_stub_index(rec))
		return false;

	seq_printf(m, "\tmux: 0x%02x {", ftrace_mux_mask_of(set));
	show_set(m, set, rec->ip);
	seq_puts(m, ftrace_mux_is_group(set) ? "} group" : "}");
	return true;
}

/**
 * ftrace_mux_bug - what ftrace_bug() says of a record
 * @rec: the record
 */
void ftrace_mux_bug(const struct dyn_ftrace *rec)
{
	unsigned int mask = ftrace_mux_mask_of(ftrace_mux_stub_of(rec)->set);
	struct ftrace_mux_tracer *t;
	struct ftrace_ops *ops;
	struct seq_buf names;
	char buf[256];
	int i;

	seq_buf_init(&names, buf, sizeof(buf));
	for (i = 0; i < FTRACE_MUX_IDS; i++) {
		if (!(mask & BIT(i)))
			continue;
		ops = ftrace_mux_slots[i].ops;
		t = ops ? ftrace_mux_find_ops(ops) : NULL;
		if (t)
			seq_buf_printf(&names, " %s", t->name);
		else if (ops)
			seq_buf_printf(&names, " [%ps]", ops->saved_func);
		else
			seq_buf_puts(&names, " ?");
	}

	pr_info("mux: filter 0x%02x notrace 0x%02x stub %u mask 0x%02x%s\n",
		ftrace_mux_filter(rec), ftrace_mux_notrace(rec),
		ftrace_mux_stub_index(rec), mask, seq_buf_str(&names));
}

static void show_slots(struct seq_file *m)
{
	struct ftrace_ops *ops;
	int i;

	for (i = 0; i < FTRACE_MUX_IDS; i++) {
		ops = ftrace_mux_slots[i].ops;
		if (!ops) {
			seq_printf(m, "slot %d: free\n", i);
			continue;
		}
		seq_printf(m, "slot %d: %s ", i, ftrace_mux_slot_used(i) ? "used" : "zombie");
		show_slot_ops(m, ops);
		seq_putc(m, '\n');
	}

	do_for_each_ftrace_op(ops, ftrace_ops_list) {
		if (ops == &ftrace_list_end || ops->mux_id)
			continue;
		seq_puts(m, "no ID: ");
		show_ops(m, ops, 0);
		seq_putc(m, '\n');
	} while_for_each_ftrace_op(ops);
}

/* What the body of a set saves before it calls a tracer */
static const char *flavour(unsigned int set)
{
	if (ftrace_mux_is_group(set))
		return "group";
	return ftrace_mux_regs_of(set) ? "regs" : "args";
}

/* Functions by stub and by how many users they have */
struct usage {
	unsigned int	stubs[FTRACE_MUX_STUBS + 1];
	unsigned int	users[64];
};

static void count_usage(struct usage *u)
{
	struct ftrace_rec_iter *iter;

	for_ftrace_rec_iter(iter) {
		struct dyn_ftrace *rec = ftrace_rec_iter_record(iter);
		unsigned long count = ftrace_rec_count(rec);

		if (!(rec->flags & FTRACE_FL_ENABLED))
			continue;
		u->stubs[ftrace_mux_stub_index(rec)]++;
		u->users[min(count, ARRAY_SIZE(u->users) - 1)]++;
	}
}

static void show_usage(struct seq_file *m, const struct usage *u)
{
	unsigned int i, set, used = 0;

	for (i = 1; i <= FTRACE_MUX_STUBS; i++) {
		if (!u->stubs[i])
			continue;
		used++;
		set = ftrace_mux_stubs[i].set;
		seq_printf(m, "stub %u: %u %s 0x%02x {", i, u->stubs[i],
			   flavour(set), ftrace_mux_mask_of(set));
		show_set(m, set, 0);
		seq_puts(m, "}\n");
	}
	seq_printf(m, "stubs: %u used, %u clean\n", used, ftrace_mux_unused(NULL, true));
	seq_printf(m, "lists: %u used\n", FTRACE_MUX_LISTS - ftrace_mux_unused_lists());
	for (i = 1; i < ARRAY_SIZE(u->users); i++) {
		if (u->users[i])
			seq_printf(m, "functions %u: %u\n", i, u->users[i]);
	}
}

static void show_update(struct seq_file *m, const char *what, const struct ftrace_mux_update *u)
{
	seq_printf(m, "%s: %u stubs redirected, %lu sites patched, %u waits\n",
		   what, u->redirects, u->sites, u->waits);
}

/**
 * ftrace_mux_show_state - the contents of function_mux
 * @m: where to
 *
 * Context: takes ftrace_lock.
 */
void ftrace_mux_show_state(struct seq_file *m)
{
	struct usage *u __free(kvfree) = kvzalloc(sizeof(*u), GFP_KERNEL);
	struct ftrace_mux_tracer *t;

	guard(mutex)(&ftrace_lock);

	t = ftrace_mux_default();
	seq_printf(m, "ids: %d\n", FTRACE_MUX_IDS);
	seq_printf(m, "view: %s\n", ftrace_mux_view() ? "on" : "off");
	seq_printf(m, "default: %s\n", t ? t->name : "trace");
	/* Then ftrace's list may still have tracers that are no longer registered */
	if (ftrace_is_dead())
		return;
	show_slots(m);
	if (u) {
		count_usage(u);
		show_usage(m, u);
	}
	show_update(m, "last update", &ftrace_mux_update);
	show_update(m, "all updates", &ftrace_mux_updates);
}
