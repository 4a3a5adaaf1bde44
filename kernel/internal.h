/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_KERNEL_FTRACE_MUX_INTERNAL_H
#define _LINUX_KERNEL_FTRACE_MUX_INTERNAL_H

#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/fs.h>
#include <linux/ftrace.h>

#include "arch.h"
#include "mux.h"
#include "record_group.h"

/*
 * The lowest layer of the multiplexing function tracer: its structures, and what
 * its files call of each other.
 *
 * An ftrace_ops on ftrace_ops_list has an ID, which is a bit and a slot, or none:
 * livepatch, direct calls, an ops that is never called (FTRACE_OPS_FL_STUB), and
 * tracers that register when all IDs are taken. The upper half of a dyn_ftrace
 * record's flags holds two masks of the bits and the index of the stub:
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
 * Where tracers without an ID trace the function too, its reference count is larger
 * than the number of these IDs. On x86 (for arm64 see arch.h):
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
 * A set says which tracers are called, and with which registers. Its bits:
 *
 *   0, 1, ...             the mask: the IDs of the members, which all have one
 *   FTRACE_MUX_REGS       all registers, not the arguments only
 *   FTRACE_MUX_GROUP      no registers: all members only record, see record_group.h
 *
 * or FTRACE_MUX_LIST plus the index of a list in ftrace_mux_lists[], which has
 * members without an ID, or some of several users of function graph. The set 0
 * is empty, or none of its members is called through a stub.
 *
 * A change patches stubs rather than call sites: when most call sites of a stub
 * want another set, only the stub is pointed to that set (update.c). A stub that a
 * call site has left gets another set after a grace period only (grace.c, stubs.c).
 *
 * The layers, the lowest first. A file calls only files of the lines before its own,
 * and lists them at its top:
 *
 *   internal.h mux.h arch.h names.h compat_names.h compat_graph.h
 *   record_group.h compat_record.h paused.h events.h
 *   access.c events.c grace.c names.c record_group.c
 *   hashes.c module_names.c
 *   ids.c lists.c match.c
 *   stubs.c
 *   reclaim.c graph.c
 *   members.c register.c
 *   sites.c
 *   update.c
 *   graph_users.c
 *   tracers.c
 *   view.c filter.c
 *   show.c check.c directory.c sections.c
 *   files.c
 *
 * What arch.h declares is in a folder of ours in arch/, whose bodies call lists.c and
 * record_group.c. Some files need static functions: ftrace.c includes access.c and match.c,
 * fgraph.c graph.c and graph_users.c, trace_functions.c record_group.c, and arm64's ftrace.c
 * site.c. ftrace calls the functions of mux.h, names.h and paused.h, in files of any layer.
 *
 * Everything is protected by ftrace_lock unless it says otherwise.
 */

struct dentry;
struct file;
struct ftrace_page;
struct ftrace_rec_iter;
struct inode;
struct seq_file;
struct trace_array;

/* Number of IDs */
#define FTRACE_MUX_IDS		CONFIG_FTRACE_MUX_TRACERS
#define FTRACE_MUX_MASK		(BIT(FTRACE_MUX_IDS) - 1)
/* 0 where ftrace has no DYNAMIC_FTRACE_WITH_REGS: all bodies save the arguments only */
#define FTRACE_MUX_REGS		\
	(IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_REGS) ? BIT(FTRACE_MUX_IDS) : 0)
#define FTRACE_MUX_GROUP	BIT(FTRACE_MUX_IDS + !!FTRACE_MUX_REGS)
#define FTRACE_MUX_LIST		(FTRACE_MUX_GROUP << 1)
/* As many as there are entries in the architecture's text */
#define FTRACE_MUX_LISTS	127
#define FTRACE_MUX_SETS		(FTRACE_MUX_LIST + FTRACE_MUX_LISTS)

#define FTRACE_MUX_STUBS	CONFIG_FTRACE_MUX_STUBS

/* Users of function graph at a time */
#define FTRACE_MUX_GRAPH_USERS	16

/* What a dyn_ftrace record says */

static inline unsigned int ftrace_mux_filter(const struct dyn_ftrace *rec)
{
	return (rec->flags & FTRACE_FL_MUX_FILTER) >> FTRACE_FL_MUX_FILTER_SHIFT;
}

static inline unsigned int ftrace_mux_notrace(const struct dyn_ftrace *rec)
{
	return (rec->flags & FTRACE_FL_MUX_NOTRACE) >> FTRACE_FL_MUX_NOTRACE_SHIFT;
}

/* The stub that the call site calls, 0 if it is none of ours */
static inline unsigned int ftrace_mux_stub_index(const struct dyn_ftrace *rec)
{
	return (rec->flags & FTRACE_FL_MUX_STUB) >> FTRACE_FL_MUX_STUB_SHIFT;
}

/* The IDs that trace the function */
static inline unsigned int ftrace_mux_interested(const struct dyn_ftrace *rec)
{
	return ftrace_mux_filter(rec) & ~ftrace_mux_notrace(rec);
}

/* Does ftrace account the record? It leaves disabled ones alone */
static inline bool ftrace_mux_accounted(const struct dyn_ftrace *rec)
{
	return !(rec->flags & FTRACE_FL_DISABLED) || rec->flags & FTRACE_FL_ENABLED;
}

/* Should the call site call a stub? Not where it calls a single ops in another way */
static inline bool ftrace_mux_wanted(const struct dyn_ftrace *rec)
{
	unsigned long count = ftrace_rec_count(rec);

	if (!count || rec->flags & (FTRACE_FL_TRAMP | FTRACE_FL_CALL_OPS))
		return false;
	return count > 1 || !(rec->flags & FTRACE_FL_DIRECT);
}

/**
 * struct ftrace_mux_stub - what is known of a stub
 * @set: the set that it leads to; 0: it has led to none yet, or its list is gone
 * @next: the set after the current update, the same outside of one
 * @count: call sites that call it
 * @left: the last update in which a call site left it, see ftrace_mux_is_clean()
 */
struct ftrace_mux_stub {
	u16		set;
	u16		next;
	u32		count;
	unsigned long	left;
};

/**
 * struct ftrace_mux_member - one that a list calls
 * @func: called with @ops, or with @bitmap in its place
 * @ops: the tracer
 * @bitmap: users of function graph, by their indexes in fgraph_array
 * @is_bitmap: it is @bitmap, not @ops
 */
struct ftrace_mux_member {
	ftrace_func_t			func;
	union {
		struct ftrace_ops	*ops;
		unsigned long		bitmap;
	};
	bool				is_bitmap;
};

/**
 * struct ftrace_mux_list - a set that a mask of IDs cannot express
 * @regs: all registers are saved; the body reads it, so it comes first
 * @gone: a member has been unregistered; no further call site gets this set
 * @mask: the members that have an ID
 * @graph: the users of function graph, if they are in it as a bitmap
 * @nr: number of members
 * @stubs: how many lead to it
 * @left: the last update in which a stub left it, see ftrace_mux_is_clean()
 * @members: in the order in which they are called; the last one has no function
 *
 * The members are found when the set is made. Calls read them without a lock, so a
 * grace period of tasks RCU passes before the list is freed. The function of a member
 * may change; its ops only after ftrace has died, see ftrace_mux_scrub_lists().
 */
struct ftrace_mux_list {
	bool			regs;
	bool			gone;
	u16			mask;
	u16			graph;
	unsigned int		nr;
	unsigned int		stubs;
	unsigned long		left;
	struct ftrace_mux_member members[];
};

/* A tracer without an ID that traces the function at @ip */
struct ftrace_mux_pair {
	unsigned long		ip;
	struct ftrace_ops	*ops;
};

/* The list that all records with these flags want; 0: the flags do not tell */
struct ftrace_mux_known {
	unsigned long		flags;
	unsigned int		set;
};

/**
 * struct ftrace_mux_plan - what an update, or a pass of function_mux_check, has found out
 * @taken: stubs whose set a call site that moves is going to want
 * @without_stub: sets that have no stub, and get none in this update
 * @list_refused: a list could not be made, and no other one is made in this update:
 * each record has to want the same set each time it is looked at
 * @by_flags: the flags of a record can tell which list it wants
 * @changed: the tracer without an ID that has changed since the last update, or NULL
 * @known: which list the flags stand for, found by a hash of the flags
 * @looked: the tracers without an ID have been looked for
 * @wide: tracers without an ID whose hashes are tested for each function
 * @nr_wide: how many
 * @pairs: the other ones with each function of their filters, sorted by function
 * @nr_pairs: how many
 * @ops: where the tracers of a function are gathered; NULL: no memory for it
 * @members: where the members of its list are made
 * @last: the last record that a list was looked for
 * @last_set: and its set
 */
struct ftrace_mux_plan {
	DECLARE_BITMAP(taken, FTRACE_MUX_STUBS + 1);
	DECLARE_BITMAP(without_stub, FTRACE_MUX_SETS);
	bool				list_refused;
	bool				by_flags;
	bool				looked;
	struct ftrace_ops		*changed;
	struct ftrace_mux_known		known[64];
	struct ftrace_ops		**wide;
	unsigned int			nr_wide;
	struct ftrace_mux_pair		*pairs;
	unsigned int			nr_pairs;
	struct ftrace_ops		**ops;
	struct ftrace_mux_member	*members;
	const struct dyn_ftrace		*last;
	unsigned int			last_set;
};

/* What an update has done, for the event and for function_mux */
struct ftrace_mux_update {
	unsigned long	sites;		/* patched */
	unsigned int	redirects;	/* stubs that got another set */
	unsigned int	waits;		/* for a grace period */
	unsigned int	mask;		/* IDs of the sets of these sites; what stubs got or lost */
	u64		start;
	u64		ns;
};

#define FTRACE_MUX_NAME_MAX	64

/**
 * struct ftrace_mux_tracer - a registered tracer that has a name
 * @list: in ftrace_mux_tracers, in order of registration
 * @ops: what it is registered with: an ops or a subops of function_graph
 * @serial: identifies the registration; never used again
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

/* access.c, a part of kernel/trace/ftrace.c */
struct ftrace_mux_array {
	struct ftrace_page	*pg;
	struct dyn_ftrace	*recs;
	unsigned int		nr;
};

extern unsigned long ftrace_mux_idle_flags;
bool ftrace_mux_next_array(struct ftrace_mux_array *array);
void ftrace_mux_retarget(void);
void ftrace_mux_disarm(struct ftrace_ops *ops);
int ftrace_mux_copy_hashes(struct ftrace_ops *dst, struct ftrace_ops *src);
void ftrace_mux_free_hashes(struct ftrace_ops *ops);
int ftrace_mux_move_hash(struct ftrace_ops *ops, struct ftrace_ops *from, int flag);
int ftrace_mux_unshare(struct ftrace_ops *ops);
struct ftrace_ops *ftrace_mux_file_ops(struct file *file);
void ftrace_mux_never_wait(struct file *file);
void ftrace_mux_print_filter(struct seq_file *m, struct ftrace_ops *ops, int flag,
			     const char *name);

/* events.c */
void ftrace_mux_emit_update(const struct ftrace_mux_update *u);

/* The set of the IDs that trace the function */
static inline unsigned int ftrace_mux_mask_set(const struct dyn_ftrace *rec)
{
	unsigned int mask = ftrace_mux_interested(rec);

	if (FTRACE_MUX_REGS && rec->flags & FTRACE_FL_REGS)
		return mask | FTRACE_MUX_REGS;
	if (hweight8(mask) > 1 && !(mask & ~ftrace_mux_recorders))
		return mask | FTRACE_MUX_GROUP;
	return mask;
}

/* grace.c */
extern unsigned long ftrace_mux_seq;
unsigned long ftrace_mux_clean_seq(void);
bool ftrace_mux_is_clean(unsigned long left);
bool ftrace_mux_nobody_to_wait_for(void);
void ftrace_mux_wait_for_callers(unsigned long left);
bool ftrace_mux_wait_a_while(unsigned long left);
void ftrace_mux_wait_unlocked(unsigned long left);

/* hashes.c: what an ops traces, what is called for it, whether it gets an ID */
bool ftrace_mux_ops_selects(const struct ftrace_ops *ops, unsigned long ip);
bool ftrace_mux_ops_excludes(const struct ftrace_ops *ops, unsigned long ip);
bool ftrace_mux_ops_traces(const struct ftrace_ops *ops, unsigned long ip);
bool ftrace_mux_ops_is_wide(const struct ftrace_ops *ops);
struct ftrace_hash *ftrace_mux_ops_filter(const struct ftrace_ops *ops);
ftrace_func_t ftrace_mux_ops_func(const struct ftrace_ops *ops);
bool ftrace_mux_called_last(const struct ftrace_ops *ops);
bool ftrace_mux_wants_id(const struct ftrace_ops *ops);
struct trace_array *ftrace_mux_ops_tr(const struct ftrace_ops *ops);

/* ids.c */
extern struct ftrace_mux_slot ftrace_mux_slots[];
bool ftrace_mux_slot_used(unsigned int slot);
void ftrace_mux_give_id(struct ftrace_ops *ops);
void ftrace_mux_set_slot(unsigned int slot, ftrace_func_t func);
void ftrace_mux_take_id(struct ftrace_ops *ops, bool clean);
void ftrace_mux_free_slot(const struct ftrace_ops *ops);
int ftrace_mux_ops_id(const struct ftrace_ops *ops);

/* lists.c */
extern struct ftrace_mux_list *ftrace_mux_lists[FTRACE_MUX_LISTS];
void ftrace_mux_list_func(unsigned long ip, unsigned long parent_ip,
			  const struct ftrace_mux_list *list, struct ftrace_regs *fregs);
unsigned int ftrace_mux_find_list(unsigned int mask, bool regs,
				  const struct ftrace_mux_member *members, unsigned int nr);
unsigned int ftrace_mux_make_list(unsigned int mask, bool regs,
				  const struct ftrace_mux_member *members, unsigned int nr);
bool ftrace_mux_list_has(struct ftrace_mux_list *list, const struct ftrace_ops *ops);
void ftrace_mux_use_set(unsigned int set, int stubs);
void ftrace_mux_update_lists(const struct ftrace_ops *ops, ftrace_func_t func);
void ftrace_mux_scrub_lists(const struct ftrace_ops *ops);
unsigned int ftrace_mux_unused_lists(void);
bool ftrace_mux_any_list_unused(void);
void ftrace_mux_free_lists(void);

/* The list of a set, or NULL */
static inline struct ftrace_mux_list *ftrace_mux_list_of(unsigned int set)
{
	return set < FTRACE_MUX_LIST ? NULL : ftrace_mux_lists[set - FTRACE_MUX_LIST];
}

/* The IDs of a set */
static inline unsigned int ftrace_mux_mask_of(unsigned int set)
{
	return set < FTRACE_MUX_LIST ? set & FTRACE_MUX_MASK : ftrace_mux_list_of(set)->mask;
}

/* Does it save all registers? */
static inline bool ftrace_mux_regs_of(unsigned int set)
{
	return set < FTRACE_MUX_LIST ? set & FTRACE_MUX_REGS : ftrace_mux_list_of(set)->regs;
}

/* Is it a group? */
static inline bool ftrace_mux_is_group(unsigned int set)
{
	return set < FTRACE_MUX_LIST && set & FTRACE_MUX_GROUP;
}

/* stubs.c. Entry 0 stands for no stub: its set is 0, and nothing reads its count */
extern struct ftrace_mux_stub ftrace_mux_stubs[FTRACE_MUX_STUBS + 1];
void ftrace_mux_forget_hints(void);
unsigned int ftrace_mux_stub_with(unsigned int set);
unsigned int ftrace_mux_stub_for(struct ftrace_mux_plan *plan, unsigned int set);
unsigned int ftrace_mux_unused(const struct ftrace_mux_plan *plan, bool clean);
void ftrace_mux_redirect(unsigned int index, unsigned int set);
void ftrace_mux_leave_lists(const struct ftrace_ops *ops);

static inline struct ftrace_mux_stub *ftrace_mux_stub_of(const struct dyn_ftrace *rec)
{
	return &ftrace_mux_stubs[ftrace_mux_stub_index(rec)];
}

/* reclaim.c */
unsigned long ftrace_mux_grace_delay(void);
void ftrace_mux_next_grace(void);

/* graph.c, a part of kernel/trace/fgraph.c */
#ifdef CONFIG_FTRACE_MUX_GRAPH
bool ftrace_mux_graph_plan(void);
bool ftrace_mux_is_graph(const struct ftrace_ops *ops);
bool ftrace_mux_graph_member(unsigned long ip, struct ftrace_mux_member *member);
ftrace_func_t ftrace_mux_graph_func(unsigned long bitmap);
unsigned int ftrace_mux_graph_mask(void);
struct ftrace_ops *ftrace_mux_graph_user(unsigned int index);
void *ftrace_mux_graph_entryfunc(unsigned int index);
#else
static inline bool ftrace_mux_graph_plan(void) { return false; }
static inline bool ftrace_mux_is_graph(const struct ftrace_ops *ops) { return false; }
static inline bool ftrace_mux_graph_member(unsigned long ip, struct ftrace_mux_member *member)
{
	return true;
}

static inline ftrace_func_t ftrace_mux_graph_func(unsigned long bitmap) { return NULL; }
static inline unsigned int ftrace_mux_graph_mask(void) { return 0; }
static inline struct ftrace_ops *ftrace_mux_graph_user(unsigned int index) { return NULL; }
static inline void *ftrace_mux_graph_entryfunc(unsigned int index) { return NULL; }
#endif

/* members.c */
extern bool ftrace_mux_list_missing;
void ftrace_mux_prepare_members(struct ftrace_mux_plan *plan, bool update);
void ftrace_mux_forget_members(struct ftrace_mux_plan *plan);
bool ftrace_mux_beyond_mask(const struct dyn_ftrace *rec);
bool ftrace_mux_wants_list(const struct dyn_ftrace *rec);
bool ftrace_mux_flags_say(struct ftrace_mux_plan *plan, const struct dyn_ftrace *rec);
unsigned int ftrace_mux_want_set(struct ftrace_mux_plan *plan, const struct dyn_ftrace *rec);
unsigned int ftrace_mux_sets_differ(unsigned int a, unsigned int b);

/* sites.c */
extern struct ftrace_mux_update ftrace_mux_update;
struct ftrace_mux_plan *ftrace_mux_begin_plan(bool update);
void ftrace_mux_end_plan(void);

/* update.c */
extern struct ftrace_mux_update ftrace_mux_updates;

/* tracers.c */
extern struct list_head ftrace_mux_tracers;
struct ftrace_mux_tracer *ftrace_mux_enlist(struct ftrace_ops *ops);
void ftrace_mux_delist(struct ftrace_mux_tracer *t);
struct ftrace_mux_tracer *ftrace_mux_find_ops(const struct ftrace_ops *ops);
struct ftrace_mux_tracer *ftrace_mux_find_serial(unsigned long serial);
struct ftrace_mux_tracer *ftrace_mux_find_name(const char *name);

/* view.c */
struct ftrace_mux_tracer *ftrace_mux_default(void);
int ftrace_mux_set_default(const char *name);
void ftrace_mux_default_comes(const struct ftrace_mux_tracer *t);
void ftrace_mux_default_goes(unsigned long serial);
void ftrace_mux_set_view(bool on);
bool ftrace_mux_view(void);

/* filter.c */
struct ftrace_mux_file;
int ftrace_mux_copy_filter(struct ftrace_ops *proxy, struct ftrace_ops *ops);
struct ftrace_mux_file *ftrace_mux_alloc_file(struct ftrace_mux_tracer *t, int flag,
					      struct file *file);
int ftrace_mux_open_file(struct ftrace_mux_file *mf, int flag, struct inode *inode,
			 struct file *file);
ssize_t ftrace_mux_filter_read(struct file *file, char __user *ubuf, size_t count,
			       loff_t *ppos);
ssize_t ftrace_mux_filter_write(struct file *file, const char __user *ubuf, size_t count,
				loff_t *ppos);
ssize_t ftrace_mux_notrace_write(struct file *file, const char __user *ubuf, size_t count,
				 loff_t *ppos);
int ftrace_mux_filter_release(struct inode *inode, struct file *file);
extern const struct file_operations ftrace_mux_tracer_filter_fops;
extern const struct file_operations ftrace_mux_tracer_notrace_fops;

/* show.c: function_mux, enabled_functions */
void ftrace_mux_show_state(struct seq_file *m);

/* check.c: function_mux_check */
int ftrace_mux_check(struct seq_file *m);

/* directory.c */
void ftrace_mux_create_tracers_dir(struct dentry *d_tracer);

/* files.c */
#if IS_ENABLED(CONFIG_KUNIT)
ssize_t ftrace_mux_tracers_write(struct file *file, const char __user *ubuf,
				 size_t count, loff_t *ppos);
#endif

#endif /* _LINUX_KERNEL_FTRACE_MUX_INTERNAL_H */
