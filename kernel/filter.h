/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_KERNEL_FTRACE_MUX_FILTER_H
#define _LINUX_KERNEL_FTRACE_MUX_FILTER_H

#include <linux/errno.h>
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
ssize_t ftrace_mux_wrote(struct file *file, ssize_t ret);
void ftrace_mux_wrote_last(struct ftrace_iterator *iter, int ret);
bool ftrace_mux_failed(struct ftrace_iterator *iter);
void ftrace_mux_empty_modules(struct file *file, struct ftrace_iterator *iter,
			      struct list_head *head);

/**
 * ftrace_mux_number_found - what became of the function with a number
 * @ret: what enter_record() returned
 *
 * Return: the number of functions found, 1, or the errno.
 */
static inline int ftrace_mux_number_found(int ret)
{
	return ret < 0 ? ret : 1;
}

#else /* !CONFIG_FTRACE_MUX */

/* No functions: inlining one would be enough to make the compiler choose other registers */
#define ftrace_mux_cannot_wait(...)			0
#define ftrace_mux_wrote(file, ret)			((void)(file), (ret))
#define ftrace_mux_wrote_last(iter, ret)		((void)(iter), (void)(ret))
#define ftrace_mux_failed(...)				false
#define ftrace_mux_empty_modules(file, iter, head)	\
	((void)(file), (void)(iter), clear_ftrace_mod_list(head))
#define ftrace_mux_number_found(ret)			((void)(ret), 1)

#endif /* CONFIG_FTRACE_MUX */

#endif /* _LINUX_KERNEL_FTRACE_MUX_FILTER_H */
