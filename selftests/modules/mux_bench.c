// SPDX-License-Identifier: GPL-2.0
/*
 * A tracer with full registers on a function of upstream's ftrace-ops sample,
 * from when that module comes until it goes: so that the sample, which gives
 * all its tracers the same flags, can be measured with one among others that
 * wants the registers.
 */
#include <linux/ftrace.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/string.h>

static unsigned int record_size = sizeof(struct dyn_ftrace);
module_param(record_size, uint, 0444);
MODULE_PARM_DESC(record_size, "Bytes per traceable function");

static void bench_func(unsigned long ip, unsigned long parent_ip,
		       struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
}

static struct ftrace_ops bench_ops = {
	.func	= bench_func,
	.flags	= FTRACE_OPS_FL_SAVE_REGS,
};

static int bench_attach(void)
{
	unsigned char function[] = "tracee_relevant";
	int ret = ftrace_set_filter(&bench_ops, function, strlen(function), 1);

	return ret ?: register_ftrace_function(&bench_ops);
}

/* The filter stays for the next time: ftrace_free_filter() leaves a pointer to it */
static void bench_detach(void)
{
	if (bench_ops.flags & FTRACE_OPS_FL_ENABLED)
		unregister_ftrace_function(&bench_ops);
}

/* After ftrace has made the module's functions traceable, before its init */
static int bench_notify(struct notifier_block *nb, unsigned long state, void *data)
{
	struct module *module = data;

	if (strcmp(module->name, "ftrace_ops"))
		return NOTIFY_DONE;
	if (state == MODULE_STATE_COMING)
		return notifier_from_errno(bench_attach());
	if (state == MODULE_STATE_GOING)
		bench_detach();
	return NOTIFY_DONE;
}

static struct notifier_block bench_nb = { .notifier_call = bench_notify };

static int __init bench_init(void)
{
	return register_module_notifier(&bench_nb);
}

static void __exit bench_exit(void)
{
	unregister_module_notifier(&bench_nb);
	ftrace_free_filter(&bench_ops);
}

module_init(bench_init);
module_exit(bench_exit);
MODULE_DESCRIPTION("A tracer with full registers for the ftrace-ops sample");
MODULE_LICENSE("GPL");
