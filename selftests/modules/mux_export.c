// SPDX-License-Identifier: GPL-2.0
/*
 * Counts the events of functions that the kernel exports while the module is
 * loaded, and those that are none: an event has the address of a function.
 */
#include <linux/atomic.h>
#include <linux/module.h>
#include <linux/trace.h>
#include <linux/trace_events.h>

static atomic_long_t events, errors;

static int get_count(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%ld\n", atomic_long_read((atomic_long_t *)kp->arg));
}

static const struct kernel_param_ops count_ops = { .get = get_count };

module_param_cb(events, &count_ops, &events, 0400);
MODULE_PARM_DESC(events, "how many events came");
module_param_cb(errors, &count_ops, &errors, 0400);
MODULE_PARM_DESC(errors, "how many are no event of a function");

static void count(struct trace_export *export, const void *entry, unsigned int size)
{
	const struct trace_entry *head = entry;
	const long *ip = (const void *)(head + 1);

	atomic_long_inc(&events);
	if (size < sizeof(*head) + 2 * sizeof(*ip) || *ip >= 0)
		atomic_long_inc(&errors);
}

static struct trace_export export = {
	.write	= count,
	.flags	= TRACE_EXPORT_FUNCTION,
};

static int __init mux_export_init(void)
{
	return register_ftrace_export(&export);
}
module_init(mux_export_init);

static void __exit mux_export_exit(void)
{
	unregister_ftrace_export(&export);
}
module_exit(mux_export_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Counts exported events of functions");
