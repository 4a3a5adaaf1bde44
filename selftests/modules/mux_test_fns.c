// SPDX-License-Identifier: GPL-2.0
/*
 * The functions to trace. This is the only file of the module that is compiled
 * with function tracing.
 */
#include <linux/bug.h>
#include <linux/module.h>

#include "arch.h"
#include "mux_test.h"

/* The index by the address of the call site: a slot for every 16 bytes, no function has fewer */
#define MT_SLOT_SHIFT	4
#define MT_SLOTS	1024

atomic_long_t mt_calls[MT_NR_FNS];
atomic_long_t mt_bad_body;

static unsigned long mt_base;
static s8 mt_slots[MT_SLOTS];

static __always_inline bool mt_args_ok(struct mt_call *c, unsigned long a1,
				       unsigned long a2, unsigned long a3,
				       unsigned long a4, unsigned long a5,
				       unsigned long a6, unsigned long a7)
{
	/* x86-64 passes the last two on the stack, where mt_call_regs() puts nothing */
	bool more = !IS_ENABLED(CONFIG_ARM64) || (a6 == MT_ARG(c, 6) && a7 == MT_ARG(c, 7));

	return c->magic == MT_CALL_MAGIC &&
	       a1 == MT_ARG(c, 1) && a2 == MT_ARG(c, 2) && a3 == MT_ARG(c, 3) &&
	       a4 == MT_ARG(c, 4) && a5 == MT_ARG(c, 5) && more;
}

#define MT_FN(nr)							\
noinline __noclone long mt_fn##nr(struct mt_call *c, unsigned long a1,	\
				  unsigned long a2, unsigned long a3,	\
				  unsigned long a4, unsigned long a5,	\
				  unsigned long a6, unsigned long a7);	\
noinline __noclone long mt_fn##nr(struct mt_call *c, unsigned long a1,	\
				  unsigned long a2, unsigned long a3,	\
				  unsigned long a4, unsigned long a5,	\
				  unsigned long a6, unsigned long a7)	\
{									\
	atomic_long_inc(&mt_calls[1##nr - 100]);			\
	if (!mt_args_ok(c, a1, a2, a3, a4, a5, a6, a7))			\
		atomic_long_inc(&mt_bad_body);				\
	c->body++;							\
	return (long)c ^ c->fn;						\
}

MT_FN(00) MT_FN(01) MT_FN(02) MT_FN(03) MT_FN(04) MT_FN(05) MT_FN(06) MT_FN(07)
MT_FN(08) MT_FN(09) MT_FN(10) MT_FN(11) MT_FN(12) MT_FN(13) MT_FN(14) MT_FN(15)
MT_FN(16) MT_FN(17) MT_FN(18) MT_FN(19) MT_FN(20) MT_FN(21) MT_FN(22) MT_FN(23)
MT_FN(24) MT_FN(25) MT_FN(26) MT_FN(27) MT_FN(28) MT_FN(29) MT_FN(30) MT_FN(31)

const mt_fn_t mt_fns[MT_NR_FNS] = {
	mt_fn00, mt_fn01, mt_fn02, mt_fn03, mt_fn04, mt_fn05, mt_fn06, mt_fn07,
	mt_fn08, mt_fn09, mt_fn10, mt_fn11, mt_fn12, mt_fn13, mt_fn14, mt_fn15,
	mt_fn16, mt_fn17, mt_fn18, mt_fn19, mt_fn20, mt_fn21, mt_fn22, mt_fn23,
	mt_fn24, mt_fn25, mt_fn26, mt_fn27, mt_fn28, mt_fn29, mt_fn30, mt_fn31,
};
EXPORT_SYMBOL_GPL(mt_fns);

/* Where a tracer that modifies the instruction pointer sends a call */
notrace noinline long mt_alt(struct mt_call *c, unsigned long a1,
			     unsigned long a2, unsigned long a3,
			     unsigned long a4, unsigned long a5,
			     unsigned long a6, unsigned long a7)
{
	if (!mt_args_ok(c, a1, a2, a3, a4, a5, a6, a7))
		atomic_long_inc(&mt_bad_body);
	c->alt++;
	return (long)c ^ c->fn;
}
EXPORT_SYMBOL_GPL(mt_alt);

/* The function that @ip is the patched instruction of, or -1 */
notrace int mt_fn_index(unsigned long ip)
{
	unsigned long slot = (ip - mt_base) >> MT_SLOT_SHIFT;

	return ip >= mt_base && slot < MT_SLOTS ? mt_slots[slot] : -1;
}

notrace void mt_fns_init(void)
{
	unsigned long slot;
	int i;

	mt_base = ULONG_MAX;
	for (i = 0; i < MT_NR_FNS; i++)
		if ((unsigned long)mt_fns[i] < mt_base)
			mt_base = (unsigned long)mt_fns[i];
	mt_base &= ~((1UL << MT_SLOT_SHIFT) - 1);

	memset(mt_slots, -1, sizeof(mt_slots));
	for (i = 0; i < MT_NR_FNS; i++) {
		slot = ((unsigned long)mt_fns[i] + MT_SITE_OFFSET - mt_base) >> MT_SLOT_SHIFT;
		if (!WARN_ON(slot >= MT_SLOTS || mt_slots[slot] != -1))
			mt_slots[slot] = i;
	}
}
