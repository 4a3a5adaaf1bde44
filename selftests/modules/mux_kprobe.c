// SPDX-License-Identifier: GPL-2.0
/*
 * Kprobes at any place of the kernel that kprobes themselves allow; tracefs asks for
 * traced functions besides. A write of SYMBOL+OFFSET to the parameter `try` registers
 * a probe there and takes it away again, one to `hold` keeps it until the module goes.
 * The write fails as the registration does.
 */
#include <linux/atomic.h>
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

static int hits_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%ld\n", atomic_long_read(&hits));
}

static const struct kernel_param_ops try_ops = { .set = try_set };
static const struct kernel_param_ops hold_ops = { .set = hold_set };
static const struct kernel_param_ops hits_ops = { .get = hits_get };
module_param_cb(try, &try_ops, NULL, 0200);
MODULE_PARM_DESC(try, "can SYMBOL+OFFSET be probed?");
module_param_cb(hold, &hold_ops, NULL, 0200);
MODULE_PARM_DESC(hold, "probe SYMBOL+OFFSET");
module_param_cb(hits, &hits_ops, NULL, 0400);
MODULE_PARM_DESC(hits, "how often the held probes were hit");

static int __init mux_kprobe_init(void)
{
	return 0;
}
module_init(mux_kprobe_init);

static void __exit mux_kprobe_exit(void)
{
	struct held *h;

	while ((h = all_held)) {
		all_held = h->next;
		unregister_kprobe(&h->kp);
		kfree(h);
	}
}
module_exit(mux_kprobe_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Kprobes where kprobes allow them");
