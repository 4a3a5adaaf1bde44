// SPDX-License-Identifier: GPL-2.0
/*
 * Kprobes at any place of the kernel that kprobes themselves allow; tracefs asks for
 * traced functions besides. A write of SYMBOL+OFFSET to the parameter `try` registers
 * a probe there and takes it away again, one to `hold` keeps it until the module goes.
 * The write fails as the registration does.
 *
 * A write of SYMBOL to `pause` lets its next caller sleep in front of it, and one of an
 * empty line lets it continue. `paused` says whether one sleeps. SYMBOL has one argument,
 * and may be called where a task can sleep.
 */
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>

struct held {
	struct kprobe	kp;
	char		symbol[64];
	struct held	*next;
};

static struct held *all_held;
static atomic_long_t hits;

static int kp_hit(struct kprobe *p, struct pt_regs *regs)
{
	atomic_long_inc(&hits);
	return 0;
}

static struct held *kp_register(const char *val)
{
	struct held *h = kzalloc(sizeof(*h), GFP_KERNEL);
	int ret;

	if (!h)
		return ERR_PTR(-ENOMEM);
	ret = sscanf(val, "%63[^+\n]+%u", h->symbol, &h->kp.offset) < 1 ? -EINVAL : 0;
	h->kp.symbol_name = h->symbol;
	h->kp.pre_handler = kp_hit;
	if (!ret)
		ret = register_kprobe(&h->kp);
	if (ret) {
		kfree(h);
		return ERR_PTR(ret);
	}
	return h;
}

static int try_set(const char *val, const struct kernel_param *kp)
{
	struct held *h = kp_register(val);

	if (IS_ERR(h))
		return PTR_ERR(h);
	unregister_kprobe(&h->kp);
	kfree(h);
	return 0;
}

static int hold_set(const char *val, const struct kernel_param *kp)
{
	struct held *h = kp_register(val);

	if (IS_ERR(h))
		return PTR_ERR(h);
	h->next = all_held;
	all_held = h;
	return 0;
}

static unsigned long (*pause_func)(void *arg);
static bool pause_next, pause_on, paused;

/* In the place of the function */
static unsigned long paused_call(void *arg)
{
	WRITE_ONCE(paused, true);
	while (READ_ONCE(pause_on))
		msleep(20);
	WRITE_ONCE(paused, false);
	return pause_func(arg);
}

static int pause_hit(struct kprobe *p, struct pt_regs *regs)
{
	if (!READ_ONCE(pause_next))
		return 0;
	WRITE_ONCE(pause_next, false);
	instruction_pointer_set(regs, (unsigned long)paused_call);
	return 1;
}

/* Keeps the probe from becoming a jump, which cannot lead elsewhere */
static void pause_after(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
}

static char pause_symbol[64];
static struct kprobe pause_probe = {
	.symbol_name	= pause_symbol,
	.pre_handler	= pause_hit,
	.post_handler	= pause_after,
};

static int pause_set(const char *val, const struct kernel_param *kp)
{
	int ret = 0;

	WRITE_ONCE(pause_on, false);
	if (sscanf(val, "%63s", pause_symbol) < 1 || !*pause_symbol)
		return 0;
	if (!pause_func)
		ret = register_kprobe(&pause_probe);
	if (ret)
		return ret;
	/* On x86 the probe may be after an ENDBR */
	pause_func = (void *)ALIGN_DOWN((unsigned long)pause_probe.addr, 8);
	pause_on = true;
	WRITE_ONCE(pause_next, true);
	return 0;
}

static int hits_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%ld\n", atomic_long_read(&hits));
}

static const struct kernel_param_ops pause_ops = { .set = pause_set };
static const struct kernel_param_ops try_ops = { .set = try_set };
static const struct kernel_param_ops hold_ops = { .set = hold_set };
static const struct kernel_param_ops hits_ops = { .get = hits_get };
module_param_cb(try, &try_ops, NULL, 0200);
MODULE_PARM_DESC(try, "can SYMBOL+OFFSET be probed?");
module_param_cb(hold, &hold_ops, NULL, 0200);
MODULE_PARM_DESC(hold, "probe SYMBOL+OFFSET");
module_param_cb(hits, &hits_ops, NULL, 0400);
MODULE_PARM_DESC(hits, "how often the held probes were hit");
module_param_cb(pause, &pause_ops, NULL, 0200);
MODULE_PARM_DESC(pause, "let the next caller of this function sleep before, until an empty line is written");
module_param(paused, bool, 0400);
MODULE_PARM_DESC(paused, "does it sleep?");

static int __init mux_kprobe_init(void)
{
	return 0;
}
module_init(mux_kprobe_init);

static void __exit mux_kprobe_exit(void)
{
	struct held *h;

	WRITE_ONCE(pause_on, false);
	if (pause_func)
		unregister_kprobe(&pause_probe);
	while ((h = all_held)) {
		all_held = h->next;
		unregister_kprobe(&h->kp);
		kfree(h);
	}
}
module_exit(mux_kprobe_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Kprobes where kprobes allow them");
