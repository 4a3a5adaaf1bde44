// SPDX-License-Identifier: GPL-2.0
/*
 * The files, in debugfs/mux_test:
 *
 * cmd	takes one command per line; the write fails as the command does
 *
 *	add ID [regs] [recursion] [rcu] [ipmodify] [stack] [hold] [other] [show]
 *	    [name=NAME]
 *		stack: check a stack trace in each callback; hold: see the command; other:
 *		the filter may have functions outside of this module; show: see fregs
 *	filter ID GLOB,GLOB...	no glob: the whole kernel
 *	notrace ID GLOB,GLOB...	no glob: nothing is excluded
 *	ips ID MASK		filter by address, bit n is mt_fn<n>
 *	reg ID, unreg ID, free ID
 *	nth N COMMAND		a tracer's command, whose N-th allocation of memory fails; the line
 *				nth_left of stats then is 0, or how many were missing to N
 *	call FN|* COUNT		call functions from here
 *	hold 0|1		let the callbacks of tracers with this option sleep, continue
 *	load THREADS		call all functions, all the time; 0 stops
 *	timer 0|1		the same in interrupt context
 *	churn THREADS SEED FIRST NR	change tracers at random; 0 stops
 *	suspend 0|1		ftrace as a whole is going off, has come back
 *	corrupt FN		damage a call site: ftrace gives up at its next patch
 *	reset			set all counters to 0
 *
 * fregs	what tracers with the option `show` got in their last call
 *
 * stats	all counters, one per line: `errors N` sums up what must not happen
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "mux_test.h"

#define MT_MAX_CMD	4096
#define MT_MAX_ARGS	5

static struct dentry *mt_dir;
static DEFINE_MUTEX(mt_cmd_lock);	/* for what is not a tracer's */
static unsigned int mt_nth_left;

/* The arguments of a command: numbers where they are needed, and the rest */
struct mt_args {
	char		*arg[MT_MAX_ARGS];
	char		*rest;		/* after the first argument */
	unsigned int	id;
	unsigned int	num[MT_MAX_ARGS];
};

static int mt_cmd_add(struct mt_args *a)
{
	return mt_tracer_add(a->id, a->rest);
}

static int mt_cmd_filter(struct mt_args *a)
{
	return mt_tracer_filter(a->id, *a->rest ? a->rest : NULL, false);
}

static int mt_cmd_notrace(struct mt_args *a)
{
	return mt_tracer_filter(a->id, *a->rest ? a->rest : NULL, true);
}

static int mt_cmd_ips(struct mt_args *a)
{
	unsigned long fns;
	int ret = kstrtoul(a->rest, 0, &fns);

	return ret ?: mt_tracer_filter_ips(a->id, fns & MT_ALL_FNS);
}

static int mt_cmd_reg(struct mt_args *a)
{
	return mt_tracer_register(a->id);
}

static int mt_cmd_unreg(struct mt_args *a)
{
	return mt_tracer_unregister(a->id);
}

static int mt_cmd_free(struct mt_args *a)
{
	return mt_tracer_free(a->id);
}

static int mt_cmd_call(struct mt_args *a)
{
	unsigned int fn, first = a->num[0], last = first, i;

	if (a->arg[0][0] == '*') {
		first = 0;
		last = MT_NR_FNS - 1;
	}
	if (first >= MT_NR_FNS)
		return -EINVAL;
	for (i = 0; i < a->num[1]; i++) {
		for (fn = first; fn <= last; fn++)
			mt_do_call(fn);
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}
	return 0;
}

static int mt_cmd_hold(struct mt_args *a)
{
	mt_hold(a->num[0]);
	return 0;
}

static int mt_cmd_load(struct mt_args *a)
{
	return mt_load(a->num[0]);
}

static int mt_cmd_timer(struct mt_args *a)
{
	return mt_timer(a->num[0]);
}

static int mt_cmd_churn(struct mt_args *a)
{
	return mt_churn(a->num[0], a->num[1], a->num[2], a->num[3]);
}

static int mt_cmd_suspend(struct mt_args *a)
{
	mt_suspend(a->num[0]);
	return 0;
}

static int mt_cmd_others(struct mt_args *a)
{
	mt_others_modify(a->num[0]);
	return 0;
}

static int mt_cmd_corrupt(struct mt_args *a)
{
	return a->num[0] < MT_NR_FNS ? mt_corrupt(a->num[0]) : -EINVAL;
}

static int mt_cmd_reset(struct mt_args *a)
{
	mt_oracle_reset();
	return 0;
}

static const struct mt_cmd {
	const char	*name;
	int		(*run)(struct mt_args *a);
	bool		tracer;		/* the first argument is a tracer's ID */
	unsigned int	min_args;
} mt_cmds[] = {
	{ "add",	mt_cmd_add,	true,	1 },
	{ "filter",	mt_cmd_filter,	true,	1 },
	{ "notrace",	mt_cmd_notrace,	true,	1 },
	{ "ips",	mt_cmd_ips,	true,	2 },
	{ "reg",	mt_cmd_reg,	true,	1 },
	{ "unreg",	mt_cmd_unreg,	true,	1 },
	{ "free",	mt_cmd_free,	true,	1 },
	{ "call",	mt_cmd_call,	false,	2 },
	{ "hold",	mt_cmd_hold,	false,	1 },
	{ "load",	mt_cmd_load,	false,	1 },
	{ "timer",	mt_cmd_timer,	false,	1 },
	{ "churn",	mt_cmd_churn,	false,	1 },
	{ "suspend",	mt_cmd_suspend,	false,	1 },
	{ "others",	mt_cmd_others,	false,	1 },
	{ "corrupt",	mt_cmd_corrupt,	false,	1 },
	{ "reset",	mt_cmd_reset,	false,	0 },
};

/* Splits the arguments in place; a tracer's command keeps all after the first whole */
static int mt_parse(const struct mt_cmd *cmd, char *line, struct mt_args *a)
{
	unsigned int nr = 0;

	if (cmd->tracer) {
		a->arg[nr++] = strsep(&line, " ");
		a->rest = line ? strim(line) : "";
		nr += *a->rest != '\0';
		if (!a->arg[0] || kstrtouint(a->arg[0], 0, &a->id) || a->id >= MT_NR_TRACERS)
			return -EINVAL;
	} else {
		while (nr < MT_MAX_ARGS && line && (a->arg[nr] = strsep(&line, " "))) {
			if (!*a->arg[nr])
				continue;
			if (kstrtouint(a->arg[nr], 0, &a->num[nr]) && *a->arg[nr] != '*')
				return -EINVAL;
			nr++;
		}
	}
	return nr < cmd->min_args ? -EINVAL : 0;
}

/* Cut "nth N " off, for mt_nth_begin() */
char *mt_nth_parse(char *line, unsigned int *nth)
{
	int skip = 0;

	*nth = 0;
	return sscanf(line, "nth %u %n", nth, &skip) == 1 ? line + skip : line;
}
EXPORT_SYMBOL_GPL(mt_nth_parse);

/* The @nth allocation of this task fails, until mt_nth_end(); 0: none */
int mt_nth_begin(unsigned int nth)
{
#ifdef CONFIG_FAULT_INJECTION
	current->fail_nth = nth;
	return 0;
#else
	return nth ? -EOPNOTSUPP : 0;
#endif
}
EXPORT_SYMBOL_GPL(mt_nth_begin);

void mt_nth_end(void)
{
#ifdef CONFIG_FAULT_INJECTION
	mt_nth_left = current->fail_nth;
	current->fail_nth = 0;
#endif
}
EXPORT_SYMBOL_GPL(mt_nth_end);

static int mt_run_tracer(const struct mt_cmd *cmd, struct mt_args *a, unsigned int nth)
{
	int ret = mt_nth_begin(nth);

	if (ret)
		return ret;
	ret = cmd->run(a);
	mt_nth_end();
	return ret;
}

static int mt_run(char *line)
{
	struct mt_args a = {};
	unsigned int nth;
	char *name;
	int i, ret;

	line = mt_nth_parse(strim(line), &nth);
	name = strsep(&line, " ");
	if (!*name || *name == '#')
		return nth ? -EINVAL : 0;
	for (i = 0; i < ARRAY_SIZE(mt_cmds); i++) {
		const struct mt_cmd *cmd = &mt_cmds[i];

		if (strcmp(name, cmd->name))
			continue;
		ret = nth && !cmd->tracer ? -EINVAL : mt_parse(cmd, line, &a);
		if (ret || cmd->tracer)
			return ret ?: mt_run_tracer(cmd, &a, nth);
		/* functions may be called from several places at once */
		if (cmd->run == mt_cmd_call)
			return cmd->run(&a);
		guard(mutex)(&mt_cmd_lock);
		return cmd->run(&a);
	}
	return -EINVAL;
}

static ssize_t mt_cmd_write(struct file *file, const char __user *ubuf,
			    size_t count, loff_t *ppos)
{
	char *buf __free(kfree) = NULL;
	char *text, *line;
	int ret;

	if (count >= MT_MAX_CMD)
		return -E2BIG;
	buf = memdup_user_nul(ubuf, count);
	if (IS_ERR(buf))
		return PTR_ERR(buf);
	text = buf;
	while ((line = strsep(&text, "\n"))) {
		ret = mt_run(line);
		if (ret)
			return ret;
	}
	return count;
}

static const struct file_operations mt_cmd_fops = {
	.owner	= THIS_MODULE,
	.open	= simple_open,
	.write	= mt_cmd_write,
	.llseek	= noop_llseek,
};

static int mt_stats_show(struct seq_file *m, void *v)
{
	mt_oracle_show(m);
	mt_load_show(m);
	mt_tracers_show(m);
	seq_printf(m, "nth_left %u\n", mt_nth_left);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(mt_stats);

DEFINE_SHOW_ATTRIBUTE(mt_fregs);

static int __init mux_test_init(void)
{
	mt_fns_init();
	mt_tracers_init();
	mt_dir = debugfs_create_dir("mux_test", NULL);
	if (IS_ERR(mt_dir))
		return PTR_ERR(mt_dir);
	debugfs_create_file("cmd", 0200, mt_dir, NULL, &mt_cmd_fops);
	debugfs_create_file("fregs", 0400, mt_dir, NULL, &mt_fregs_fops);
	debugfs_create_file("stats", 0400, mt_dir, NULL, &mt_stats_fops);
	return 0;
}
module_init(mux_test_init);

static void __exit mux_test_exit(void)
{
	mt_hold(false);
	debugfs_remove_recursive(mt_dir);
	mt_load_exit();
	mt_tracers_exit();
}
module_exit(mux_test_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Functions to trace, tracers and an exactness oracle for ftrace");
