// SPDX-License-Identifier: GPL-2.0
/*
 * The state of the multiplexer as text: a record's line in enabled_functions
 * and in a bug report, and the file function_mux.
 */

#include <linux/ftrace.h>
#include <linux/seq_buf.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "../ftrace_internal.h"
#include "../trace.h"
#include "mux.h"

/* Has @ops, which may be a manager, got subops? */
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

/* The slot's user or previous user; of a name that is gone the symbol */
static void show_slot_ops(struct seq_file *m, struct ftrace_ops *ops)
{
	if (!ftrace_mux_find_ops(ops) && ops->name)
		seq_puts(m, ops->name);
	else
		show_ops(m, ops, 0);
}

/* The names of a mask, and of the lane members that trace @ip if it is set */
static void show_mask(struct seq_file *m, unsigned int mask, unsigned long ip)
{
	struct ftrace_ops *ops;
	const char *sep = "";
	int i;

	for (i = 0; i < FTRACE_MUX_IDS; i++) {
		if (!(mask & BIT(i)))
			continue;
		seq_puts(m, sep);
		show_ops(m, ftrace_mux_slot_ops[i], ip);
		sep = ",";
	}
	if (!(mask & FTRACE_MUX_LANE))
		return;
	if (!ip) {
		seq_printf(m, "%s+", sep);
		return;
	}
	do_for_each_ftrace_op(ops, ftrace_ops_list) {
		if (!ftrace_mux_in_lane(ops) || !ftrace_mux_ops_traces(ops, ip))
			continue;
		seq_printf(m, "%s+", sep);
		show_ops(m, ops, ip);
		sep = ",";
	} while_for_each_ftrace_op(ops);
}

/**
 * ftrace_mux_show - what enabled_functions says of a multiplexed record
 * @m: gets the mask and the names of the tracers
 * @rec: the record
 *
 * Context: ftrace_lock held.
 * Return: false, and nothing printed, if the record is not multiplexed.
 */
bool ftrace_mux_show(struct seq_file *m, struct dyn_ftrace *rec)
{
	unsigned int mask = ftrace_mux_patched(rec);

	if (!mask)
		return false;

	seq_printf(m, "\tmux: 0x%02x {", mask);
	show_mask(m, mask, rec->ip);
	seq_putc(m, '}');
	return true;
}

/**
 * ftrace_mux_bug - what ftrace_bug() says of a record
 * @rec: the record
 */
void ftrace_mux_bug(const struct dyn_ftrace *rec)
{
	struct ftrace_mux_tracer *t;
	struct seq_buf names;
	char buf[256];
	int i;

	seq_buf_init(&names, buf, sizeof(buf));
	for (i = 0; i < FTRACE_MUX_IDS; i++) {
		if (!(ftrace_mux_patched(rec) & BIT(i)))
			continue;
		t = ftrace_mux_find_ops(ftrace_mux_slot_ops[i]);
		if (t)
			seq_buf_printf(&names, " %s", t->name);
		else
			seq_buf_printf(&names, " [%ps]", ftrace_mux_slot_ops[i]->saved_func);
	}

	pr_info("mux: filter 0x%02x notrace 0x%02x patched 0x%02x%s\n",
		ftrace_mux_filter(rec), ftrace_mux_notrace(rec),
		ftrace_mux_patched(rec), seq_buf_str(&names));
}

static void show_slots(struct seq_file *m)
{
	struct ftrace_ops *ops;
	int i;

	for (i = 0; i < FTRACE_MUX_IDS; i++) {
		ops = ftrace_mux_slot_ops[i];
		if (!ops) {
			seq_printf(m, "slot %d: free\n", i);
			continue;
		}
		seq_printf(m, "slot %d: %s ", i, ftrace_mux_slot_used(i) ? "used" : "zombie");
		show_slot_ops(m, ops);
		seq_putc(m, '\n');
	}

	do_for_each_ftrace_op(ops, ftrace_ops_list) {
		if (!ftrace_mux_in_lane(ops))
			continue;
		seq_puts(m, "overflow: ");
		show_ops(m, ops, 0);
		seq_putc(m, '\n');
	} while_for_each_ftrace_op(ops);
}

/* Functions by caller and by number of users */
struct usage {
	unsigned int	callers[2][BIT(FTRACE_MUX_BITS)];
	unsigned int	users[64];
};

static void count_usage(struct usage *u)
{
	struct ftrace_rec_iter *iter;

	for_ftrace_rec_iter(iter) {
		struct dyn_ftrace *rec = ftrace_rec_iter_record(iter);
		bool regs = rec->flags & FTRACE_FL_REGS_EN;
		unsigned long count = ftrace_rec_count(rec);

		if (!(rec->flags & FTRACE_FL_ENABLED))
			continue;
		u->callers[regs][ftrace_mux_patched(rec)]++;
		u->users[min(count, ARRAY_SIZE(u->users) - 1)]++;
	}
}

static void show_usage(struct seq_file *m, const struct usage *u)
{
	unsigned int mask, i;
	int regs;

	for (mask = 1; mask < BIT(FTRACE_MUX_BITS); mask++) {
		for (regs = 0; regs < 2; regs++) {
			if (!u->callers[regs][mask])
				continue;
			seq_printf(m, "caller 0x%02x %s: %u ", mask,
				   regs ? "regs" : "args", u->callers[regs][mask]);
			show_mask(m, mask, 0);
			seq_putc(m, '\n');
		}
	}
	for (i = 1; i < ARRAY_SIZE(u->users); i++) {
		if (u->users[i])
			seq_printf(m, "functions %u: %u\n", i, u->users[i]);
	}
}

/**
 * ftrace_mux_show_state - the contents of function_mux
 * @m: where to
 *
 * Context: takes ftrace_lock.
 */
void ftrace_mux_show_state(struct seq_file *m)
{
	struct usage *u __free(kfree) = kzalloc(sizeof(*u), GFP_KERNEL);
	struct ftrace_mux_tracer *t;

	guard(mutex)(&ftrace_lock);

	t = ftrace_mux_default();
	seq_printf(m, "tracers: %d\n", FTRACE_MUX_BITS);
	seq_printf(m, "view: %s\n", ftrace_mux_view() ? "on" : "off");
	seq_printf(m, "default: %s\n", t ? t->name : "trace");
	show_slots(m);
	if (u) {
		count_usage(u);
		show_usage(m, u);
	}
}
