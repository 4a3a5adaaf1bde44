/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_KERNEL_FTRACE_MUX_GRAPH_H
#define _LINUX_KERNEL_FTRACE_MUX_GRAPH_H

#include <linux/bitops.h>
#include <linux/ftrace.h>

/*
 * The users of function graph by set, see graph.c.
 *
 * While it has several users, a list has in the place of its ops the bitmap of
 * those who trace the function: of their indexes in fgraph_array, which is less
 * than any pointer.
 */
#define FTRACE_MUX_GRAPH_USERS	16

/* The bitmap that stands in the place of an ops; 0: it is an ops */
static inline unsigned long ftrace_mux_bitmap(const struct ftrace_ops *member)
{
	unsigned long bitmap = (unsigned long)member;

	return bitmap < BIT(FTRACE_MUX_GRAPH_USERS) ? bitmap : 0;
}

#ifdef CONFIG_FTRACE_MUX_GRAPH
unsigned int ftrace_mux_graph_plan(void);
bool ftrace_mux_is_graph(const struct ftrace_ops *ops);
struct ftrace_ops *ftrace_mux_graph_member(unsigned long ip);
ftrace_func_t ftrace_mux_member_func(struct ftrace_ops *member);
unsigned int ftrace_mux_graph_mask(void);
struct ftrace_ops *ftrace_mux_graph_user(unsigned int index);
void *ftrace_mux_graph_entryfunc(unsigned int index);
#else
#define ftrace_mux_graph_plan()		0
#define ftrace_mux_is_graph(...)	false
#define ftrace_mux_graph_member(...)	NULL
#define ftrace_mux_member_func(member)	ftrace_ops_get_func(member)
#define ftrace_mux_graph_mask()		0
#define ftrace_mux_graph_user(...)	NULL
#define ftrace_mux_graph_entryfunc(...)	NULL
#endif

#endif /* _LINUX_KERNEL_FTRACE_MUX_GRAPH_H */
