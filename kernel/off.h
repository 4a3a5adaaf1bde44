/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_KERNEL_FTRACE_MUX_OFF_H
#define _LINUX_KERNEL_FTRACE_MUX_OFF_H

/* The hooks without CONFIG_FTRACE_MUX: nothing is left of them */

struct ftrace_mux_memo { };

#define FTRACE_MUX_FL_KEEP	0
#define FTRACE_MUX_FL_EN	0

/* Linux 6.12 has flags, Linux 7.2 the numbers of their bits */
#define MUX_FLAGS
#define TRACE_ITER_FUNCTION_MUX		0
#define TRACE_ITER_FUNCTION_MUX_BIT	-1

/* No function: inlining one would be enough to make the compiler choose other registers */
#define ftrace_mux_account(...)	do { } while (0)
#define ftrace_mux_recall(memo, ...)	((void)(memo), false)
#define ftrace_mux_remember(...)	do { } while (0)
#define ftrace_mux_cannot_wait(...)	0
#define ftrace_mux_for_each_user(i, bitmap) \
	for_each_set_bit(i, &(bitmap), sizeof(bitmap) * BITS_PER_BYTE)

#define ftrace_mux_inline

static inline void ftrace_mux_set_name(struct ftrace_ops *ops, const char *name) { }
static inline void ftrace_mux_copy_name(struct ftrace_ops *ops, const struct ftrace_ops *from) { }
static inline void ftrace_mux_start_tracer(struct trace_array *tr, const char *name) { }
static inline int ftrace_mux_update_begin(int command) { return command; }
static inline void ftrace_mux_update_end(void) { }
static inline void ftrace_mux_skip_idle(struct ftrace_rec_iter *iter) { }
static inline void ftrace_mux_set_nop(const struct dyn_ftrace *rec) { }

static inline unsigned long ftrace_mux_changed(const struct dyn_ftrace *rec)
{
	return 0;
}

static inline unsigned long ftrace_mux_addr_new(const struct dyn_ftrace *rec)
{
	return 0;
}

static inline unsigned long ftrace_mux_addr_curr(const struct dyn_ftrace *rec)
{
	return 0;
}

static inline bool ftrace_mux_show(struct seq_file *m, struct dyn_ftrace *rec)
{
	return false;
}

static inline bool ftrace_mux_create_filter_files(struct dentry *d_tracer)
{
	return false;
}

static inline int ftrace_mux_commit(struct ftrace_ops *ops, int flag)
{
	return 0;
}

static inline int ftrace_mux_valid_name(const struct ftrace_ops *ops)
{
	return 0;
}

static inline unsigned long ftrace_mux_trampoline(const struct ftrace_ops *ops)
{
	return ops->trampoline;
}

static inline bool ftrace_mux_update_func(struct ftrace_ops *ops)
{
	return false;
}

static inline bool ftrace_mux_grace_ended(void)
{
	return true;
}

static inline bool ftrace_mux_forget(struct ftrace_ops *ops)
{
	return false;
}

static inline void ftrace_mux_set_stub(struct dyn_ftrace *rec) { }
static inline void ftrace_mux_account_new(const struct ftrace_ops *ops,
					  struct dyn_ftrace *rec) { }
static inline void ftrace_mux_register(struct ftrace_ops *ops) { }
static inline void ftrace_mux_unregister(struct ftrace_ops *ops) { }
static inline void ftrace_mux_release(struct ftrace_ops *ops) { }
static inline void ftrace_mux_bug(const struct dyn_ftrace *rec) { }
static inline void ftrace_mux_remove_tracer(struct ftrace_ops *ops) { }
static inline void ftrace_mux_graph_stale(void) { }
static inline void ftrace_mux_graph_changed(void) { }
static inline void ftrace_mux_graph_join(struct fgraph_ops *gops) { }
static inline void ftrace_mux_graph_leave(struct fgraph_ops *gops) { }
static inline void ftrace_mux_create_files(struct dentry *d_tracer) { }

static inline int ftrace_mux_view_option(struct trace_array *tr, bool on)
{
	return 0;
}

#endif /* _LINUX_KERNEL_FTRACE_MUX_OFF_H */
