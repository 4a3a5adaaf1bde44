/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_KERNEL_FTRACE_MUX_FILTER_H
#define _LINUX_KERNEL_FTRACE_MUX_FILTER_H

#include <linux/types.h>

/*
 * What ftrace asks while it parses what is written to a filter file.
 */

struct file;
struct ftrace_hash;
struct ftrace_iterator;
struct trace_array;

#ifdef CONFIG_FTRACE_MUX

/* glue.c, a part of kernel/trace/ftrace.c */
void ftrace_mux_never_wait(struct file *file);
int ftrace_mux_cannot_wait(struct trace_array *tr, const struct ftrace_hash *hash,
			   const char *module);

#else /* !CONFIG_FTRACE_MUX */

/* No function: inlining one would be enough to make the compiler choose other registers */
#define ftrace_mux_cannot_wait(...)			0

#endif /* CONFIG_FTRACE_MUX */

#endif /* _LINUX_KERNEL_FTRACE_MUX_FILTER_H */
