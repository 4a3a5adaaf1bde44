/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_KERNEL_FTRACE_MUX_H
#define _LINUX_KERNEL_FTRACE_MUX_H

#include <linux/bitops.h>
#include <linux/ftrace.h>

/*
 * The multiplexing function tracer: what ftrace calls (the hooks), and what
 * its own files share.
 *
 * An ftrace_ops on ftrace_ops_list has an ID, which is a bit and a slot, or it
 * has none: livepatch, direct calls, and tracers that register when all IDs are taken.
 * The upper half of a dyn_ftrace record's flags holds two masks of the bits and
 * the index of the stub:
 *
 *   63               48 47      40 39      32 31                       0
 *  +-------------------+----------+----------+--------------------------+
 *  | stub              | notrace  | filter   | FTRACE_FL_*, ref count   |
 *  +-------------------+----------+----------+--------------------------+
 *
 *   filter   the IDs whose filter hash selects the function
 *   notrace  those of them whose notrace hash takes it away again
 *   stub     the stub that the call site calls now; 0 for a nop, a trampoline
 *            of an ops, a direct call or ftrace_caller
 *
 *   interested = filter & ~notrace
 *
 * An ops without an ID that traces the function shows as a reference count above
 * the number of these IDs.
 *
 *   call site     stub 37             body                         slot of ID 2
 *  +---------+   +---------------+   +--------------------------+  +-----------+
 *  | call  --|-->| jmp body    --|-->| of the IDs {0,2}: save;  |  | ops, ip,  |
 *  +---------+   +---------------+|  | call slots; restore; ret |->| jmp func  |
 *   rec: stub 37  has a set, in   |  +--------------------------+  +-----------+
 *                 ftrace_mux_     +->| of a list: save; call    |
 *                 stubs[37].set      | its members; restore     |
 *                                    +--------------------------+
 *
 * A set is who is called, and with which registers. Its bits:
 *
 *   0, 1, ...             the mask, for a set of IDs only
 *   FTRACE_MUX_REGS       all registers, not the arguments only
 *
 * or FTRACE_MUX_LIST plus the index of a list in ftrace_mux_lists[], which has
 * members without an ID, or some of several users of function graph. The set 0
 * is nobody, or nobody that is called through a stub.
 *
 * A change patches callers, not call sites: when most call sites of a stub
 * want another set, the one stub is pointed to it (plan.c).
 *
 * Everything here is protected by ftrace_lock unless it says otherwise.
 */

struct seq_file;
struct dentry;
struct fgraph_ops;
struct file;
struct ftrace_hash;
struct trace_array;

/* @flag if the top-level trace array starts with it */
#define FTRACE_MUX_VIEW(flag)	(IS_ENABLED(CONFIG_FTRACE_MUX_VIEW) ? (flag) : 0)

#ifdef CONFIG_FTRACE_MUX

#include "record.h"

/* For TRACE_FLAGS */
#define MUX_FLAGS		C(FUNCTION_MUX, "function-mux"),

/* Name an ftrace_ops that is not registered; @name must stay */
static inline void ftrace_mux_set_name(struct ftrace_ops *ops, const char *name)
{
	ops->name = name;
}

static inline void ftrace_mux_copy_name(struct ftrace_ops *ops, const struct ftrace_ops *from)
{
	ops->name = from->name;
}

/* slots.c */
bool ftrace_mux_grace_ended(void);
bool ftrace_mux_forget(struct ftrace_ops *ops);
extern struct ftrace_ops *ftrace_mux_slot_ops[];
void ftrace_mux_register(struct ftrace_ops *ops);
void ftrace_mux_unregister(struct ftrace_ops *ops);
void ftrace_mux_release(struct ftrace_ops *ops);
bool ftrace_mux_update_func(struct ftrace_ops *ops);
bool ftrace_mux_slot_used(unsigned int slot);
bool ftrace_mux_called_last(const struct ftrace_ops *ops);

/* masks.c */
void ftrace_mux_account_new(const struct ftrace_ops *ops, struct dyn_ftrace *rec);
bool ftrace_mux_ops_selects(const struct ftrace_ops *ops, unsigned long ip);
bool ftrace_mux_ops_excludes(const struct ftrace_ops *ops, unsigned long ip);
bool ftrace_mux_ops_traces(const struct ftrace_ops *ops, unsigned long ip);

/* check.c */
int ftrace_mux_check(struct seq_file *m);

/* plan.c, a part of kernel/trace/ftrace.c */
struct ftrace_rec_iter;
void ftrace_mux_skip_idle(struct ftrace_rec_iter *iter);
int ftrace_mux_update_begin(int command);
void ftrace_mux_update_end(void);
void ftrace_mux_retarget(void);

/* graph.c, a part of kernel/trace/fgraph.c */
#define ftrace_mux_for_each_user(i, bitmap) \
	for (unsigned long *__left = &(bitmap); *__left && ((i) = __ffs(*__left), true); \
	     *__left &= *__left - 1)
void ftrace_mux_graph_stale(void);
void ftrace_mux_graph_changed(void);
void ftrace_mux_graph_join(struct fgraph_ops *gops);
void ftrace_mux_graph_leave(struct fgraph_ops *gops);

/* What has a second caller in graph.c stays in line */
#define ftrace_mux_inline	__always_inline

/* events.c */
void ftrace_mux_emit_update(void);

/* tracers.c */
#define FTRACE_MUX_NAME_MAX	64

/**
 * struct ftrace_mux_tracer - a registered tracer that has a name
 * @list: in ftrace_mux_tracers, in order of registration
 * @ops: what it is registered with: an ops or a subops of function_graph
 * @serial: names the registration; never used again
 * @dir: its directory in tracefs, or NULL
 * @name: unique among the registered tracers
 *
 * Open files remember the serial, not the tracer, and find out with it
 * whether the tracer is still there.
 */
struct ftrace_mux_tracer {
	struct list_head	list;
	struct ftrace_ops	*ops;
	unsigned long		serial;
	struct dentry		*dir;
	char			name[FTRACE_MUX_NAME_MAX];
};

extern struct list_head ftrace_mux_tracers;
int ftrace_mux_valid_name(const struct ftrace_ops *ops);
struct ftrace_mux_tracer *ftrace_mux_enlist(struct ftrace_ops *ops);
void ftrace_mux_delist(struct ftrace_mux_tracer *t);
struct ftrace_mux_tracer *ftrace_mux_find_ops(const struct ftrace_ops *ops);
struct ftrace_mux_tracer *ftrace_mux_find_serial(unsigned long serial);
struct ftrace_mux_tracer *ftrace_mux_default(void);
int ftrace_mux_set_default(const char *name);
void ftrace_mux_set_view(bool on);
int ftrace_mux_view_option(struct trace_array *tr, bool on);
bool ftrace_mux_view(void);
void ftrace_mux_start_tracer(struct trace_array *tr, const char *name);
int ftrace_mux_ops_id(const struct ftrace_ops *ops);

/* show.c */
bool ftrace_mux_show(struct seq_file *m, struct dyn_ftrace *rec);
void ftrace_mux_bug(const struct dyn_ftrace *rec);
void ftrace_mux_show_ops(struct seq_file *m, struct ftrace_ops *ops);
void ftrace_mux_show_state(struct seq_file *m);

/* files.c */
void ftrace_mux_create_files(struct dentry *d_tracer);
bool ftrace_mux_create_filter_files(struct dentry *d_tracer);
#if IS_ENABLED(CONFIG_KUNIT)
ssize_t ftrace_mux_tracers_write(struct file *file, const char __user *ubuf,
				 size_t count, loff_t *ppos);
#endif

/* filter.c */
int ftrace_mux_commit(struct ftrace_ops *ops, int flag);
extern const struct file_operations ftrace_mux_filter_fops;
extern const struct file_operations ftrace_mux_notrace_fops;
extern const struct file_operations ftrace_mux_tracer_filter_fops;
extern const struct file_operations ftrace_mux_tracer_notrace_fops;

/* directory.c */
void ftrace_mux_create_tracers_dir(struct dentry *d_tracer);
void ftrace_mux_add_tracer(struct ftrace_ops *ops);
void ftrace_mux_remove_tracer(struct ftrace_ops *ops);

/* glue.c, a part of kernel/trace/ftrace.c */
int ftrace_mux_copy_hashes(struct ftrace_ops *dst, struct ftrace_ops *src);
void ftrace_mux_free_hashes(struct ftrace_ops *ops);
int ftrace_mux_move_hash(struct ftrace_ops *ops, struct ftrace_ops *from, int flag);
int ftrace_mux_unshare(struct ftrace_ops *ops);
struct ftrace_ops *ftrace_mux_file_ops(struct file *file);
void ftrace_mux_never_wait(struct file *file);
int ftrace_mux_cannot_wait(struct trace_array *tr, const struct ftrace_hash *hash,
			   const char *module);
void ftrace_mux_print_filter(struct seq_file *m, struct ftrace_ops *ops, int flag,
			     const char *name);
void ftrace_mux_disarm(struct ftrace_ops *ops);

#else /* !CONFIG_FTRACE_MUX */

#include "off.h"

#endif /* CONFIG_FTRACE_MUX */

#endif /* _LINUX_KERNEL_FTRACE_MUX_H */
