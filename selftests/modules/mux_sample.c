// SPDX-License-Identifier: GPL-2.0
/*
 * A function tracer in a module: it has a name, a filter and a counter.
 *
 *	insmod mux_sample.ko filter='vfs_*'
 *
 * The name makes it a tracer that tracefs lists in function_tracers, and whose
 * filter can be changed in tracers/sample/ while it runs.
 */
#include <linux/ftrace.h>
#include <linux/module.h>
#include <linux/percpu.h>

static char *filter = "vfs_*";
module_param(filter, charp, 0444);
MODULE_PARM_DESC(filter, "functions to trace, as in set_ftrace_filter");

static DEFINE_PER_CPU(unsigned long, sample_calls);

/* Called for each call of a traced function, with preemption off or on */
static void notrace sample_func(unsigned long ip, unsigned long parent_ip,
				struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	this_cpu_inc(sample_calls);
}

static struct ftrace_ops sample_ops = {
	.func	= sample_func,
#ifdef CONFIG_FTRACE_MUX
	.name	= "sample",
#endif
};

static int sample_get_calls(char *buf, const struct kernel_param *kp)
{
	unsigned long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += per_cpu(sample_calls, cpu);
	return sysfs_emit(buf, "%lu\n", sum);
}

static const struct kernel_param_ops calls_ops = { .get = sample_get_calls };
module_param_cb(calls, &calls_ops, NULL, 0444);
MODULE_PARM_DESC(calls, "calls of traced functions so far");

static int __init sample_init(void)
{
	int ret = ftrace_set_filter(&sample_ops, filter, strlen(filter), 1);

	if (!ret)
		ret = register_ftrace_function(&sample_ops);
	if (ret)
		ftrace_free_filter(&sample_ops);
	return ret;
}
module_init(sample_init);

static void __exit sample_exit(void)
{
	unregister_ftrace_function(&sample_ops);
	ftrace_free_filter(&sample_ops);
}
module_exit(sample_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A named function tracer with a filter and a counter");
