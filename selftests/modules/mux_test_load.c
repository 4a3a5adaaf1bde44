// SPDX-License-Identifier: GPL-2.0
/*
 * Threads that call the traced functions all the time, and a timer that calls
 * them in hard interrupt context. And churn threads, which change the tracers
 * meanwhile; their choices come from a seed.
 */
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/prandom.h>
#include <linux/seq_file.h>

#include "compat.h"
#include "mux_test.h"

#define MT_MAX_THREADS	8
#define MT_ROUNDS	64	/* calls of each function between two rests of a load thread */
#define MT_REST_US	200
#define MT_TIMER_US	500	/* period of the timer that calls functions */

struct mt_churn {
	struct rnd_state	rnd;
	unsigned int		first, nr;	/* its tracers */
};

enum { MT_ADDS, MT_REGISTERS, MT_FILTERS, MT_NOTRACES, MT_UNREGISTERS, MT_FREES,
	MT_FAILED, MT_NR_DONE };
static const char *const mt_done_names[MT_NR_DONE] = {
	"adds", "registers", "filters", "notraces", "unregisters", "frees", "failed",
};

static struct task_struct *mt_loads[MT_MAX_THREADS];
static struct task_struct *mt_churns[MT_MAX_THREADS];
static struct mt_churn mt_churn_state[MT_MAX_THREADS];
static atomic_long_t mt_done[MT_NR_DONE];
static struct hrtimer mt_hrtimer;
static bool mt_timer_on;
static unsigned int mt_timer_fn;

static void mt_stop(struct task_struct **threads)
{
	unsigned int i;

	for (i = 0; i < MT_MAX_THREADS; i++) {
		if (threads[i])
			kthread_stop(threads[i]);
		threads[i] = NULL;
	}
}

static int mt_load_thread(void *unused)
{
	unsigned int round, fn;

	while (!kthread_should_stop()) {
		for (round = 0; round < MT_ROUNDS; round++) {
			for (fn = 0; fn < MT_NR_FNS; fn++)
				mt_do_call(fn);
			cond_resched();
		}
		usleep_range(MT_REST_US, MT_REST_US + 50);
	}
	return 0;
}

/* Have this many threads call functions. 0 returns when all have stopped */
int mt_load(unsigned int threads)
{
	unsigned int i;

	mt_stop(mt_loads);
	for (i = 0; i < min(threads, MT_MAX_THREADS); i++) {
		mt_loads[i] = kthread_run(mt_load_thread, NULL, "mux_test_load/%u", i);
		if (IS_ERR(mt_loads[i])) {
			mt_loads[i] = NULL;
			mt_stop(mt_loads);
			return -ENOMEM;
		}
	}
	return 0;
}

static enum hrtimer_restart mt_timer_expired(struct hrtimer *timer)
{
	unsigned int i;

	for (i = 0; i < 8; i++)
		mt_do_call(mt_timer_fn++ % MT_NR_FNS);
	hrtimer_forward_now(timer, ns_to_ktime(MT_TIMER_US * NSEC_PER_USEC));
	return HRTIMER_RESTART;
}

int mt_timer(bool on)
{
	if (mt_timer_on)
		hrtimer_cancel(&mt_hrtimer);
	mt_timer_on = on;
	if (on) {
		mt_hrtimer_setup(&mt_hrtimer, mt_timer_expired, HRTIMER_MODE_REL_HARD);
		hrtimer_start(&mt_hrtimer, ns_to_ktime(MT_TIMER_US * NSEC_PER_USEC),
			      HRTIMER_MODE_REL_HARD);
	}
	return 0;
}

static void mt_churn_new(unsigned int id, struct rnd_state *rnd)
{
	static const char *const options[] = {
		"", "regs", "recursion", "regs,recursion", "rcu", "", "", "regs",
	};
	char buf[32];
	u32 fns;
	int ret;

	strscpy(buf, options[prandom_u32_state(rnd) % ARRAY_SIZE(options)]);
	fns = prandom_u32_state(rnd) & prandom_u32_state(rnd);
	ret = mt_tracer_add(id, buf);
	if (!ret)
		ret = mt_tracer_filter_ips(id, fns ?: 1);
	if (ret) {
		/* never register one that would trace the whole kernel */
		mt_tracer_free(id);
		atomic_long_inc(&mt_done[MT_FAILED]);
		return;
	}
	atomic_long_inc(&mt_done[MT_ADDS]);
	ret = mt_tracer_register(id);
	atomic_long_inc(&mt_done[ret ? MT_FAILED : MT_REGISTERS]);
}

/* One step of the life of a tracer */
static void mt_churn_step(unsigned int id, struct rnd_state *rnd)
{
	static const char *const excludes[] = {
		"mt_fn0*", "mt_fn?5", "mt_fn1[0-7]", "mt_fn*", "mt_fn31",
	};
	u32 what = prandom_u32_state(rnd) % 100;
	u32 arg = prandom_u32_state(rnd);
	unsigned int done;
	char buf[16];
	int ret;

	if (what < 50) {
		done = MT_FILTERS;
		ret = mt_tracer_filter_ips(id, arg ?: 1);
	} else if (what < 60) {
		done = MT_NOTRACES;
		strscpy(buf, excludes[arg % ARRAY_SIZE(excludes)]);
		ret = mt_tracer_filter(id, arg & 0x10000 ? buf : NULL, true);
	} else if (what < 70) {
		done = MT_UNREGISTERS;
		ret = mt_tracer_unregister(id);
	} else if (what < 80) {
		done = MT_REGISTERS;
		ret = mt_tracer_register(id);
	} else {
		done = MT_FREES;
		ret = mt_tracer_free(id);
	}
	if (ret == -ENOENT && done == MT_FILTERS)
		mt_churn_new(id, rnd);
	else if (ret != -ENOENT && ret != -EBUSY)
		atomic_long_inc(&mt_done[ret ? MT_FAILED : done]);
}

static int mt_churn_thread(void *data)
{
	struct mt_churn *churn = data;

	while (!kthread_should_stop()) {
		u32 id = churn->first + prandom_u32_state(&churn->rnd) % churn->nr;

		mt_churn_step(id, &churn->rnd);
		cond_resched();
	}
	return 0;
}

/*
 * Change @nr tracers from @first on in @threads threads, each of which has some
 * of them to itself, so that its steps depend on the seed alone.
 */
int mt_churn(unsigned int threads, u32 seed, unsigned int first, unsigned int nr)
{
	unsigned int i;

	mt_stop(mt_churns);
	if (!threads)
		return 0;
	if (first + nr > MT_NR_TRACERS || nr < threads || threads > MT_MAX_THREADS)
		return -EINVAL;
	for (i = 0; i < threads; i++) {
		struct mt_churn *churn = &mt_churn_state[i];

		prandom_seed_state(&churn->rnd, seed + i);
		churn->nr = nr / threads;
		churn->first = first + i * churn->nr;
		mt_churns[i] = kthread_run(mt_churn_thread, churn, "mux_test_churn/%u", i);
		if (IS_ERR(mt_churns[i])) {
			mt_churns[i] = NULL;
			mt_stop(mt_churns);
			return -ENOMEM;
		}
	}
	return 0;
}

void mt_load_show(struct seq_file *m)
{
	unsigned int i;

	for (i = 0; i < MT_NR_DONE; i++)
		seq_printf(m, "%s %ld\n", mt_done_names[i], atomic_long_read(&mt_done[i]));
}

void mt_load_exit(void)
{
	mt_stop(mt_churns);
	mt_stop(mt_loads);
	mt_timer(false);
}
