// SPDX-License-Identifier: GPL-2.0
/*
 * A livepatch of function number 4 of mux_test. The new function leaves its mark
 * in the call, and counts itself in the parameter `calls`.
 */
#include <linux/livepatch.h>
#include <linux/module.h>

#include "mux_test.h"

static int klp_calls;
module_param_named(calls, klp_calls, int, 0444);

static noinline notrace long klp_mt_fn04(struct mt_call *c)
{
	klp_calls++;
	c->alt++;
	return (long)c ^ c->fn;
}

static struct klp_func klp_funcs[] = {
	{ .old_name = "mt_fn04", .new_func = klp_mt_fn04 },
	{ }
};

static struct klp_object klp_objs[] = {
	{ .name = "mux_test", .funcs = klp_funcs },
	{ }
};

static struct klp_patch klp = {
	.mod = THIS_MODULE,
	.objs = klp_objs,
};

static int __init mux_klp_init(void)
{
	return klp_enable_patch(&klp);
}
module_init(mux_klp_init);

static void __exit mux_klp_exit(void)
{
}
module_exit(mux_klp_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A livepatch of a traced function");
MODULE_INFO(livepatch, "Y");
