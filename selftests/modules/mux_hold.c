// SPDX-License-Identifier: GPL-2.0
/*
 * Holds a task where it must not be overtaken: the first time that a task
 * called @comm comes to the function @at after 1 was written to `hold`, it
 * spins there, without preemption and with interrupts, until 0 is written or
 * five seconds are over. `held` says whether it is there now. A write to
 * `remove` removes the kprobe, which waits for a task that is there.
 *
 * The kprobe has to be optimized: a breakpoint's handler would have interrupts
 * off, and hold up a task that pokes text, too. `jumps` says whether the jump of an
 * optimized kprobe is there; the list of kprobes says so too early.
 */
#include <linux/atomic.h>
#include <linux/kprobes.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/string.h>

#define HELD_AT_MOST	(5 * NSEC_PER_SEC)
#define JMP_OPCODE	0xe9

static char *at = "";
module_param(at, charp, 0400);
MODULE_PARM_DESC(at, "the function");

static char *comm = "";
module_param(comm, charp, 0400);
MODULE_PARM_DESC(comm, "the name of the task");

static int hold;
module_param(hold, int, 0600);
MODULE_PARM_DESC(hold, "1: hold the task when it comes; 0: let it go");

static int held;
module_param(held, int, 0400);
MODULE_PARM_DESC(held, "is it there?");

static atomic_t taken;

static int hold_handler(struct kprobe *p, struct pt_regs *regs)
{
	u64 end;

	if (!READ_ONCE(hold) || strcmp(current->comm, comm) || atomic_xchg(&taken, 1))
		return 0;
	end = ktime_get_mono_fast_ns() + HELD_AT_MOST;
	WRITE_ONCE(held, 1);
	while (READ_ONCE(hold) && ktime_get_mono_fast_ns() < end)
		cpu_relax();
	WRITE_ONCE(held, 0);
	return 0;
}

static struct kprobe probe = { .pre_handler = hold_handler };

static int get_jumps(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%d\n", *(u8 *)probe.addr == JMP_OPCODE);
}

static const struct kernel_param_ops jumps_ops = { .get = get_jumps };

module_param_cb(jumps, &jumps_ops, NULL, 0400);
MODULE_PARM_DESC(jumps, "is the kprobe optimized?");

static int set_remove(const char *val, const struct kernel_param *kp)
{
	unregister_kprobe(&probe);
	return 0;
}

static const struct kernel_param_ops remove_ops = { .set = set_remove };

module_param_cb(remove, &remove_ops, NULL, 0200);
MODULE_PARM_DESC(remove, "anything: remove the kprobe");

static int __init mux_hold_init(void)
{
	probe.symbol_name = at;
	return register_kprobe(&probe);
}
module_init(mux_hold_init);

static void __exit mux_hold_exit(void)
{
	WRITE_ONCE(hold, 0);
	unregister_kprobe(&probe);
}
module_exit(mux_hold_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A task held in a function");
