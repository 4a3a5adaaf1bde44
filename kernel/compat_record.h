/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_KERNEL_FTRACE_MUX_COMPAT_RECORD_H
#define _LINUX_KERNEL_FTRACE_MUX_COMPAT_RECORD_H

/* What record_group.c needs that differs between Linux 6.12 and 7.2 */

#include <linux/ftrace.h>
#include <linux/sched.h>
#include <linux/version.h>

/*
 * What function_trace_call() records as the parent: since Linux 7.2 the function
 * that function_graph has hidden. @sp: the stack pointer at the entry of the function
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 2, 0)
static __always_inline unsigned long mux_true_parent_ip(unsigned long parent_ip, unsigned long *sp)
{
	return parent_ip;
}

static __always_inline void mux_trace_function(struct trace_array *tr, unsigned long ip,
					       unsigned long parent_ip, unsigned int trace_ctx)
{
	trace_function(tr, ip, parent_ip, trace_ctx);
}
#else
static __always_inline unsigned long mux_true_parent_ip(unsigned long parent_ip, unsigned long *sp)
{
# ifdef CONFIG_FUNCTION_GRAPH_TRACER
	int idx = 0;

	if (unlikely(parent_ip == (unsigned long)&return_to_handler))
		return ftrace_graph_ret_addr(current, &idx, parent_ip, sp);
# endif
	return parent_ip;
}

/* Since Linux 7.2 trace_function() takes the registers, for the arguments: a group has none */
static __always_inline void mux_trace_function(struct trace_array *tr, unsigned long ip,
					       unsigned long parent_ip, unsigned int trace_ctx)
{
	trace_function(tr, ip, parent_ip, trace_ctx, NULL);
}
#endif

#endif /* _LINUX_KERNEL_FTRACE_MUX_COMPAT_RECORD_H */
