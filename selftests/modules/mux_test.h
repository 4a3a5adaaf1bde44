/* SPDX-License-Identifier: GPL-2.0 */
/*
 * mux_test: functions to trace, tracers that trace them, and an oracle that
 * knows for every single call which tracers have to see it.
 *
 * A call is made by mt_do_call() with a struct mt_call on the stack, whose
 * address is the first argument of the traced function. A tracer's callback
 * finds it again in the registers, and leaves its bit in @seen. After the call
 * mt_do_call() compares @seen with two masks per function:
 *
 *	mt_must[fn]	tracers that certainly trace the function
 *	mt_may[fn]	tracers that may trace the function
 *
 * They differ only while a tracer is being registered, unregistered or
 * filtered, and only for the functions that this adds or removes. Both masks
 * are read before and after the call; mt_changed[] tells whether they went
 * back and forth in between. So every call is checked exactly, also while tracers
 * change. Counters for each tracer and function are for the tests that compare
 * numbers.
 */
#ifndef _MUX_TEST_H
#define _MUX_TEST_H

#include <linux/atomic.h>
#include <linux/ftrace.h>
#include <linux/mutex.h>
#include <linux/types.h>

#define MT_NR_FNS	32
#define MT_NR_TRACERS	16
#define MT_ALL_FNS	((unsigned long)GENMASK(MT_NR_FNS - 1, 0))

#define MT_CALL_MAGIC	0x6d75785f63616c6cUL
#define MT_OPS_MAGIC	0x6d75785f6f707300UL

/* What an argument or a register has on top of the address of the mt_call */
#define MT_ARG(c, n)	((unsigned long)(c) + (n))

struct mt_call {
	unsigned long	sp;		/* written by mt_call_regs(), keep first */
	unsigned long	magic;
	unsigned long	seen;		/* a bit per tracer that saw this call */
	unsigned int	fn;		/* mt_call_regs() reads it */
	unsigned int	body;		/* how often the function's body ran */
	unsigned int	alt;		/* how often a replacement ran */
};

static_assert(offsetof(struct mt_call, fn) == 24);

typedef long (*mt_fn_t)(struct mt_call *c, unsigned long a1, unsigned long a2,
			unsigned long a3, unsigned long a4, unsigned long a5,
			unsigned long a6, unsigned long a7);

/* Things that must not happen, in the order of mt_bad_names[] */
enum mt_bad {
	MT_LOST,		/* a tracer did not see a call it had to see */
	MT_SPURIOUS,		/* a tracer saw a call of a function outside its filter */
	MT_DUP,			/* a tracer saw a call twice */
	MT_LATE,		/* a callback ran after unregistering had returned */
	MT_BAD_OPS,		/* not the tracer's own ops */
	MT_BAD_IP,		/* ip does not belong to the function that was called */
	MT_BAD_PARENT,		/* parent_ip is not the caller's return address */
	MT_BAD_ARGS,		/* wrong arguments or stack pointer in fregs */
	MT_BAD_REGS,		/* no full registers, or wrong ones */
	MT_BAD_STACK,		/* a stack trace does not reach the caller */
	MT_BAD_BODY,		/* the function itself got wrong arguments */
	MT_BAD_RETURN,		/* the caller's registers or the result are wrong */
	MT_NR_BAD,
};

/* struct mt_tracer::opt */
#define MT_OPT_REGS	BIT(0)
#define MT_OPT_IPMODIFY	BIT(1)
#define MT_OPT_STACK	BIT(2)
#define MT_OPT_OTHER	BIT(3)
#define MT_OPT_HOLD	BIT(4)
#define MT_OPT_SHOW	BIT(5)

struct mt_tracer {
	struct ftrace_ops	ops;
	unsigned long		magic;
	unsigned long		filter;		/* functions named by the filter */
	unsigned long		excluded;	/* by the notrace filter */
	unsigned long		effective;	/* what that comes to */
	unsigned int		opt;
	bool			registered;
	bool			live;		/* false: no callback may run */
	bool			all;		/* empty filter: the whole kernel */
	unsigned long		narrowed;	/* jiffies when it ceased to be empty */
	atomic_t		stragglers;	/* calls of other functions since then */
	char			name[32];
};

/* Outlives the tracer; a count per function that is in the filter */
struct mt_stat {
	atomic_long_t		count[MT_NR_FNS];
	atomic_long_t		bad[MT_NR_BAD];
	atomic_long_t		other;		/* kernel functions outside this module */
	atomic_long_t		unasked;	/* full registers without having asked */
};

/* mux_test_fns.c: the traced functions */
extern const mt_fn_t mt_fns[MT_NR_FNS];
extern atomic_long_t mt_calls[MT_NR_FNS];
extern atomic_long_t mt_bad_body;
void mt_fns_init(void);
int mt_fn_index(unsigned long ip);
long mt_alt(struct mt_call *c, unsigned long a1, unsigned long a2,
	    unsigned long a3, unsigned long a4, unsigned long a5,
	    unsigned long a6, unsigned long a7);

/* mux_test_main.c: `nth N` before a command, also for other modules */
char *mt_nth_parse(char *line, unsigned int *nth);
int mt_nth_begin(unsigned int nth);
void mt_nth_end(void);

/* mux_test_x86_64.S, mux_test_arm64.S */
long mt_call_regs(mt_fn_t fn, struct mt_call *c);
extern const char mt_ret_addr[];

/* mux_test_oracle.c */
extern atomic_long_t mt_bad[MT_NR_BAD];
extern const char *const mt_bad_names[MT_NR_BAD];
void mt_do_call(unsigned int fn);
void mt_change_begin(unsigned int id, unsigned long may, unsigned long keep);
void mt_change_end(unsigned int id, unsigned long fns);
void mt_suspend(bool on);
void mt_oracle_reset(void);
struct seq_file;
void mt_oracle_show(struct seq_file *m);
unsigned long mt_errors(void);

/* mux_test_tracer.c */
extern struct mt_stat mt_stat[MT_NR_TRACERS];
int mt_tracer_add(unsigned int id, char *options);
int mt_tracer_filter(unsigned int id, char *globs, bool exclude);
int mt_tracer_filter_ips(unsigned int id, unsigned long fns);
int mt_tracer_register(unsigned int id);
int mt_tracer_unregister(unsigned int id);
int mt_tracer_free(unsigned int id);
void mt_others_modify(bool on);
void mt_hold(bool on);
void mt_tracers_show(struct seq_file *m);
void mt_tracers_init(void);
void mt_tracers_exit(void);

/* mux_test_load.c */
int mt_load(unsigned int threads);
int mt_timer(bool on);
int mt_churn(unsigned int threads, u32 seed, unsigned int first, unsigned int nr);
void mt_load_show(struct seq_file *m);
void mt_load_exit(void);

/* mux_test_corrupt.c */
int mt_corrupt(unsigned int fn);

/* mux_test_fregs.c */
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS
void mt_fregs_take(unsigned int id, unsigned long ip, unsigned long parent_ip,
		   struct ftrace_regs *fregs);
int mt_fregs_show(struct seq_file *m, void *v);
#else
static inline void mt_fregs_take(unsigned int id, unsigned long ip, unsigned long parent_ip,
				 struct ftrace_regs *fregs) { }
static inline int mt_fregs_show(struct seq_file *m, void *v) { return 0; }
#endif

/* mux_probes.c, in assembly */
void probe_direct_tramp(void *unused);
void probe_moved_tramp(void *unused);
void probe_jump_tramp(void *unused);

#endif /* _MUX_TEST_H */
