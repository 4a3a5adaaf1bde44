/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_KERNEL_FTRACE_MUX_RECORD_GROUP_H
#define _LINUX_KERNEL_FTRACE_MUX_RECORD_GROUP_H

/*
 * A recorder is a tracer with an ID whose function is plain function_trace_call():
 * all that it does is to write one event into the buffer of its trace array. A set
 * of several recorders and of no other tracer is a group. It has an entry for its mask,
 * and a body that all groups share and that calls no slot:
 *
 *   stub 37        entry of {0,2}        body of groups      record_group.c
 *  +---------+    +----------------+    +--------------+    +-------------------+
 *  | jmp   --|--->| mask; jmp    --|--->| save; call --|--->| recursion, time,  |
 *  +---------+    +----------------+    | restore; ret |    | flags: once       |
 *                                       +--------------+    | buffer of 0: event|
 *                                                           | buffer of 2: event|
 *                                                           +-------------------+
 *
 * When a recorder gets another function, its sets become sets of slots in an update,
 * before its slot is pointed to that function (register.c).
 */

struct ftrace_ops;
struct trace_array;

#ifdef CONFIG_FTRACE_MUX_GROUPS
extern unsigned int ftrace_mux_recorders;
struct trace_array *ftrace_mux_recorder_of(const struct ftrace_ops *ops);
void ftrace_mux_join_groups(unsigned int slot, struct trace_array *tr);
void ftrace_mux_leave_groups(unsigned int slot);
void ftrace_mux_forget_recorder(unsigned int slot);
void ftrace_mux_record_group(unsigned long ip, unsigned long parent_ip, unsigned long mask,
			     unsigned long *sp);
#else
#define ftrace_mux_recorders	0
static inline struct trace_array *ftrace_mux_recorder_of(const struct ftrace_ops *ops)
{
	return NULL;
}

static inline void ftrace_mux_join_groups(unsigned int slot, struct trace_array *tr) { }
static inline void ftrace_mux_leave_groups(unsigned int slot) { }
static inline void ftrace_mux_forget_recorder(unsigned int slot) { }
#endif

#endif /* _LINUX_KERNEL_FTRACE_MUX_RECORD_GROUP_H */
