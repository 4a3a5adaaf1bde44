/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _MUX_MODULES_COMPAT_H
#define _MUX_MODULES_COMPAT_H

/* What differs between the versions of Linux that the modules are for: 6.12 and 7.2 */

#include <linux/ftrace.h>
#include <linux/hrtimer.h>
#include <linux/ptrace.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 2, 0)
/* Linux 7.2 */

/* The registers that a handler of an fprobe gets */
#define fprobe_regs	ftrace_regs

/* The arguments of what function graph calls */
#define GRAPH_ARGUMENTS(...)	(__VA_ARGS__, struct ftrace_regs *fregs)

static inline unsigned long fprobe_first_argument(struct fprobe_regs *regs)
{
	return ftrace_regs_get_argument(regs, 0);
}

static inline unsigned long fprobe_return_value(struct fprobe_regs *regs)
{
	return ftrace_regs_get_return_value(regs);
}

static inline void mt_hrtimer_setup(struct hrtimer *timer,
				    enum hrtimer_restart (*function)(struct hrtimer *),
				    enum hrtimer_mode mode)
{
	hrtimer_setup(timer, function, CLOCK_MONOTONIC, mode);
}
#else
/* Linux 6.12 */

#define fprobe_regs	pt_regs

#define GRAPH_ARGUMENTS(...)	(__VA_ARGS__)

static inline unsigned long fprobe_first_argument(struct fprobe_regs *regs)
{
	return regs_get_kernel_argument(regs, 0);
}

static inline unsigned long fprobe_return_value(struct fprobe_regs *regs)
{
	return regs_return_value(regs);
}

static inline void mt_hrtimer_setup(struct hrtimer *timer,
				    enum hrtimer_restart (*function)(struct hrtimer *),
				    enum hrtimer_mode mode)
{
	hrtimer_init(timer, CLOCK_MONOTONIC, mode);
	timer->function = function;
}
#endif

/* A direct function for a call site to jump to; 0 where the kernel does not have this */
static inline unsigned long direct_to_jump_to(unsigned long addr)
{
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_JMP
	return ftrace_jmp_set(addr);
#else
	return 0;
#endif
}

#endif /* _MUX_MODULES_COMPAT_H */
