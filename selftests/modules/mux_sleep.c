// SPDX-License-Identifier: GPL-2.0
/*
 * As many tasks as the parameter `tasks` says, all in msleep_interruptible()
 * from the loading of the module until it goes: then all of them return.
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched/signal.h>

static unsigned long tasks = 1;
module_param(tasks, ulong, 0400);
MODULE_PARM_DESC(tasks, "how many tasks sleep");

static struct task_struct **sleepers;
static unsigned long nr_sleepers;

static int sleeper(void *started)
{
	allow_signal(SIGINT);
	complete(started);
	msleep_interruptible(UINT_MAX);
	set_current_state(TASK_IDLE);
	while (!kthread_should_stop()) {
		schedule();
		set_current_state(TASK_IDLE);
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

static void wake_all(void)
{
	unsigned long i;

	for (i = 0; i < nr_sleepers; i++)
		send_sig(SIGINT, sleepers[i], 1);
	while (nr_sleepers)
		kthread_stop(sleepers[--nr_sleepers]);
	kvfree(sleepers);
}

static int __init mux_sleep_init(void)
{
	DECLARE_COMPLETION_ONSTACK(started);

	sleepers = kvcalloc(tasks, sizeof(*sleepers), GFP_KERNEL);
	if (!sleepers)
		return -ENOMEM;
	while (nr_sleepers < tasks) {
		struct task_struct *t = kthread_run(sleeper, &started, "mux_sleep");

		if (IS_ERR(t)) {
			wake_all();
			return PTR_ERR(t);
		}
		wait_for_completion(&started);
		sleepers[nr_sleepers++] = t;
	}
	return 0;
}
module_init(mux_sleep_init);

static void __exit mux_sleep_exit(void)
{
	wake_all();
}
module_exit(mux_sleep_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Many tasks in one function");
