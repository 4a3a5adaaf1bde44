/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_KERNEL_FTRACE_MUX_H
#define _LINUX_KERNEL_FTRACE_MUX_H

#include <linux/bitops.h>
#include <linux/ftrace.h>

/*
 * The hooks: what ftrace.c, fgraph.c, trace.c, the ftrace.c of the architectures and
 * the tracers call of the multiplexing function tracer; names.h and paused.h have
 * more. Without CONFIG_FTRACE_MUX they do nothing. internal.h has the drawings.
 *
 * Everything here is called with ftrace_lock held unless it says otherwise.
 */

struct dentry;
struct fgraph_ops;
struct ftrace_hash;
struct ftrace_rec_iter;
struct seq_file;
struct trace_array;

/* @flag if the trace option function-mux is on at boot, otherwise 0 */
#define FTRACE_MUX_VIEW(flag)	(IS_ENABLED(CONFIG_FTRACE_MUX_VIEW) ? (flag) : 0)

#ifdef CONFIG_FTRACE_MUX

/* For TRACE_FLAGS */
#define MUX_FLAGS		C(FUNCTION_MUX, "function-mux"),

#define FTRACE_FL_MUX_FILTER_SHIFT	__builtin_ctzl(FTRACE_FL_MUX_FILTER)
#define FTRACE_FL_MUX_NOTRACE_SHIFT	__builtin_ctzl(FTRACE_FL_MUX_NOTRACE)
#define FTRACE_FL_MUX_STUB_SHIFT	__builtin_ctzl(FTRACE_FL_MUX_STUB)

/* What ftrace_check_record() keeps and clears of a record it disables */
#define FTRACE_MUX_FL_KEEP	(FTRACE_FL_MUX_FILTER | FTRACE_FL_MUX_NOTRACE)
#define FTRACE_MUX_FL_EN	FTRACE_FL_MUX_STUB

/* register.c, tracers.c, grace.c: an ops is registered and unregistered */
int ftrace_mux_valid_name(const struct ftrace_ops *ops);
void ftrace_mux_register(struct ftrace_ops *ops);
void ftrace_mux_unregister(struct ftrace_ops *ops);
void ftrace_mux_release(struct ftrace_ops *ops);
bool ftrace_mux_forget(struct ftrace_ops *ops);		/* without ftrace_lock */
void ftrace_mux_set_clean(void);
bool ftrace_mux_update_func(struct ftrace_ops *ops);

/* Name an ftrace_ops that is not registered; @name must stay. Without ftrace_lock */
static inline void ftrace_mux_set_name(struct ftrace_ops *ops, const char *name)
{
	ops->name = name;
}

static inline void ftrace_mux_copy_name(struct ftrace_ops *ops, const struct ftrace_ops *from)
{
	ops->name = from->name;
}

/*
 * The trampoline of an ops, or 0. An ops with an ID may still have one from an earlier
 * registration without an ID, but no call site calls it.
 */
static inline unsigned long ftrace_mux_trampoline(const struct ftrace_ops *ops)
{
	return ops->mux_id ? 0 : ops->trampoline;
}

/*
 * May the single user of a function be called through the pointer to its ops in front
 * of the function? Not one with an ID: it is called through a stub.
 */
static inline bool ftrace_mux_call_ops(const struct dyn_ftrace *rec)
{
	return !(rec->flags & FTRACE_FL_MUX_FILTER & ~((rec->flags & FTRACE_FL_MUX_NOTRACE) >>
		 (FTRACE_FL_MUX_NOTRACE_SHIFT - FTRACE_FL_MUX_FILTER_SHIFT)));
}

/* hashes.c: the masks of a record */
void ftrace_mux_account_new(const struct ftrace_ops *ops, struct dyn_ftrace *rec);

/*
 * Keep the masks of @rec when @ops starts (@inc) or stops tracing it.
 * @selected: @ops' filter selects the function; @match: and its notrace does
 * not take it away.
 */
static inline void ftrace_mux_account(const struct ftrace_ops *ops,
				      struct dyn_ftrace *rec,
				      bool selected, bool match, bool inc)
{
	unsigned long filter, excluded;

	if (!ops->mux_id || !selected)
		return;

	filter = 1UL << (FTRACE_FL_MUX_FILTER_SHIFT + ops->mux_id - 1);
	excluded = 1UL << (FTRACE_FL_MUX_NOTRACE_SHIFT + ops->mux_id - 1);

	rec->flags &= ~(filter | excluded);
	if (inc)
		rec->flags |= match ? filter : filter | excluded;
}

/* How many registered ops have no ID, in ids.c */
extern unsigned int ftrace_mux_without_id;

/*
 * When an ops that traces everything is registered or unregistered,
 * __ftrace_hash_rec_update() finds the new flags of a record from its old flags
 * alone, and most records have the flags of the one before:
 *
 *   recall    a record with the flags @from gets @to, and is done;
 *             otherwise its flags are noted as @begun, and ftrace works them out
 *   remember  what they have become: @from = @begun, @to = its flags
 */
struct ftrace_mux_memo {
	unsigned long	begun;
	unsigned long	from;
	unsigned long	to;
	bool		valid;
};

/* Return: true if the record has got its new flags */
static inline bool ftrace_mux_recall(struct ftrace_mux_memo *memo, struct dyn_ftrace *rec)
{
	if (memo->valid && rec->flags == memo->from) {
		rec->flags = memo->to;
		return true;
	}
	memo->begun = rec->flags;
	return false;
}

/* @all: @ops traces all functions */
static inline void ftrace_mux_remember(struct ftrace_mux_memo *memo, const struct ftrace_ops *ops,
				       const struct dyn_ftrace *rec, bool all, bool inc)
{
	/*
	 * Not from the flags alone: ftrace asks whether the last one has a trampoline, or
	 * whether others want all registers.
	 */
	bool asks = !inc && ((ftrace_rec_count(rec) == 1 && ftrace_mux_without_id) ||
			     ops->flags & FTRACE_OPS_FL_SAVE_REGS);

	memo->valid = all && !asks;
	memo->from = memo->begun;
	memo->to = rec->flags;
}

/* members.c: an ops begins or ends to trace functions */
void ftrace_mux_note_change(struct ftrace_ops *ops);

/* update.c, access.c: around the patching of the call sites */
int ftrace_mux_update_begin(int command);
void ftrace_mux_update_end(void);
void ftrace_mux_skip_idle(struct ftrace_rec_iter *iter);
bool ftrace_mux_is_idle(const struct dyn_ftrace *rec);

/* sites.c: a call site */
unsigned long ftrace_mux_changed(const struct dyn_ftrace *rec);
unsigned long ftrace_mux_addr_new(const struct dyn_ftrace *rec);
unsigned long ftrace_mux_addr_curr(const struct dyn_ftrace *rec);
const struct ftrace_ops *ftrace_mux_rec_ops(const struct dyn_ftrace *rec);
void ftrace_mux_set_stub(struct dyn_ftrace *rec);
void ftrace_mux_set_nop(const struct dyn_ftrace *rec);

/* graph_users.c */
void ftrace_mux_graph_stale(void);
void ftrace_mux_graph_changed(void);
void ftrace_mux_graph_clean_next(void);
void ftrace_mux_graph_leave(struct fgraph_ops *gops);

/* directory.c: a named tracer, or a user of function graph, is registered and unregistered */
void ftrace_mux_add_tracer(struct ftrace_ops *ops);
void ftrace_mux_remove_tracer(struct ftrace_ops *ops);

/* show.c */
bool ftrace_mux_show(struct seq_file *m, struct dyn_ftrace *rec);
void ftrace_mux_bug(const struct dyn_ftrace *rec);

/* filter.c: without ftrace_lock */
int ftrace_mux_commit(struct ftrace_ops *ops, int flag);

/* access.c: without ftrace_lock */
int ftrace_mux_cannot_wait(struct trace_array *tr, const struct ftrace_hash *hash,
			   const char *module);

/* view.c, tracers.c, files.c, sections.c: without ftrace_lock */
int ftrace_mux_view_option(struct trace_array *tr, bool on);
void ftrace_mux_start_tracer(struct trace_array *tr, const char *name);
void ftrace_mux_create_files(struct dentry *d_tracer);
bool ftrace_mux_create_filter_files(struct dentry *d_tracer);

#else /* !CONFIG_FTRACE_MUX */

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

static inline int ftrace_mux_valid_name(const struct ftrace_ops *ops) { return 0; }
static inline void ftrace_mux_register(struct ftrace_ops *ops) { }
static inline void ftrace_mux_unregister(struct ftrace_ops *ops) { }
static inline void ftrace_mux_release(struct ftrace_ops *ops) { }
static inline bool ftrace_mux_forget(struct ftrace_ops *ops) { return false; }
static inline void ftrace_mux_set_clean(void) { }
static inline bool ftrace_mux_update_func(struct ftrace_ops *ops) { return false; }
static inline void ftrace_mux_set_name(struct ftrace_ops *ops, const char *name) { }
static inline void ftrace_mux_copy_name(struct ftrace_ops *ops, const struct ftrace_ops *from) { }

static inline unsigned long ftrace_mux_trampoline(const struct ftrace_ops *ops)
{
	return ops->trampoline;
}

static inline bool ftrace_mux_call_ops(const struct dyn_ftrace *rec) { return true; }
static inline void ftrace_mux_account_new(const struct ftrace_ops *ops,
					  struct dyn_ftrace *rec) { }
static inline void ftrace_mux_note_change(struct ftrace_ops *ops) { }
static inline int ftrace_mux_update_begin(int command) { return command; }
static inline void ftrace_mux_update_end(void) { }
static inline void ftrace_mux_skip_idle(struct ftrace_rec_iter *iter) { }
static inline bool ftrace_mux_is_idle(const struct dyn_ftrace *rec) { return false; }
static inline unsigned long ftrace_mux_changed(const struct dyn_ftrace *rec) { return 0; }
static inline unsigned long ftrace_mux_addr_new(const struct dyn_ftrace *rec) { return 0; }
static inline unsigned long ftrace_mux_addr_curr(const struct dyn_ftrace *rec) { return 0; }
static inline const struct ftrace_ops *ftrace_mux_rec_ops(const struct dyn_ftrace *rec)
{
	return NULL;
}

static inline void ftrace_mux_set_stub(struct dyn_ftrace *rec) { }
static inline void ftrace_mux_set_nop(const struct dyn_ftrace *rec) { }
static inline void ftrace_mux_graph_stale(void) { }
static inline void ftrace_mux_graph_changed(void) { }
static inline void ftrace_mux_graph_clean_next(void) { }
static inline void ftrace_mux_graph_leave(struct fgraph_ops *gops) { }
static inline void ftrace_mux_add_tracer(struct ftrace_ops *ops) { }
static inline void ftrace_mux_remove_tracer(struct ftrace_ops *ops) { }

static inline bool ftrace_mux_show(struct seq_file *m, struct dyn_ftrace *rec)
{
	return false;
}

static inline void ftrace_mux_bug(const struct dyn_ftrace *rec) { }
static inline int ftrace_mux_commit(struct ftrace_ops *ops, int flag) { return 0; }
static inline int ftrace_mux_view_option(struct trace_array *tr, bool on) { return 0; }
static inline void ftrace_mux_start_tracer(struct trace_array *tr, const char *name) { }
static inline void ftrace_mux_create_files(struct dentry *d_tracer) { }
static inline bool ftrace_mux_create_filter_files(struct dentry *d_tracer) { return false; }

#endif /* CONFIG_FTRACE_MUX */

#endif /* _LINUX_KERNEL_FTRACE_MUX_H */
