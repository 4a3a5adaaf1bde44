// SPDX-License-Identifier: GPL-2.0
/*
 * A tracer in a separate module, as users write them: it traces mt_fn* of
 * mux_test from loading to unloading, when its text goes away.
 */
#include <linux/ftrace.h>
#include <linux/module.h>

/* ftrace_set_filter() writes to it */
static char filter[64] = "mt_fn*";
module_param_string(filter, filter, sizeof(filter), 0444);

static bool regs;
module_param(regs, bool, 0444);

static char *name;
module_param(name, charp, 0444);
MODULE_PARM_DESC(name, "under which it can be selected, on a kernel that multiplexes");

static void notrace mux_user_callback(unsigned long ip, unsigned long parent_ip,
				      struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
}

static struct ftrace_ops mux_user_ops = {
	.func = mux_user_callback,
};

/* The only traced function, gone after loading: its page of records is empty */
static noinline int __init mux_user_start(void)
{
	return register_ftrace_function(&mux_user_ops);
}

static int __init notrace mux_user_init(void)
{
	int ret = ftrace_set_filter(&mux_user_ops, filter, strlen(filter), 1);

	if (ret)
		return ret;
	if (regs)
		mux_user_ops.flags |= FTRACE_OPS_FL_SAVE_REGS;
#ifdef CONFIG_FTRACE_MUX
	mux_user_ops.name = name;
#endif
	ret = mux_user_start();
	if (ret)
		ftrace_free_filter(&mux_user_ops);
	return ret;
}
module_init(mux_user_init);

static void __exit notrace mux_user_exit(void)
{
	unregister_ftrace_function(&mux_user_ops);
	ftrace_free_filter(&mux_user_ops);
}
module_exit(mux_user_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A tracer that comes and goes with its module");
