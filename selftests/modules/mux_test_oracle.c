// SPDX-License-Identifier: GPL-2.0
/*
 * Which tracers have to see which call, and whether they did; see mux_test.h.
 *
 * Order of a change of one function's membership:
 *
 *	changed = ~0, clear must, set may
 *	  the call into ftrace
 *	changed = ++generation, clear may if removed, set must if added
 *
 * A call reads the generation and the masks before it starts, and the masks
 * again after it has returned. A tracer that went away and came back during one
 * call leaves no trace in the masks, but a mt_changed[] above the generation
 * that the call started with.
 */
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "mux_test.h"

static unsigned long mt_must[MT_NR_FNS];
static unsigned long mt_may[MT_NR_FNS];
static unsigned long mt_changed[MT_NR_FNS][MT_NR_TRACERS];
static atomic_long_t mt_generation;

/* While ftrace is switched off as a whole, nobody has to see anything */
static bool mt_suspended;
static unsigned long mt_resumed;

static DEFINE_PER_CPU(unsigned long, mt_checked);
static DEFINE_PER_CPU(unsigned long, mt_pairs);

atomic_long_t mt_bad[MT_NR_BAD];
const char *const mt_bad_names[MT_NR_BAD] = {
	[MT_LOST]	= "lost",
	[MT_SPURIOUS]	= "spurious",
	[MT_DUP]	= "dup",
	[MT_LATE]	= "late",
	[MT_BAD_OPS]	= "bad_ops",
	[MT_BAD_IP]	= "bad_ip",
	[MT_BAD_PARENT]	= "bad_parent",
	[MT_BAD_ARGS]	= "bad_args",
	[MT_BAD_REGS]	= "bad_regs",
	[MT_BAD_STACK]	= "bad_stack",
	[MT_BAD_BODY]	= "bad_body",
	[MT_BAD_RETURN]	= "bad_return",
};

/* The first wrong call of each kind, for the report */
static struct {
	unsigned long	busy;
	unsigned int	fn;
	unsigned long	seen, must, may;
} mt_first[MT_NR_BAD];

static void mt_report(enum mt_bad what, unsigned int nr, struct mt_call *c,
		      unsigned long must, unsigned long may)
{
	if (!atomic_long_fetch_add(nr, &mt_bad[what]) && !xchg(&mt_first[what].busy, 1)) {
		mt_first[what].fn = c->fn;
		mt_first[what].seen = c->seen;
		mt_first[what].must = must;
		mt_first[what].may = may;
	}
}

/* Without the tracers whose interest in @fn changed since @generation */
static unsigned long mt_unchanged(unsigned int fn, unsigned long tracers,
				  unsigned long generation)
{
	unsigned long left = tracers;
	unsigned int id;

	for_each_set_bit(id, &tracers, MT_NR_TRACERS)
		if (READ_ONCE(mt_changed[fn][id]) > generation)
			__clear_bit(id, &left);
	return left;
}

/* One call of a traced function, checked */
void mt_do_call(unsigned int fn)
{
	struct mt_call c = { .magic = MT_CALL_MAGIC, .fn = fn };
	unsigned long must, may, generation, wrong;
	bool suspended;
	long ret;

	generation = atomic_long_read_acquire(&mt_generation);
	suspended = READ_ONCE(mt_suspended);
	must = READ_ONCE(mt_must[fn]);
	may = READ_ONCE(mt_may[fn]);
	smp_mb(); /* the masks as they were before the call */

	ret = mt_call_regs(mt_fns[fn], &c);

	smp_mb(); /* and as they are after it */
	must &= READ_ONCE(mt_must[fn]);
	may |= READ_ONCE(mt_may[fn]);
	if (suspended || READ_ONCE(mt_suspended) || READ_ONCE(mt_resumed) > generation)
		must = 0;

	wrong = mt_unchanged(fn, must & ~c.seen, generation);
	if (unlikely(wrong))
		mt_report(MT_LOST, hweight_long(wrong), &c, must, may);
	wrong = mt_unchanged(fn, c.seen & ~may, generation);
	if (unlikely(wrong))
		mt_report(MT_SPURIOUS, hweight_long(wrong), &c, must, may);
	if (unlikely(c.body + c.alt != 1 || ret != ((long)&c ^ fn)))
		mt_report(MT_BAD_RETURN, 1, &c, must, may);

	this_cpu_inc(mt_checked);
	this_cpu_add(mt_pairs, hweight_long(must));
}

/*
 * Tracer @id is about to change. From now on it may see @may, and for certain
 * it sees only @keep of what it sees now.
 */
void mt_change_begin(unsigned int id, unsigned long may, unsigned long keep)
{
	unsigned int fn;

	for (fn = 0; fn < MT_NR_FNS; fn++) {
		bool drop = test_bit(id, &mt_must[fn]) && !(keep & BIT(fn));
		bool gain = (may & BIT(fn)) && !test_bit(id, &mt_may[fn]);

		if (!drop && !gain)
			continue;
		WRITE_ONCE(mt_changed[fn][id], ULONG_MAX);
		smp_mb(); /* pairs with the barriers of mt_do_call() */
		if (drop)
			clear_bit(id, &mt_must[fn]);
		if (gain)
			set_bit(id, &mt_may[fn]);
	}
	smp_mb(); /* a call that sees the change sees the masks */
}

/* The change is over: tracer @id sees @fns, and nothing else */
void mt_change_end(unsigned int id, unsigned long fns)
{
	unsigned long generation;
	unsigned int fn;

	smp_mb(); /* the change is seen before the masks */
	generation = atomic_long_inc_return(&mt_generation);
	for (fn = 0; fn < MT_NR_FNS; fn++) {
		if (READ_ONCE(mt_changed[fn][id]) == ULONG_MAX)
			WRITE_ONCE(mt_changed[fn][id], generation);
		smp_mb(); /* pairs with the barriers of mt_do_call() */
		if (fns & BIT(fn))
			set_bit(id, &mt_must[fn]);
		else
			clear_bit(id, &mt_may[fn]);
	}
}

/* To be called around ftrace_enabled = 0; ... ftrace_enabled = 1 */
void mt_suspend(bool on)
{
	if (on) {
		WRITE_ONCE(mt_suspended, true);
		smp_mb(); /* before ftrace is switched off */
	} else {
		smp_mb(); /* after ftrace is switched on */
		WRITE_ONCE(mt_resumed, atomic_long_inc_return(&mt_generation));
		smp_mb(); /* a call that is not suspended knows since when */
		WRITE_ONCE(mt_suspended, false);
	}
}

void mt_oracle_reset(void)
{
	unsigned int i;
	int cpu;

	for (i = 0; i < MT_NR_BAD; i++) {
		atomic_long_set(&mt_bad[i], 0);
		memset(&mt_first[i], 0, sizeof(mt_first[i]));
	}
	atomic_long_set(&mt_bad_body, 0);
	for (i = 0; i < MT_NR_FNS; i++)
		atomic_long_set(&mt_calls[i], 0);
	memset(mt_stat, 0, sizeof(mt_stat));
	for_each_possible_cpu(cpu) {
		per_cpu(mt_checked, cpu) = 0;
		per_cpu(mt_pairs, cpu) = 0;
	}
}

static unsigned long mt_bad_total(enum mt_bad what)
{
	unsigned long nr = atomic_long_read(&mt_bad[what]);
	unsigned int id;

	if (what == MT_BAD_BODY)
		nr += atomic_long_read(&mt_bad_body);
	for (id = 0; id < MT_NR_TRACERS; id++)
		nr += atomic_long_read(&mt_stat[id].bad[what]);
	return nr;
}

unsigned long mt_errors(void)
{
	unsigned long nr = 0;
	unsigned int i;

	for (i = 0; i < MT_NR_BAD; i++)
		nr += mt_bad_total(i);
	return nr;
}

void mt_oracle_show(struct seq_file *m)
{
	unsigned long checked = 0, pairs = 0;
	unsigned int i;
	int cpu;

	for_each_possible_cpu(cpu) {
		checked += per_cpu(mt_checked, cpu);
		pairs += per_cpu(mt_pairs, cpu);
	}
	seq_printf(m, "checked %lu\npairs %lu\nerrors %lu\n", checked, pairs, mt_errors());
	for (i = 0; i < MT_NR_BAD; i++)
		seq_printf(m, "%s %lu\n", mt_bad_names[i], mt_bad_total(i));
	for (i = 0; i < MT_NR_BAD; i++)
		if (mt_first[i].busy)
			seq_printf(m, "first_%s fn %u seen %lx must %lx may %lx\n",
				   mt_bad_names[i], mt_first[i].fn, mt_first[i].seen,
				   mt_first[i].must, mt_first[i].may);
	for (i = 0; i < MT_NR_FNS; i++) {
		if (atomic_long_read(&mt_calls[i]))
			seq_printf(m, "fn %u calls %ld\n", i, atomic_long_read(&mt_calls[i]));
	}
}
