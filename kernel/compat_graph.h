/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_KERNEL_FTRACE_MUX_COMPAT_GRAPH_H
#define _LINUX_KERNEL_FTRACE_MUX_COMPAT_GRAPH_H

/* What graph.c needs that differs between Linux 6.12 and 7.2 */

#include <linux/ftrace.h>
#include <linux/version.h>

/* Call a user of function graph on entry */
static __always_inline int mux_graph_entry(struct fgraph_ops *gops,
					   struct ftrace_graph_ent *trace,
					   struct ftrace_regs *fregs)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 2, 0)
	return gops->entryfunc(trace, gops);
#else
	return gops->entryfunc(trace, gops, fregs);
#endif
}

#endif /* _LINUX_KERNEL_FTRACE_MUX_COMPAT_GRAPH_H */
