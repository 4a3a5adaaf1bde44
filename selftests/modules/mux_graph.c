// SPDX-License-Identifier: GPL-2.0
/*
 * Users of function graph on the functions of mux_test, and an oracle of their
 * own: for each call it knows which users have to see its entry and its return.
 *
 * cmd, in debugfs/mux_graph, takes one command:
 *
 *	filter USER MASK	bit n is mt_fn<n>, bit 32 msleep_interruptible(); registered or not
 *	reg USER, unreg USER
 *	load THREADS		call all functions, all the time; 0 stops
 *	call FN COUNT		call a function from here
 *	sleep MILLISECONDS	in msleep_interruptible()
 *	churn SEED		change users at random, all the time; 0 stops
 *	keep USERS		a mask of those that churn leaves alone
 *	reset			set all counters to 0
 *	nth N COMMAND		a command whose N-th allocation of memory fails, as mux_test's
 *
 * stats: a line for each counter, and `user USER FN ENTRIES RETURNS`.
 *
 * A change of a user makes its generation odd before, and even after. A call
 * whose user has the same even generation before and after it has to be seen by
 * exactly those whose filter has the function, on entry and return. Any other
 * user sees the return only if it saw the entry.
 */
#include <linux/bitops.h>
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/ftrace.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/prandom.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "arch.h"
#include "compat.h"
#include "lookup.h"
#include "mux_test.h"

#define USERS	16
#define CALLERS	8

/* The functions of mux_test, and one that sleeps */
#define SLEEP	MT_NR_FNS
#define NR_FNS	(MT_NR_FNS + 1)

enum { LOST, SPURIOUS, DUP, NO_RETURN, NO_ENTRY, ELSEWHERE, NR_BAD };
static const char *const bad_names[NR_BAD] = {
	"lost", "spurious", "dup", "no_return", "no_entry", "elsewhere",
};

static struct graph_user {
	struct fgraph_ops	gops;
	unsigned long		filter;
	unsigned int		generation;
	bool			registered;
	atomic_long_t		entries[NR_FNS];
	atomic_long_t		returns[NR_FNS];
} users[USERS];

/* What a thread calls */
static struct graph_call {
	struct task_struct	*task;
	unsigned int		fn;
	unsigned long		entered;	/* a bit per user */
	unsigned long		returned;
} callers[CALLERS];

static atomic_long_t bad[NR_BAD];
static atomic_long_t checked;
static struct task_struct *loads[CALLERS - 2];
static struct task_struct *churner;
static unsigned long keep;
static DEFINE_MUTEX(lock);

/* function graph is not there for modules */
static int (*register_graph)(struct fgraph_ops *gops);
static void (*unregister_graph)(struct fgraph_ops *gops);

static void is_bad(int what, unsigned int nr)
{
	atomic_long_add(nr, &bad[what]);
}

static struct graph_call *call_of(unsigned int fn)
{
	unsigned int i;

	if (!in_task())
		return NULL;
	for (i = 0; i < CALLERS; i++) {
		if (READ_ONCE(callers[i].task) == current)
			return callers[i].fn == fn ? &callers[i] : NULL;
	}
	return NULL;
}

static unsigned long address_of(unsigned int fn)
{
	return fn == SLEEP ? (unsigned long)msleep_interruptible : (unsigned long)mt_fns[fn];
}

static int fn_of(unsigned long ip)
{
	unsigned int i;

	for (i = 0; i < NR_FNS; i++) {
		if (ip - address_of(i) <= MT_SITE_OFFSET)
			return i;
	}
	is_bad(ELSEWHERE, 1);
	return -1;
}

static int see_entry(struct ftrace_graph_ent *trace, struct graph_user *user)
{
	int fn = fn_of(trace->func);
	struct graph_call *call;

	if (fn < 0)
		return 0;
	atomic_long_inc(&user->entries[fn]);
	call = call_of(fn);
	if (call && test_and_set_bit(user - users, &call->entered))
		is_bad(DUP, 1);
	return 1;
}

static void see_return(struct ftrace_graph_ret *trace, struct graph_user *user)
{
	int fn = fn_of(trace->func);
	struct graph_call *call;

	if (fn < 0)
		return;
	atomic_long_inc(&user->returns[fn]);
	call = call_of(fn);
	if (call && test_and_set_bit(user - users, &call->returned))
		is_bad(DUP, 1);
}

/* Both have one more argument in Linux 7.2 */
static int graph_entry GRAPH_ARGUMENTS(struct ftrace_graph_ent *trace, struct fgraph_ops *gops)
{
	return see_entry(trace, container_of(gops, struct graph_user, gops));
}

static void graph_return GRAPH_ARGUMENTS(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
	see_return(trace, container_of(gops, struct graph_user, gops));
}

/* The users that have to see a call of a function, and the generations of all */
static unsigned long who(unsigned int fn, unsigned int *generation)
{
	unsigned long must = 0;
	unsigned int i;

	for (i = 0; i < USERS; i++) {
		/* Before the filter */
		generation[i] = smp_load_acquire(&users[i].generation);
		if (READ_ONCE(users[i].registered) && READ_ONCE(users[i].filter) & BIT(fn))
			must |= BIT(i);
	}
	smp_mb(); /* before the call, and after it */
	return must;
}

static void check_call(struct graph_call *call, unsigned long must, unsigned long steady)
{
	unsigned long entered = call->entered, returned = call->returned;

	is_bad(LOST, hweight_long(must & ~entered & steady));
	is_bad(SPURIOUS, hweight_long(entered & ~must & steady));
	is_bad(NO_RETURN, hweight_long(entered & ~returned & steady));
	is_bad(NO_ENTRY, hweight_long(returned & ~entered));
	atomic_long_inc(&checked);
}

static void call_checked(struct graph_call *call, unsigned int fn)
{
	unsigned int before[USERS], after[USERS];
	struct mt_call c = { .magic = MT_CALL_MAGIC, .fn = fn };
	unsigned long must, steady = 0;
	unsigned int i;

	call->fn = fn;
	call->entered = 0;
	call->returned = 0;
	must = who(fn, before);
	WRITE_ONCE(call->task, current);
	mt_fns[fn](&c, MT_ARG(&c, 1), MT_ARG(&c, 2), MT_ARG(&c, 3), MT_ARG(&c, 4), MT_ARG(&c, 5),
		   MT_ARG(&c, 6), MT_ARG(&c, 7));
	WRITE_ONCE(call->task, NULL);
	who(fn, after);
	for (i = 0; i < USERS; i++) {
		if (before[i] == after[i] && !(before[i] & 1))
			steady |= BIT(i);
	}
	check_call(call, must, steady);
}

static int load_thread(void *data)
{
	unsigned int i;

	while (!kthread_should_stop()) {
		for (i = 0; i < 64 * MT_NR_FNS; i++)
			call_checked(data, i % MT_NR_FNS);
		/* Grace periods of tasks RCU wait for it */
		usleep_range(200, 250);
	}
	return 0;
}

static int set_load(unsigned long threads)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(loads); i++) {
		if (loads[i])
			kthread_stop(loads[i]);
		loads[i] = NULL;
	}
	for (i = 0; i < threads && i < ARRAY_SIZE(loads); i++) {
		struct task_struct *t = kthread_run(load_thread, &callers[i], "mux_graph/%u", i);

		if (IS_ERR(t))
			return PTR_ERR(t);
		loads[i] = t;
	}
	return 0;
}

static void change(struct graph_user *user)
{
	/* After the filter */
	smp_store_release(&user->generation, user->generation + 1);
	smp_mb(); /* before the call into ftrace, and after it */
}

/* The addresses of the functions of a mask are the filter */
static int set_filter(struct graph_user *user, unsigned long mask)
{
	unsigned long ips[NR_FNS];
	unsigned int i, nr = 0;
	int ret;

	for_each_set_bit(i, &mask, NR_FNS)
		ips[nr++] = address_of(i);
	change(user);
	ret = ftrace_set_filter_ips(&user->gops.ops, ips, nr, 0, 1);
	if (!ret)
		WRITE_ONCE(user->filter, mask);
	change(user);
	return ret;
}

static int set_registered(struct graph_user *user, bool on)
{
	int ret = 0;

	if (user->registered == on)
		return -EINVAL;
	if (!on) {
		change(user);
		unregister_graph(&user->gops);
		WRITE_ONCE(user->registered, false);
		change(user);
		return 0;
	}
	if (!user->filter)
		return -EINVAL;
	change(user);
	user->gops.entryfunc = graph_entry;
	user->gops.retfunc = graph_return;
	ret = register_graph(&user->gops);
	if (!ret)
		WRITE_ONCE(user->registered, true);
	change(user);
	return ret;
}

static int churn_thread(void *data)
{
	struct rnd_state rnd;

	prandom_seed_state(&rnd, (unsigned long)data);
	while (!kthread_should_stop()) {
		unsigned int i = prandom_u32_state(&rnd) % USERS;
		unsigned int mask = prandom_u32_state(&rnd);
		unsigned int what = prandom_u32_state(&rnd) % 4;

		if (keep & BIT(i))
			continue;
		mutex_lock(&lock);
		if (what < 2)
			set_filter(&users[i], mask & prandom_u32_state(&rnd) ?: BIT(i));
		else
			set_registered(&users[i], !users[i].registered);
		mutex_unlock(&lock);
		cond_resched();
	}
	return 0;
}

static int set_churn(unsigned long seed)
{
	if (churner)
		kthread_stop(churner);
	churner = NULL;
	if (!seed)
		return 0;
	churner = kthread_run(churn_thread, (void *)seed, "mux_graph/churn");
	if (!IS_ERR(churner))
		return 0;
	churner = NULL;
	return -ENOMEM;
}

static void reset(void)
{
	unsigned int i;

	for (i = 0; i < NR_BAD; i++)
		atomic_long_set(&bad[i], 0);
	atomic_long_set(&checked, 0);
	for (i = 0; i < USERS; i++) {
		memset(users[i].entries, 0, sizeof(users[i].entries));
		memset(users[i].returns, 0, sizeof(users[i].returns));
	}
}

static int run_call(unsigned long fn, unsigned long count)
{
	if (fn >= MT_NR_FNS)
		return -EINVAL;
	while (count--)
		call_checked(&callers[CALLERS - 1], fn);
	return 0;
}

static int run_command(const char *name, unsigned long a, unsigned long b)
{
	struct graph_user *user = &users[a % USERS];

	if (!strcmp(name, "load"))
		return set_load(a);
	if (!strcmp(name, "churn"))
		return set_churn(a);
	if (!strcmp(name, "sleep")) {
		msleep_interruptible(a);
		return 0;
	}

	guard(mutex)(&lock);
	if (!strcmp(name, "filter"))
		return set_filter(user, b);
	if (!strcmp(name, "reg"))
		return set_registered(user, true);
	if (!strcmp(name, "unreg"))
		return set_registered(user, false);
	if (!strcmp(name, "call"))
		return run_call(a, b);
	if (!strcmp(name, "keep"))
		keep = a;
	else if (!strcmp(name, "reset"))
		reset();
	else
		return -EINVAL;
	return 0;
}

static ssize_t cmd_write(struct file *file, const char __user *ubuf, size_t count, loff_t *ppos)
{
	unsigned long a = 0, b = 0;
	char buf[64], name[16], *line;
	unsigned int nth;
	int ret;

	if (count >= sizeof(buf))
		return -EINVAL;
	if (copy_from_user(buf, ubuf, count))
		return -EFAULT;
	buf[count] = 0;
	line = mt_nth_parse(buf, &nth);
	if (sscanf(line, "%15s %li %li", name, &a, &b) < 1)
		return -EINVAL;
	ret = mt_nth_begin(nth);
	if (ret)
		return ret;
	ret = run_command(name, a, b);
	mt_nth_end();
	return ret ?: count;
}

static const struct file_operations cmd_fops = {
	.owner	= THIS_MODULE,
	.write	= cmd_write,
};

static int stats_show(struct seq_file *m, void *v)
{
	unsigned long errors = 0;
	unsigned int i, fn;

	seq_printf(m, "checked %ld\n", atomic_long_read(&checked));
	for (i = 0; i < NR_BAD; i++) {
		seq_printf(m, "%s %ld\n", bad_names[i], atomic_long_read(&bad[i]));
		errors += atomic_long_read(&bad[i]);
	}
	seq_printf(m, "errors %lu\n", errors);
	for (i = 0; i < USERS; i++) {
		for (fn = 0; fn < NR_FNS; fn++) {
			if (atomic_long_read(&users[i].entries[fn]) ||
			    atomic_long_read(&users[i].returns[fn]))
				seq_printf(m, "user %u %u %ld %ld\n", i, fn,
					   atomic_long_read(&users[i].entries[fn]),
					   atomic_long_read(&users[i].returns[fn]));
		}
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(stats);

static int find_functions(void)
{
	register_graph = mt_lookup("register_ftrace_graph");
	unregister_graph = mt_lookup("unregister_ftrace_graph");
	return register_graph && unregister_graph ? 0 : -ENOENT;
}

static struct dentry *dir;

static int __init graph_init(void)
{
	int ret = find_functions();

	if (ret)
		return ret;
	dir = debugfs_create_dir("mux_graph", NULL);
	debugfs_create_file("cmd", 0200, dir, NULL, &cmd_fops);
	debugfs_create_file("stats", 0400, dir, NULL, &stats_fops);
	return 0;
}

static void __exit graph_exit(void)
{
	unsigned int i;

	debugfs_remove(dir);
	set_churn(0);
	set_load(0);
	for (i = 0; i < USERS; i++) {
		if (users[i].registered)
			unregister_graph(&users[i].gops);
	}
	/* A return may be on its way: fgraph does not wait for it */
	synchronize_rcu();
	msleep(100);
	for (i = 0; i < USERS; i++)
		ftrace_free_filter(&users[i].gops.ops);
}

module_init(graph_init);
module_exit(graph_exit);
MODULE_DESCRIPTION("Users of function graph, and whether they see each entry and return");
MODULE_LICENSE("GPL");
