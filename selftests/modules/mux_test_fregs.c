// SPDX-License-Identifier: GPL-2.0
/*
 * What a tracer with the option `show` got in its last call, all that the
 * flavour of registers has, each address relative to what it belongs to: the
 * same call shows the same on any kernel.
 *
 * With the arguments only, stock leaves flags, ss, bx and r10 to r15 as they
 * were on the stack. It sets orig_ax, but hands it out only with the partial
 * registers, where there are any.
 */
#include <linux/ftrace.h>
#include <linux/seq_file.h>

#include "mux_test.h"

static struct mt_fregs {
	unsigned long	ip;
	unsigned long	parent_ip;
	unsigned long	call;		/* address of the struct mt_call */
	unsigned long	sp;
	unsigned long	fn;
	unsigned long	arg[6];
	unsigned long	get_ip;
	unsigned long	get_sp;
	unsigned long	get_ret;
	unsigned long	get_fp;
	bool		full;
	bool		seen;
	struct pt_regs	perf;
	struct pt_regs	regs;
	struct pt_regs	partial;
} mt_fregs[MT_NR_TRACERS];

/* Called by the callback, before it changes anything */
void mt_fregs_take(unsigned int id, unsigned long ip, unsigned long parent_ip,
		   struct ftrace_regs *fregs)
{
	struct mt_fregs *f = &mt_fregs[id];
	struct mt_call *c = (struct mt_call *)ftrace_regs_get_argument(fregs, 0);
	unsigned int i;

	f->ip = ip;
	f->parent_ip = parent_ip;
	f->call = (unsigned long)c;
	f->sp = c->sp;
	f->fn = (unsigned long)mt_fns[c->fn];
	for (i = 0; i < ARRAY_SIZE(f->arg); i++)
		f->arg[i] = ftrace_regs_get_argument(fregs, i);
	f->get_ip = ftrace_regs_get_instruction_pointer(fregs);
	f->get_sp = ftrace_regs_get_stack_pointer(fregs);
	f->get_ret = ftrace_regs_get_return_value(fregs);
	f->get_fp = ftrace_regs_get_frame_pointer(fregs);
	f->full = ftrace_get_regs(fregs);
	memset(&f->perf, 0, sizeof(f->perf));
	ftrace_fill_perf_regs(fregs, &f->perf);
	f->regs = arch_ftrace_regs(fregs)->regs;
#ifdef CONFIG_HAVE_FTRACE_REGS_HAVING_PT_REGS
	/* Changes the frame */
	f->partial = *ftrace_partial_regs(fregs, NULL);
#endif
	f->seen = true;
}

static void show_value(struct seq_file *m, const struct mt_fregs *f, const char *name,
		       unsigned long value)
{
	if (value - f->call < sizeof(struct mt_call))
		seq_printf(m, " %s=call+%lu", name, value - f->call);
	else if (value - f->sp + 64 < 128)
		seq_printf(m, " %s=sp%+ld", name, (long)(value - f->sp));
	else if (value - f->fn < 16)
		seq_printf(m, " %s=function+%lu", name, value - f->fn);
	else if (value < PAGE_OFFSET)
		seq_printf(m, " %s=0x%lx", name, value);
	else
		seq_printf(m, " %s=%ps", name, (void *)value);
}

#define SHOW_REG(reg)	show_value(m, f, #reg, f->regs.reg)

static void show_regs(struct seq_file *m, const struct mt_fregs *f)
{
	SHOW_REG(ax);
	SHOW_REG(cx);
	SHOW_REG(dx);
	SHOW_REG(si);
	SHOW_REG(di);
	SHOW_REG(r8);
	SHOW_REG(r9);
	SHOW_REG(bp);
	SHOW_REG(ip);
	SHOW_REG(sp);
	SHOW_REG(cs);
	if (!f->full)
		return;
	SHOW_REG(orig_ax);
	SHOW_REG(flags);
	SHOW_REG(ss);
	SHOW_REG(bx);
	SHOW_REG(r10);
	SHOW_REG(r11);
	SHOW_REG(r12);
	SHOW_REG(r13);
	SHOW_REG(r14);
	SHOW_REG(r15);
}

static void show_helpers(struct seq_file *m, const struct mt_fregs *f)
{
	unsigned int i;
	char name[8];

	for (i = 0; i < ARRAY_SIZE(f->arg); i++) {
		snprintf(name, sizeof(name), "arg%u", i);
		show_value(m, f, name, f->arg[i]);
	}
	show_value(m, f, "ip", f->get_ip);
	show_value(m, f, "sp", f->get_sp);
	show_value(m, f, "return", f->get_ret);
	show_value(m, f, "frame", f->get_fp);
}

/* What perf and BPF get of them */
static void show_made(struct seq_file *m, const struct mt_fregs *f)
{
	seq_puts(m, "\nperf:");
	show_value(m, f, "ip", f->perf.ip);
	show_value(m, f, "sp", f->perf.sp);
	show_value(m, f, "cs", f->perf.cs);
	show_value(m, f, "flags", f->perf.flags);
	if (!IS_ENABLED(CONFIG_HAVE_FTRACE_REGS_HAVING_PT_REGS))
		return;
	seq_puts(m, "\npartial:");
	show_value(m, f, "cs", f->partial.cs);
	show_value(m, f, "orig_ax", f->partial.orig_ax);
	show_value(m, f, "fixed", f->partial.flags & X86_EFLAGS_FIXED);
}

/* Shows each call once */
int mt_fregs_show(struct seq_file *m, void *v)
{
	struct mt_fregs *f;

	for (f = mt_fregs; f < mt_fregs + MT_NR_TRACERS; f++) {
		if (!f->seen)
			continue;
		f->seen = false;
		seq_printf(m, "tracer %zu:", f - mt_fregs);
		show_value(m, f, "ip", f->ip);
		show_value(m, f, "parent", f->parent_ip);
		seq_printf(m, "\n%s registers:", f->full ? "all" : "some");
		show_regs(m, f);
		seq_puts(m, "\nhelpers:");
		show_helpers(m, f);
		show_made(m, f);
		seq_putc(m, '\n');
	}
	return 0;
}
