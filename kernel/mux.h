/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_KERNEL_FTRACE_MUX_H
#define _LINUX_KERNEL_FTRACE_MUX_H

#include <linux/bitops.h>
#include <linux/ftrace.h>

/*
 * The multiplexing function tracer: what ftrace calls (the hooks), and what
 * its own files share.
 *
 * Every ftrace_ops on ftrace_ops_list has either an ID, which is a bit and a
 * slot, or is a member of the overflow lane. The upper half of a dyn_ftrace
 * record's flags holds three masks of those bits:
 *
 *   63     56 55      48 47      40 39      32 31                       0
 *  +---------+----------+----------+----------+--------------------------+
 *  | unused  | patched  | notrace  | filter   | FTRACE_FL_*, ref count   |
 *  +---------+----------+----------+----------+--------------------------+
 *
 *   filter   the IDs whose filter hash selects the function
 *   notrace  those of them whose notrace hash takes it away again
 *   patched  the caller that the call site calls now; 0 for a nop, an ops'
 *            own trampoline or a direct call
 *
 *   interested = filter & ~notrace
 *
 * The lane's bit, the highest one, is only ever set in patched: an interested
 * lane member shows as a reference count above the number of interested IDs.
 *
 *     call site      caller (text)            slot (text)         ops
 *
 *    +---------+    +---------------+       +--------------+    +-------+
 *    | call  --|--->| save regs     |  +--->| ip, parent   |    | func  |
 *    +---------+    | call slot 0 --|--+    | rdx = ops[0]-|--->|       |
 *                   | call slot 2 --|--...  | jmp func     |    +-------+
 *                   | restore, ret  |       +--------------+
 *                   +---------------+
 *
 * Everything here is protected by ftrace_lock unless it says otherwise.
 */

struct seq_file;
struct dentry;
struct trace_array;
struct ftrace_iterator;

#ifdef CONFIG_FTRACE_MUX

#define FTRACE_MUX_BITS		CONFIG_FTRACE_MUX_TRACERS
/* Number of IDs; the bit after the last one is the overflow lane's */
#define FTRACE_MUX_IDS		(FTRACE_MUX_BITS - 1)
#define FTRACE_MUX_LANE		BIT(FTRACE_MUX_IDS)

/* What ftrace_check_record() keeps and clears of a record it disables */
#define FTRACE_MUX_FL_KEEP	(FTRACE_FL_MUX_FILTER | FTRACE_FL_MUX_NOTRACE)
#define FTRACE_MUX_FL_EN	FTRACE_FL_MUX_PATCHED

/* Name an ftrace_ops that is not registered; @name must stay */
static inline void ftrace_mux_set_name(struct ftrace_ops *ops, const char *name)
{
	ops->name = name;
}

static inline void ftrace_mux_copy_name(struct ftrace_ops *ops, const struct ftrace_ops *from)
{
	ops->name = from->name;
}

/* The initial trace flags of the top-level trace array */
#define FTRACE_MUX_VIEW_FLAG \
	(IS_ENABLED(CONFIG_FTRACE_MUX_VIEW) ? TRACE_ITER_FUNCTION_MUX : 0)

static inline unsigned int ftrace_mux_filter(const struct dyn_ftrace *rec)
{
	return (rec->flags & FTRACE_FL_MUX_FILTER) >> FTRACE_FL_MUX_FILTER_SHIFT;
}

static inline unsigned int ftrace_mux_notrace(const struct dyn_ftrace *rec)
{
	return (rec->flags & FTRACE_FL_MUX_NOTRACE) >> FTRACE_FL_MUX_NOTRACE_SHIFT;
}

/* The mask of the caller in the text, 0 if it is none of ours */
static inline unsigned int ftrace_mux_patched(const struct dyn_ftrace *rec)
{
	return (rec->flags & FTRACE_FL_MUX_PATCHED) >> FTRACE_FL_MUX_PATCHED_SHIFT;
}

/* The IDs that are interested in the function */
static inline unsigned int ftrace_mux_interested(const struct dyn_ftrace *rec)
{
	return ftrace_mux_filter(rec) & ~ftrace_mux_notrace(rec);
}

/**
 * ftrace_mux_want - the caller that a record's call site should call
 * @rec: the record
 *
 * Context: ftrace_lock held.
 * Return: the mask of the caller, or 0 where the site is to be a nop, to call
 * an ops' own trampoline or a direct function.
 */
static inline unsigned int ftrace_mux_want(const struct dyn_ftrace *rec)
{
	unsigned long count = ftrace_rec_count(rec);
	unsigned int ids;

	if (!count || rec->flags & FTRACE_FL_TRAMP)
		return 0;
	if (count == 1 && rec->flags & FTRACE_FL_DIRECT)
		return 0;

	ids = ftrace_mux_interested(rec);
	return count > hweight8(ids) ? ids | FTRACE_MUX_LANE : ids;
}

/* Does the call site have to be patched? Nonzero (a flag) if so */
static inline unsigned long ftrace_mux_changed(const struct dyn_ftrace *rec)
{
	return ftrace_mux_want(rec) != ftrace_mux_patched(rec) ?
		FTRACE_FL_MUX_PATCHED : 0;
}

/* What the current update has patched so far, for the event */
struct ftrace_mux_update {
	unsigned long	sites;
	unsigned int	mask;
	u64		start;
};

extern struct ftrace_mux_update ftrace_mux_update;

/* The call site is being patched: remember what to */
static inline void ftrace_mux_set_patched(struct dyn_ftrace *rec)
{
	unsigned int mask = ftrace_mux_want(rec);

	ftrace_mux_update.sites++;
	ftrace_mux_update.mask |= mask ^ ftrace_mux_patched(rec);

	rec->flags &= ~FTRACE_FL_MUX_PATCHED;
	rec->flags |= (unsigned long)mask << FTRACE_FL_MUX_PATCHED_SHIFT;
}

/* The call site is being patched to a nop */
static inline void ftrace_mux_set_nop(const struct dyn_ftrace *rec)
{
	ftrace_mux_update.sites++;
	ftrace_mux_update.mask |= ftrace_mux_patched(rec);
}

/* The architecture's part, see arch/x86/kernel/ftrace_mux/ */
unsigned long arch_ftrace_mux_caller(unsigned int mask, bool regs);
void arch_ftrace_mux_set_slot(unsigned int slot, ftrace_func_t func);
bool arch_ftrace_mux_site_calls(unsigned long ip, unsigned long addr);

/* The address that the call site is to call; 0: not one of our callers */
static inline unsigned long ftrace_mux_addr_new(const struct dyn_ftrace *rec)
{
	unsigned int mask = ftrace_mux_want(rec);

	return mask ? arch_ftrace_mux_caller(mask, rec->flags & FTRACE_FL_REGS) : 0;
}

/* The address that the call site calls now; 0: not one of our callers */
static inline unsigned long ftrace_mux_addr_curr(const struct dyn_ftrace *rec)
{
	unsigned int mask = ftrace_mux_patched(rec);

	return mask ? arch_ftrace_mux_caller(mask, rec->flags & FTRACE_FL_REGS_EN) : 0;
}

/*
 * Keep the masks of @rec when @ops starts (@inc) or stops being interested.
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

/* slots.c */
extern struct ftrace_ops *ftrace_mux_slot_ops[];
void ftrace_mux_register(struct ftrace_ops *ops);
void ftrace_mux_unregister(struct ftrace_ops *ops);
void ftrace_mux_release(struct ftrace_ops *ops);
void ftrace_mux_update_func(struct ftrace_ops *ops);
bool ftrace_mux_slot_used(unsigned int slot);
bool ftrace_mux_in_lane(const struct ftrace_ops *ops);
void ftrace_mux_lane_func(unsigned long ip, unsigned long parent_ip,
			  unsigned long mask, struct ftrace_regs *fregs);

/* masks.c */
void ftrace_mux_account_new(const struct ftrace_ops *ops, struct dyn_ftrace *rec);
void ftrace_mux_forget_id(unsigned int id);
int ftrace_mux_check(struct seq_file *m);

/* events.c */
void ftrace_mux_update_begin(void);
void ftrace_mux_update_end(void);

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
void ftrace_mux_add_tracer(struct ftrace_ops *ops);
void ftrace_mux_remove_tracer(struct ftrace_ops *ops);
struct ftrace_mux_tracer *ftrace_mux_find_ops(const struct ftrace_ops *ops);
struct ftrace_mux_tracer *ftrace_mux_find_serial(unsigned long serial);
struct ftrace_mux_tracer *ftrace_mux_default(void);
int ftrace_mux_set_default(const char *name);
void ftrace_mux_set_view(bool on);
bool ftrace_mux_view(void);
void ftrace_mux_start_tracer(struct trace_array *tr, const char *name);
int ftrace_mux_ops_id(const struct ftrace_ops *ops);

/* show.c */
bool ftrace_mux_show(struct seq_file *m, struct dyn_ftrace *rec);
void ftrace_mux_bug(const struct dyn_ftrace *rec);
void ftrace_mux_show_ops(struct seq_file *m, struct ftrace_ops *ops);
void ftrace_mux_show_state(struct seq_file *m);
bool ftrace_mux_ops_traces(const struct ftrace_ops *ops, unsigned long ip);

/* files.c */
void ftrace_mux_create_files(struct dentry *d_tracer);
bool ftrace_mux_create_filter_files(struct dentry *d_tracer);
#if IS_ENABLED(CONFIG_KUNIT)
ssize_t ftrace_mux_tracers_write(struct file *file, const char __user *ubuf,
				 size_t count, loff_t *ppos);
#endif

/* filter.c */
extern const struct file_operations ftrace_mux_filter_fops;
extern const struct file_operations ftrace_mux_notrace_fops;
extern const struct file_operations ftrace_mux_tracer_filter_fops;
extern const struct file_operations ftrace_mux_tracer_notrace_fops;

/* directory.c */
void ftrace_mux_create_tracers_dir(struct dentry *d_tracer);
void ftrace_mux_create_dir(struct ftrace_mux_tracer *t);
void ftrace_mux_remove_dir(struct ftrace_mux_tracer *t);

/* glue.c, a part of kernel/trace/ftrace.c */
int ftrace_mux_copy_hashes(struct ftrace_ops *dst, struct ftrace_ops *src);
void ftrace_mux_free_hashes(struct ftrace_ops *ops);
int ftrace_mux_move_hash(struct ftrace_ops *ops, struct ftrace_ops *from, int flag);
int ftrace_mux_unshare(struct ftrace_ops *ops);
struct ftrace_ops *ftrace_mux_file_ops(struct file *file);
void ftrace_mux_first_module(struct ftrace_iterator *iter);
void ftrace_mux_print_filter(struct seq_file *m, struct ftrace_ops *ops, int flag,
			     const char *name);

/**
 * ftrace_mux_match_error - what became of collecting functions by name
 * @found: what match_records() returned: the number found, 0 or 1, or an errno
 *
 * Return: 0, -EINVAL if there is no such function, or the errno.
 */
static inline int ftrace_mux_match_error(int found)
{
	return found > 0 ? 0 : found ?: -EINVAL;
}

#else /* !CONFIG_FTRACE_MUX */

#define FTRACE_MUX_FL_KEEP	0
#define FTRACE_MUX_FL_EN	0
#define FTRACE_MUX_VIEW_FLAG	0

/* No function: inlining one would be enough to make the compiler choose other registers */
#define ftrace_mux_account(...)	do { } while (0)
#define ftrace_mux_first_module(...)	do { } while (0)
#define ftrace_mux_match_error(found)	((found) ? 0 : -EINVAL)

static inline void ftrace_mux_set_name(struct ftrace_ops *ops, const char *name) { }
static inline void ftrace_mux_copy_name(struct ftrace_ops *ops, const struct ftrace_ops *from) { }
static inline void ftrace_mux_start_tracer(struct trace_array *tr, const char *name) { }
static inline void ftrace_mux_update_begin(void) { }
static inline void ftrace_mux_update_end(void) { }
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

static inline int ftrace_mux_valid_name(const struct ftrace_ops *ops)
{
	return 0;
}

static inline void ftrace_mux_set_patched(struct dyn_ftrace *rec) { }
static inline void ftrace_mux_account_new(const struct ftrace_ops *ops,
					  struct dyn_ftrace *rec) { }
static inline void ftrace_mux_register(struct ftrace_ops *ops) { }
static inline void ftrace_mux_unregister(struct ftrace_ops *ops) { }
static inline void ftrace_mux_release(struct ftrace_ops *ops) { }
static inline void ftrace_mux_update_func(struct ftrace_ops *ops) { }
static inline void ftrace_mux_bug(const struct dyn_ftrace *rec) { }
static inline void ftrace_mux_add_tracer(struct ftrace_ops *ops) { }
static inline void ftrace_mux_remove_tracer(struct ftrace_ops *ops) { }
static inline void ftrace_mux_create_files(struct dentry *d_tracer) { }
static inline void ftrace_mux_set_view(bool on) { }

#endif /* CONFIG_FTRACE_MUX */

#endif /* _LINUX_KERNEL_FTRACE_MUX_H */
