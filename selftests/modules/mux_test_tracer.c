// SPDX-License-Identifier: GPL-2.0
/*
 * The tracers: ftrace_ops in memory that is allocated and freed again, each
 * with a separate callback function, so that an ops that comes with the wrong
 * function, or the other way round, is noticed.
 */
#include <linux/err.h>
#include <linux/glob.h>
#include <linux/jiffies.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/stacktrace.h>
#include <linux/string.h>
#include <linux/wait.h>

#include "arch.h"
#include "mux_test.h"

#define MT_POISON	0x6b

/* Up to this many calls of other functions may reach a tracer after its filter was narrowed */
#define MT_STRAGGLERS	8

struct mt_stat mt_stat[MT_NR_TRACERS];

static struct mt_tracer *mt_tracers[MT_NR_TRACERS];
static struct mutex mt_locks[MT_NR_TRACERS];
/* Registered tracers, or others, that change the instruction pointer */
static atomic_t mt_ipmodify;
/* Callbacks with the option sleep */
static DECLARE_WAIT_QUEUE_HEAD(mt_held_wait);
static bool mt_held;

static __always_inline void mt_wrong(struct mt_stat *st, enum mt_bad what)
{
	atomic_long_inc(&st->bad[what]);
}

static __always_inline bool mt_args_ok(struct mt_call *c, struct ftrace_regs *fregs)
{
	unsigned int i;

	for (i = 1; i < 6; i++)
		if (ftrace_regs_get_argument(fregs, i) != MT_ARG(c, i))
			return false;
	return ftrace_regs_get_stack_pointer(fregs) == mt_entry_sp(c);
}

static void mt_set_all(struct mt_tracer *t, bool all)
{
	if (t->all && !all) {
		atomic_set(&t->stragglers, 0);
		t->narrowed = jiffies;
	}
	smp_store_release(&t->all, all); /* after what mt_may_see_others() reads */
}

/*
 * May it see a function outside of this module? The oracle does not know when such
 * a call began: it may have been on its way when the filter changed.
 */
static bool mt_may_see_others(struct mt_tracer *t)
{
	/* Before the two below */
	if (smp_load_acquire(&t->all) || t->opt & MT_OPT_OTHER)
		return true;
	return time_before(jiffies, t->narrowed + HZ) &&
	       atomic_inc_return(&t->stragglers) <= MT_STRAGGLERS;
}

static noinline void mt_check_stack(struct mt_stat *st)
{
	unsigned long entries[24];
	unsigned int i, nr;

	nr = stack_trace_save(entries, ARRAY_SIZE(entries), 0);
	for (i = 0; i < nr; i++)
		if (entries[i] == (unsigned long)mt_ret_addr)
			return;
	mt_wrong(st, MT_BAD_STACK);
}

/* Sleeps where only a preempted tracer would stop, for a look at the stack */
static noinline void mt_hold_here(void)
{
	wait_event(mt_held_wait, !READ_ONCE(mt_held));
}

void mt_hold(bool on)
{
	WRITE_ONCE(mt_held, on);
	wake_up_all(&mt_held_wait);
}

static __always_inline void mt_callback(unsigned int id, unsigned long ip,
					unsigned long parent_ip,
					struct ftrace_ops *ops,
					struct ftrace_regs *fregs)
{
	struct mt_tracer *t = container_of(ops, struct mt_tracer, ops);
	struct mt_stat *st = &mt_stat[id];
	struct pt_regs *regs;
	struct mt_call *c;
	int fn;

	if (READ_ONCE(mt_tracers[id]) != t || READ_ONCE(t->magic) != MT_OPS_MAGIC + id) {
		mt_wrong(st, MT_BAD_OPS);
		return;
	}
	if (!READ_ONCE(t->live))
		mt_wrong(st, MT_LATE);

	fn = mt_fn_index(ip);
	if (fn < 0) {
		if (mt_may_see_others(t))
			atomic_long_inc(&st->other);
		else
			mt_wrong(st, MT_SPURIOUS);
		return;
	}

	c = (struct mt_call *)ftrace_regs_get_argument(fregs, 0);
	if ((unsigned long)c < PAGE_OFFSET || c->magic != MT_CALL_MAGIC) {
		mt_wrong(st, MT_BAD_ARGS);
		return;
	}
	if (t->opt & MT_OPT_SHOW)
		mt_fregs_take(id, ip, parent_ip, fregs);
	if (c->fn != fn || ip - (unsigned long)mt_fns[fn] > MT_SITE_OFFSET)
		mt_wrong(st, MT_BAD_IP);
	if (c->seen & BIT(id))
		mt_wrong(st, MT_DUP);
	c->seen |= BIT(id);
	if (parent_ip != (unsigned long)mt_ret_addr)
		mt_wrong(st, MT_BAD_PARENT);
	if (!mt_args_ok(c, fregs))
		mt_wrong(st, MT_BAD_ARGS);

	regs = ftrace_get_regs(fregs);
	if (t->opt & MT_OPT_REGS) {
		if (!regs || !mt_regs_ok(c, regs))
			mt_wrong(st, MT_BAD_REGS);
	} else if (regs) {
		atomic_long_inc(&st->unasked);
	}
	if (!atomic_read(&mt_ipmodify) &&
	    ftrace_regs_get_instruction_pointer(fregs) != ip + MCOUNT_INSN_SIZE)
		mt_wrong(st, MT_BAD_IP);

	if (t->opt & MT_OPT_STACK)
		mt_check_stack(st);
	if (t->opt & MT_OPT_HOLD && in_task())
		mt_hold_here();
	if (t->opt & MT_OPT_IPMODIFY)
		ftrace_regs_set_instruction_pointer(fregs, (unsigned long)mt_alt);
	atomic_long_inc(&st->count[fn]);
}

#define MT_CALLBACK(id)							\
static void mt_callback_##id(unsigned long ip, unsigned long parent_ip,	\
			     struct ftrace_ops *ops,			\
			     struct ftrace_regs *fregs)			\
{									\
	mt_callback(id, ip, parent_ip, ops, fregs);			\
}

MT_CALLBACK(0) MT_CALLBACK(1) MT_CALLBACK(2) MT_CALLBACK(3)
MT_CALLBACK(4) MT_CALLBACK(5) MT_CALLBACK(6) MT_CALLBACK(7)
MT_CALLBACK(8) MT_CALLBACK(9) MT_CALLBACK(10) MT_CALLBACK(11)
MT_CALLBACK(12) MT_CALLBACK(13) MT_CALLBACK(14) MT_CALLBACK(15)

static const ftrace_func_t mt_callbacks[MT_NR_TRACERS] = {
	mt_callback_0, mt_callback_1, mt_callback_2, mt_callback_3,
	mt_callback_4, mt_callback_5, mt_callback_6, mt_callback_7,
	mt_callback_8, mt_callback_9, mt_callback_10, mt_callback_11,
	mt_callback_12, mt_callback_13, mt_callback_14, mt_callback_15,
};

/* The functions whose name matches one of the comma separated globs */
static unsigned long mt_match(const char *globs)
{
	unsigned long fns = 0;
	char name[16], glob[64];
	const char *end;
	unsigned int i;

	for (; *globs; globs = *end ? end + 1 : end) {
		end = strchrnul(globs, ',');
		strscpy(glob, globs, min_t(size_t, sizeof(glob), end - globs + 1));
		for (i = 0; i < MT_NR_FNS; i++) {
			snprintf(name, sizeof(name), "mt_fn%02u", i);
			if (glob_match(glob, name))
				fns |= BIT(i);
		}
	}
	return fns;
}

static unsigned long mt_effective(struct mt_tracer *t)
{
	return (t->all ? MT_ALL_FNS : t->filter) & ~t->excluded;
}

static int mt_option(struct mt_tracer *t, const char *opt)
{
	if (!strcmp(opt, "regs")) {
		/* Where no tracer gets them, it is one that does not ask */
		if (!IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_REGS))
			return 0;
		t->ops.flags |= FTRACE_OPS_FL_SAVE_REGS;
		t->opt |= MT_OPT_REGS;
	} else if (!strcmp(opt, "recursion")) {
		t->ops.flags |= FTRACE_OPS_FL_RECURSION;
	} else if (!strcmp(opt, "rcu")) {
		t->ops.flags |= FTRACE_OPS_FL_RCU;
	} else if (!strcmp(opt, "ipmodify")) {
		t->ops.flags |= FTRACE_OPS_FL_IPMODIFY;
		t->opt |= MT_OPT_IPMODIFY;
	} else if (!strcmp(opt, "stack")) {
		t->opt |= MT_OPT_STACK;
	} else if (!strcmp(opt, "hold")) {
		t->opt |= MT_OPT_HOLD;
	} else if (!strcmp(opt, "show")) {
		t->opt |= MT_OPT_SHOW;
	} else if (!strcmp(opt, "other")) {
		t->opt |= MT_OPT_OTHER;
	} else if (!strncmp(opt, "name=", 5)) {
		strscpy(t->name, opt + 5, sizeof(t->name));
#ifdef CONFIG_FTRACE_MUX
		t->ops.name = t->name;
#endif
	} else {
		return -EINVAL;
	}
	return 0;
}

int mt_tracer_add(unsigned int id, char *options)
{
	struct mt_tracer *t;
	char *opt;
	int ret;

	guard(mutex)(&mt_locks[id]);
	if (mt_tracers[id])
		return -EEXIST;
	t = kzalloc(sizeof(*t), GFP_KERNEL);
	if (!t)
		return -ENOMEM;
	while ((opt = strsep(&options, " ,"))) {
		ret = *opt ? mt_option(t, opt) : 0;
		if (ret) {
			kfree(t);
			return ret;
		}
	}
	t->magic = MT_OPS_MAGIC + id;
	t->all = true;
	t->ops.func = mt_callbacks[id];
	WRITE_ONCE(mt_tracers[id], t);
	return 0;
}

/* What @id traces changes to what is set in @t; it traces @keep all the time */
static void mt_retarget_begin(unsigned int id, struct mt_tracer *t,
			      unsigned long keep, unsigned long may)
{
	if (t->registered)
		mt_change_begin(id, may, keep);
}

static void mt_retarget_end(unsigned int id, struct mt_tracer *t)
{
	t->effective = mt_effective(t);
	if (t->registered)
		mt_change_end(id, t->effective);
}

/* Set the filter, or what is excluded from it, to a list of globs */
int mt_tracer_filter(unsigned int id, char *globs, bool exclude)
{
	unsigned long first, now = 0, was, keep, may;
	struct mt_tracer *t;
	bool reset = true;
	bool all;
	char *glob;
	int ret = 0;

	guard(mutex)(&mt_locks[id]);
	t = mt_tracers[id];
	if (!t)
		return -ENOENT;
	was = exclude ? t->excluded : t->filter;
	all = t->all;
	now = globs && *globs ? mt_match(globs) : 0;
	if (exclude) {
		/* Between the first glob and the last, less is excluded than after */
		may = t->all ? MT_ALL_FNS : t->filter;
		keep = t->effective & ~now;
	} else {
		first = globs ? *strchrnul(globs, ',') ? 0 : now : MT_ALL_FNS;
		may = globs ? now | t->effective : MT_ALL_FNS;
		keep = first & ~t->excluded;
		if (!globs)
			mt_set_all(t, true);
	}
	mt_retarget_begin(id, t, keep, may);
	if (!globs) {
		ret = exclude ? ftrace_set_notrace(&t->ops, NULL, 0, 1) :
				ftrace_set_filter(&t->ops, NULL, 0, 1);
	} else {
		while (!ret && (glob = strsep(&globs, ","))) {
			ret = exclude ?
				ftrace_set_notrace(&t->ops, glob, strlen(glob), reset) :
				ftrace_set_filter(&t->ops, glob, strlen(glob), reset);
			reset = false;
		}
	}
	/* A list that fails after its first glob is not tracked: use one glob */
	if (ret)
		now = was;
	if (exclude)
		t->excluded = now;
	else
		t->filter = now;
	if (!exclude)
		mt_set_all(t, ret ? all : reset);
	mt_retarget_end(id, t);
	return ret;
}

/* Set the filter to a set of functions, by address, in one step */
int mt_tracer_filter_ips(unsigned int id, unsigned long fns)
{
	unsigned long ips[MT_NR_FNS];
	struct mt_tracer *t;
	unsigned int i, nr = 0;
	int ret;

	guard(mutex)(&mt_locks[id]);
	t = mt_tracers[id];
	if (!t)
		return -ENOENT;
	if (!fns)
		return -EINVAL;
	for_each_set_bit(i, &fns, MT_NR_FNS)
		ips[nr++] = (unsigned long)mt_fns[i];

	mt_retarget_begin(id, t, fns & ~t->excluded, fns & ~t->excluded);
	ret = ftrace_set_filter_ips(&t->ops, ips, nr, 0, 1);
	if (!ret) {
		t->filter = fns;
		mt_set_all(t, false);
	}
	mt_retarget_end(id, t);
	return ret;
}

static int mt_register(unsigned int id, struct mt_tracer *t)
{
	int ret;

	if (t->registered)
		return -EBUSY;
	t->effective = mt_effective(t);
	if (t->opt & MT_OPT_IPMODIFY)
		atomic_inc(&mt_ipmodify);
	WRITE_ONCE(t->live, true);
	mt_change_begin(id, t->effective, 0);
	ret = register_ftrace_function(&t->ops);
	mt_change_end(id, ret ? 0 : t->effective);
	t->registered = !ret;
	if (ret) {
		WRITE_ONCE(t->live, false);
		if (t->opt & MT_OPT_IPMODIFY)
			atomic_dec(&mt_ipmodify);
	}
	return ret;
}

static int mt_unregister(unsigned int id, struct mt_tracer *t)
{
	int ret;

	if (!t->registered)
		return -ENOENT;
	mt_change_begin(id, 0, 0);
	ret = unregister_ftrace_function(&t->ops);
	WRITE_ONCE(t->live, false);
	mt_change_end(id, 0);
	t->registered = false;
	if (t->opt & MT_OPT_IPMODIFY)
		atomic_dec(&mt_ipmodify);
	return ret;
}

int mt_tracer_register(unsigned int id)
{
	guard(mutex)(&mt_locks[id]);
	return mt_tracers[id] ? mt_register(id, mt_tracers[id]) : -ENOENT;
}

int mt_tracer_unregister(unsigned int id)
{
	guard(mutex)(&mt_locks[id]);
	return mt_tracers[id] ? mt_unregister(id, mt_tracers[id]) : -ENOENT;
}

/* Another user changes the instruction pointer of calls, or no longer does */
void mt_others_modify(bool on)
{
	atomic_add(on ? 1 : -1, &mt_ipmodify);
}

/* Unregisters too. A callback that runs later finds poison, and KASAN */
int mt_tracer_free(unsigned int id)
{
	struct mt_tracer *t;

	guard(mutex)(&mt_locks[id]);
	t = mt_tracers[id];
	if (!t)
		return -ENOENT;
	if (t->registered)
		mt_unregister(id, t);
	ftrace_free_filter(&t->ops);
	WRITE_ONCE(mt_tracers[id], NULL);
	memset(t, MT_POISON, sizeof(*t));
	kfree(t);
	return 0;
}

void mt_tracers_init(void)
{
	unsigned int id;

	for (id = 0; id < MT_NR_TRACERS; id++)
		mutex_init(&mt_locks[id]);
}

void mt_tracers_exit(void)
{
	unsigned int id;

	for (id = 0; id < MT_NR_TRACERS; id++)
		mt_tracer_free(id);
}

/* A digit per function: whether the tracer has to see it */
static void mt_show_tracer(struct seq_file *m, unsigned int id, struct mt_tracer *t)
{
	unsigned int fn;

	seq_printf(m, "tracer %u %s ", id, t->registered ? "registered" : "idle");
	for (fn = 0; fn < MT_NR_FNS; fn++)
		seq_putc(m, mt_effective(t) & BIT(fn) ? '1' : '0');
	seq_printf(m, " %lx %s\n", t->ops.flags, t->name);
}

void mt_tracers_show(struct seq_file *m)
{
	struct mt_tracer *t;
	struct mt_stat *st;
	unsigned int id, i;

	for (id = 0; id < MT_NR_TRACERS; id++) {
		guard(mutex)(&mt_locks[id]);
		t = mt_tracers[id];
		st = &mt_stat[id];
		if (t)
			mt_show_tracer(m, id, t);
		for (i = 0; i < MT_NR_FNS; i++)
			if (atomic_long_read(&st->count[i]))
				seq_printf(m, "count %u %u %ld\n", id, i,
					   atomic_long_read(&st->count[i]));
		if (atomic_long_read(&st->other))
			seq_printf(m, "other %u %ld\n", id, atomic_long_read(&st->other));
		if (atomic_long_read(&st->unasked))
			seq_printf(m, "unasked_regs %u %ld\n", id,
				   atomic_long_read(&st->unasked));
		for (i = 0; i < MT_NR_BAD; i++)
			if (atomic_long_read(&st->bad[i]))
				seq_printf(m, "bad %u %s %ld\n", id, mt_bad_names[i],
					   atomic_long_read(&st->bad[i]));
	}
}
