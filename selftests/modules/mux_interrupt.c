// SPDX-License-Identifier: GPL-2.0
/*
 * Calls of a traced function from the middle of other functions, in the context of an NMI.
 *
 * A write of SYMBOL+OFFSET to the parameter `at` puts a kprobe there, in the place of
 * the one before; an empty line takes it away. The kernel runs what a breakpoint calls
 * as it runs an NMI, and nothing is masked. The first three hits call mi_fn() once, the
 * others `burst` times, but none after `most` hits. `calls` says how often it was called,
 * and takes what is to be counted from. A write to `at` fails with EILSEQ if no
 * instruction begins there.
 */
#include <linux/atomic.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/string.h>

static atomic_long_t calls, hits, no_nmi;
static unsigned int burst = 150;
static unsigned int most = UINT_MAX;
static char symbol[64];
static struct kprobe probe;
static bool registered;

noinline __noclone void mi_fn(void);
noinline __noclone void mi_fn(void)
{
	atomic_long_inc(&calls);
}

static notrace int mi_hit(struct kprobe *p, struct pt_regs *regs)
{
	unsigned long hit = atomic_long_inc_return(&hits);
	unsigned int n = hit <= 3 ? 1 : hit <= READ_ONCE(most) ? READ_ONCE(burst) : 0;

	if (!in_nmi())
		atomic_long_inc(&no_nmi);
	while (n--)
		mi_fn();
	return 0;
}

/* Keeps the probe from becoming a jump, which is no NMI */
static notrace void mi_after(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
}

static notrace int at_set(const char *val, const struct kernel_param *kp)
{
	unsigned int offset;
	int ret;

	if (registered)
		unregister_kprobe(&probe);
	registered = false;
	if (!*skip_spaces(val))
		return 0;
	if (sscanf(val, "%63[^+]+%u", symbol, &offset) != 2)
		return -EINVAL;
	memset(&probe, 0, sizeof(probe));
	probe.symbol_name = symbol;
	probe.offset = offset;
	probe.pre_handler = mi_hit;
	probe.post_handler = mi_after;
	atomic_long_set(&hits, 0);
	ret = register_kprobe(&probe);
	registered = !ret;
	return ret;
}

static notrace int counter_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%ld\n", atomic_long_read((atomic_long_t *)kp->arg));
}

static notrace int counter_set(const char *val, const struct kernel_param *kp)
{
	long from;
	int ret = kstrtol(val, 0, &from);

	if (!ret)
		atomic_long_set((atomic_long_t *)kp->arg, from);
	return ret;
}

static const struct kernel_param_ops at_ops = { .set = at_set };
static const struct kernel_param_ops counter_ops = { .get = counter_get, .set = counter_set };
module_param_cb(at, &at_ops, NULL, 0200);
MODULE_PARM_DESC(at, "interrupt SYMBOL+OFFSET");
module_param(burst, uint, 0600);
MODULE_PARM_DESC(burst, "calls of each hit after the third");
module_param(most, uint, 0600);
MODULE_PARM_DESC(most, "hits after which there are no calls");
module_param_cb(calls, &counter_ops, &calls, 0600);
MODULE_PARM_DESC(calls, "calls of mi_fn()");
module_param_cb(hits, &counter_ops, &hits, 0600);
MODULE_PARM_DESC(hits, "how often this instruction was interrupted");
module_param_cb(no_nmi, &counter_ops, &no_nmi, 0600);
MODULE_PARM_DESC(no_nmi, "hits that were not in the context of an NMI");

static notrace int __init mux_interrupt_init(void)
{
	return 0;
}
module_init(mux_interrupt_init);

static notrace void __exit mux_interrupt_exit(void)
{
	if (registered)
		unregister_kprobe(&probe);
}
module_exit(mux_interrupt_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Calls from the middle of functions, as an NMI makes them");
