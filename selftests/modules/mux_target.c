// SPDX-License-Identifier: GPL-2.0
/*
 * A module to load and unload while its functions are traced. A write of N to
 * the parameter `call` calls each function N times.
 */
#include <linux/atomic.h>
#include <linux/module.h>
#include <linux/sched.h>

static atomic_t tg_calls[4];

#define TG_FN(nr)							\
noinline __noclone void tg_fn##nr(void);				\
noinline __noclone void tg_fn##nr(void)					\
{									\
	atomic_inc(&tg_calls[nr]);						\
}

TG_FN(0) TG_FN(1) TG_FN(2) TG_FN(3)

static notrace int tg_call(const char *val, const struct kernel_param *kp)
{
	unsigned int nr;
	int ret = kstrtouint(val, 0, &nr);

	if (ret)
		return ret;
	while (nr--) {
		tg_fn0();
		tg_fn1();
		tg_fn2();
		tg_fn3();
		cond_resched();
	}
	return 0;
}

static const struct kernel_param_ops tg_call_ops = { .set = tg_call };
module_param_cb(call, &tg_call_ops, NULL, 0200);
MODULE_PARM_DESC(call, "call every function that many times");

/* Its memory is freed when the module is loaded */
static noinline void __init tg_init(void)
{
	atomic_inc(&tg_calls[0]);
}

static notrace int __init mux_target_init(void)
{
	tg_init();
	return 0;
}
module_init(mux_target_init);

static notrace void __exit mux_target_exit(void)
{
}
module_exit(mux_target_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Functions to trace in a module that comes and goes");
