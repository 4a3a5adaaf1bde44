/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_KERNEL_FTRACE_MUX_COMPAT_H
#define _LINUX_KERNEL_FTRACE_MUX_COMPAT_H

/* What differs between the versions of Linux that this is for: 6.12 and 7.2 */

#include <linux/compiler.h>
#include <linux/ftrace.h>
#include <linux/kconfig.h>

#include "../../kallsyms_internal.h"

/* kallsyms_sym_address(), which is a function that can be traced */
#ifndef CONFIG_HAVE_FTRACE_REGS_HAVING_PT_REGS
/* Linux 6.12 */
static __always_inline unsigned long mux_symbol_address(unsigned int symbol)
{
	int offset = kallsyms_offsets[symbol];

	if (!IS_ENABLED(CONFIG_KALLSYMS_ABSOLUTE_PERCPU))
		return kallsyms_relative_base + (u32)offset;
	return offset >= 0 ? offset : kallsyms_relative_base - 1 - offset;
}
#else
/* Linux 7.2 */
static __always_inline unsigned long mux_symbol_address(unsigned int symbol)
{
	return (unsigned long)offset_to_ptr(kallsyms_offsets + symbol);
}
#endif

#ifdef CONFIG_FUNCTION_GRAPH_TRACER
/* Call a user of function graph on entry */
static __always_inline int mux_graph_entry(struct fgraph_ops *gops,
					   struct ftrace_graph_ent *trace,
					   struct ftrace_regs *fregs)
{
#ifdef CONFIG_HAVE_FTRACE_REGS_HAVING_PT_REGS
	/* Linux 7.2 */
	return gops->entryfunc(trace, gops, fregs);
#else
	/* Linux 6.12 */
	return gops->entryfunc(trace, gops);
#endif
}
#endif

#endif /* _LINUX_KERNEL_FTRACE_MUX_COMPAT_H */
