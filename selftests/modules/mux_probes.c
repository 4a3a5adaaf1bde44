// SPDX-License-Identifier: GPL-2.0
/*
 * The other users of a function's call site, attached to a function of
 * mux_test: write "KIND NR" to the parameter `attach`, KIND to `detach`, read
 * the parameter KIND for the number of calls seen, `wrong` for those with a
 * wrong argument, parent or return value.
 *
 *	kprobe, kretprobe, fprobe (entry and exit), direct (a direct call),
 *	moved (the direct call leads to another function, in place),
 *	jump (a direct function that the call site jumps to: not on Linux 6.12),
 *	redirect (a kprobe that sends the call to another function)
 */
#include <linux/atomic.h>
#include <linux/fprobe.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/string.h>

#include "arch.h"
#include "compat.h"
#include "mux_test.h"

enum { PROBE_KPROBE, PROBE_KRETPROBE, PROBE_FPROBE, PROBE_FPROBE_EXIT, PROBE_DIRECT,
	PROBE_MOVED, PROBE_JUMP, PROBE_REDIRECT, PROBE_WRONG, PROBE_NR };

static atomic_long_t hits[PROBE_NR];

static void probe_hit(unsigned int kind, bool ok)
{
	atomic_long_inc(&hits[kind]);
	if (!ok)
		atomic_long_inc(&hits[PROBE_WRONG]);
}

static bool probe_call_ok(struct mt_call *c)
{
	return c && c->magic == MT_CALL_MAGIC && c->fn < MT_NR_FNS;
}

static int probe_kprobe(struct kprobe *p, struct pt_regs *regs)
{
	struct mt_call *c = (struct mt_call *)mt_first_argument(regs);

	probe_hit(PROBE_KPROBE, probe_call_ok(c) &&
		  regs_get_kernel_argument(regs, 1) == MT_ARG(c, 1) &&
		  kernel_stack_pointer(regs) == mt_entry_sp(c));
	return 0;
}

static int probe_kretprobe(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct mt_call *c = *(struct mt_call **)ri->data;

	probe_hit(PROBE_KRETPROBE, probe_call_ok(c) &&
		  regs_return_value(regs) == ((unsigned long)c ^ c->fn));
	return 0;
}

static int probe_kretprobe_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	*(struct mt_call **)ri->data = (struct mt_call *)mt_first_argument(regs);
	return 0;
}

static int probe_fprobe(struct fprobe *fp, unsigned long ip, unsigned long ret_ip,
			struct fprobe_regs *regs, void *data)
{
	struct mt_call *c = (struct mt_call *)fprobe_first_argument(regs);

	*(struct mt_call **)data = c;
	probe_hit(PROBE_FPROBE, probe_call_ok(c) && ret_ip == (unsigned long)mt_ret_addr);
	return 0;
}

static void probe_fprobe_exit(struct fprobe *fp, unsigned long ip, unsigned long ret_ip,
			      struct fprobe_regs *regs, void *data)
{
	struct mt_call *c = *(struct mt_call **)data;

	probe_hit(PROBE_FPROBE_EXIT, probe_call_ok(c) &&
		  fprobe_return_value(regs) == ((unsigned long)c ^ c->fn));
}

/* Called by the trampoline below with the arguments of the traced function */
__visible void probe_direct(struct mt_call *c, unsigned long a1);
__visible void probe_direct(struct mt_call *c, unsigned long a1)
{
	probe_hit(PROBE_DIRECT, probe_call_ok(c) && a1 == MT_ARG(c, 1));
}

/* The one that the direct call is moved to, while it stays attached */
__visible void probe_moved(struct mt_call *c, unsigned long a1);
__visible void probe_moved(struct mt_call *c, unsigned long a1)
{
	probe_hit(PROBE_MOVED, probe_call_ok(c) && a1 == MT_ARG(c, 1));
}

/* The same, but it was jumped to */
__visible void probe_jump(struct mt_call *c, unsigned long a1);
__visible void probe_jump(struct mt_call *c, unsigned long a1)
{
	probe_hit(PROBE_JUMP, probe_call_ok(c) && a1 == MT_ARG(c, 1));
}

/* Where the function that was jumped to continues: after the call site */
__visible unsigned long probe_jump_back;

PROBE_TRAMP(probe_direct);
PROBE_TRAMP(probe_moved);
PROBE_TRAMP_JUMP(probe_jump, probe_jump_back);

static int probe_redirect(struct kprobe *p, struct pt_regs *regs)
{
	probe_hit(PROBE_REDIRECT, probe_call_ok((struct mt_call *)mt_first_argument(regs)));
	instruction_pointer_set(regs, (unsigned long)mt_alt);
	return 1;
}

/* A kprobe that has one is allowed to change the instruction pointer */
static void probe_redirect_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
}

static char symbol[16];
static struct kprobe kprobe;
static struct kretprobe kretprobe;
static struct fprobe fprobe;
static struct ftrace_ops direct_ops, jump_ops;
static struct kprobe redirect;
static bool attached[PROBE_NR];

static int attach_kprobe(unsigned int nr)
{
	kprobe = (struct kprobe){ .symbol_name = symbol, .pre_handler = probe_kprobe };
	return register_kprobe(&kprobe);
}

static int attach_kretprobe(unsigned int nr)
{
	kretprobe = (struct kretprobe){
		.kp.symbol_name = symbol,
		.handler = probe_kretprobe,
		.entry_handler = probe_kretprobe_entry,
		.data_size = sizeof(struct mt_call *),
		.maxactive = 64,
	};
	return register_kretprobe(&kretprobe);
}

static int attach_fprobe(unsigned int nr)
{
	fprobe = (struct fprobe){
		.entry_handler = probe_fprobe,
		.exit_handler = probe_fprobe_exit,
		.entry_data_size = sizeof(struct mt_call *),
	};
	return register_fprobe(&fprobe, symbol, NULL);
}

static int attach_direct(unsigned int nr)
{
	int ret;

	/* unregister_ftrace_direct() leaves pointers to the hashes that it frees */
	direct_ops = (struct ftrace_ops){ };
	ret = ftrace_set_filter_ip(&direct_ops, (unsigned long)mt_fns[nr], 0, 1);
	return ret ?: register_ftrace_direct(&direct_ops, (unsigned long)probe_direct_tramp);
}

static int attach_moved(unsigned int nr)
{
	return modify_ftrace_direct(&direct_ops, (unsigned long)probe_moved_tramp);
}

static int attach_jump(unsigned int nr)
{
	unsigned long addr = direct_to_jump_to((unsigned long)probe_jump_tramp);
	int ret;

	if (!addr)
		return -EOPNOTSUPP;
	probe_jump_back = (unsigned long)mt_fns[nr] + MT_SITE_OFFSET + MCOUNT_INSN_SIZE;
	jump_ops = (struct ftrace_ops){ };
	ret = ftrace_set_filter_ip(&jump_ops, (unsigned long)mt_fns[nr], 0, 1);
	return ret ?: register_ftrace_direct(&jump_ops, addr);
}

static int attach_redirect(unsigned int nr)
{
	redirect = (struct kprobe){
		.symbol_name = symbol,
		.pre_handler = probe_redirect,
		.post_handler = probe_redirect_post,
	};
	return register_kprobe(&redirect);
}

static int detach_kprobe(void)
{
	unregister_kprobe(&kprobe);
	return 0;
}

static int detach_kretprobe(void)
{
	unregister_kretprobe(&kretprobe);
	return 0;
}

static int detach_fprobe(void)
{
	return unregister_fprobe(&fprobe);
}

static int detach_direct(void)
{
	return unregister_ftrace_direct(&direct_ops, (unsigned long)probe_direct_tramp, true);
}

static int detach_moved(void)
{
	return modify_ftrace_direct(&direct_ops, (unsigned long)probe_direct_tramp);
}

static int detach_jump(void)
{
	return unregister_ftrace_direct(&jump_ops,
					direct_to_jump_to((unsigned long)probe_jump_tramp), true);
}

static int detach_redirect(void)
{
	unregister_kprobe(&redirect);
	return 0;
}

static const struct {
	const char	*name;
	unsigned int	kind;
	int		(*attach)(unsigned int nr);
	int		(*detach)(void);
} probes[] = {
	{ "kprobe",	PROBE_KPROBE,		attach_kprobe,		detach_kprobe },
	{ "kretprobe",	PROBE_KRETPROBE,	attach_kretprobe,	detach_kretprobe },
	{ "fprobe",	PROBE_FPROBE,		attach_fprobe,		detach_fprobe },
	/* First, as it has to be back when the direct call goes */
	{ "moved",	PROBE_MOVED,		attach_moved,		detach_moved },
	{ "direct",	PROBE_DIRECT,		attach_direct,		detach_direct },
	{ "jump",	PROBE_JUMP,		attach_jump,		detach_jump },
	{ "redirect",	PROBE_REDIRECT,		attach_redirect,	detach_redirect },
};

static int probe_detach(unsigned int i)
{
	attached[probes[i].kind] = false;
	return probes[i].detach();
}

static int probe_cmd(const char *val, const struct kernel_param *kp)
{
	bool attach = *(bool *)kp->arg;
	unsigned int i, nr = 0;
	char kind[16];
	int ret;

	if (sscanf(val, "%15s %u", kind, &nr) < 1 || nr >= MT_NR_FNS)
		return -EINVAL;
	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		if (strcmp(kind, probes[i].name))
			continue;
		if (attached[probes[i].kind] == attach)
			return attach ? -EBUSY : -ENOENT;
		if (!attach)
			return probe_detach(i);
		snprintf(symbol, sizeof(symbol), "mt_fn%02u", nr);
		ret = probes[i].attach(nr);
		attached[probes[i].kind] = !ret;
		return ret;
	}
	return -EINVAL;
}

static int probe_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%ld\n", atomic_long_read((atomic_long_t *)kp->arg));
}

static int probe_set(const char *val, const struct kernel_param *kp)
{
	atomic_long_set((atomic_long_t *)kp->arg, 0);
	return 0;
}

static const struct kernel_param_ops probe_cmd_ops = { .set = probe_cmd };
static const struct kernel_param_ops probe_hits_ops = { .get = probe_get, .set = probe_set };
static bool do_attach = true, do_detach;

module_param_cb(attach, &probe_cmd_ops, &do_attach, 0200);
module_param_cb(detach, &probe_cmd_ops, &do_detach, 0200);
module_param_cb(kprobe, &probe_hits_ops, &hits[PROBE_KPROBE], 0644);
module_param_cb(kretprobe, &probe_hits_ops, &hits[PROBE_KRETPROBE], 0644);
module_param_cb(fprobe, &probe_hits_ops, &hits[PROBE_FPROBE], 0644);
module_param_cb(fprobe_exit, &probe_hits_ops, &hits[PROBE_FPROBE_EXIT], 0644);
module_param_cb(direct, &probe_hits_ops, &hits[PROBE_DIRECT], 0644);
module_param_cb(moved, &probe_hits_ops, &hits[PROBE_MOVED], 0644);
module_param_cb(jump, &probe_hits_ops, &hits[PROBE_JUMP], 0644);
module_param_cb(redirect, &probe_hits_ops, &hits[PROBE_REDIRECT], 0644);
module_param_cb(wrong, &probe_hits_ops, &hits[PROBE_WRONG], 0644);

static int __init mux_probes_init(void)
{
	return 0;
}
module_init(mux_probes_init);

static void __exit mux_probes_exit(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(probes); i++)
		if (attached[probes[i].kind])
			probe_detach(i);
}
module_exit(mux_probes_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Other users of the call sites of mux_test's functions");
