// SPDX-License-Identifier: GPL-2.0
/*
 * The walk of the list of all tracers as stock ftrace does it, step by step: __ftrace_ops_list_func(),
 * trace_test_and_set_recursion() and ftrace_ops_test() with its two hashes. And kernel/lists.c's walk of the members of
 * a set.
 */
#include <stdlib.h>

#include "cycles.h"

#define FLAG_STUB	BIT(6)
#define FLAG_RCU	BIT(14)
#define LIST_START	8

struct task {
	unsigned long trace_recursion;
};

/* Per processor in the kernel */
static struct task this_task, *volatile current = &this_task;
static volatile unsigned int preempt_count;

struct ops list_end;
struct ops *ops_list = &list_end;

static inline bool empty(const struct hash *hash)
{
	return !hash || !(hash->count || hash->flags & 1);
}

static inline unsigned long key_of(const struct hash *hash, unsigned long ip)
{
	return hash->size_bits ? ip * 0x61c8864680b583ebUL >> (64 - hash->size_bits) : 0;
}

static inline struct entry *lookup(struct hash *hash, unsigned long ip)
{
	struct entry *entry;

	for (entry = hash->buckets[key_of(hash, ip)]; entry; entry = *(struct entry *volatile *)&entry->next)
		if (entry->ip == ip)
			return entry;
	return NULL;
}

static __attribute__((noinline)) bool ops_test(struct ops *ops, unsigned long ip)
{
	struct hash *filter = *(struct hash *volatile *)&ops->filter;
	struct hash *notrace = *(struct hash *volatile *)&ops->notrace;

	return (empty(filter) || lookup(filter, ip)) && (empty(notrace) || !lookup(notrace, ip));
}

static inline int context_bit(void)
{
	unsigned int pc = preempt_count;
	int level = !!(pc & 0xf00000);

	level += !!(pc & 0xff0000);
	level += !!(pc & 0xff0100);
	return 3 - level;
}

static inline int enter(void)
{
	unsigned int val = *(volatile unsigned long *)&current->trace_recursion;
	int bit = context_bit() + LIST_START;

	if (val & 1U << bit) {
		bit = 4 + LIST_START;
		if (val & 1U << bit)
			return -1;
	}
	current->trace_recursion = val | 1U << bit;
	__asm__ volatile("" ::: "memory");
	preempt_count++;
	return bit;
}

static inline void leave(int bit)
{
	preempt_count--;
	__asm__ volatile("" ::: "memory");
	current->trace_recursion &= ~(1UL << bit);
}

void list_func(unsigned long ip, unsigned long parent_ip, struct ops *ops, void *fregs)
{
	struct ops *op;
	int bit = enter();

	(void)ops;
	if (bit < 0)
		return;
	for (op = *(struct ops *volatile *)&ops_list; op != &list_end; op = *(struct ops *volatile *)&op->next) {
		if (op->flags & FLAG_STUB)
			continue;
		if (!(op->flags & FLAG_RCU) && ops_test(op, ip))
			op->func(ip, parent_ip, op, fregs);
	}
	leave(bit);
}

/* Called by the list body */
void ftrace_mux_list_func(unsigned long ip, unsigned long parent_ip, const struct ftrace_mux_list *list, void *fregs);
void ftrace_mux_list_func(unsigned long ip, unsigned long parent_ip, const struct ftrace_mux_list *list, void *fregs)
{
	size_t i;

	for (i = 0; list->members[i].func; i++)
		(*(tracer_fn *const volatile *)&list->members[i].func)(ip, parent_ip, list->members[i].ops, fregs);
}

/* The number of buckets is that of dup_hash() in kernel/trace/ftrace.c */
struct hash *make_hash(const unsigned long *ips, int count)
{
	struct hash *hash = calloc(1, sizeof(*hash));
	int i;

	while (count >> 1 >> hash->size_bits)
		hash->size_bits++;
	hash->buckets = calloc(1UL << hash->size_bits, sizeof(*hash->buckets));
	for (i = 0; i < count; i++) {
		struct entry *entry = malloc(sizeof(*entry));
		struct entry **bucket = &hash->buckets[key_of(hash, ips[i])];

		entry->ip = ips[i];
		entry->next = *bucket;
		*bucket = entry;
		hash->count++;
	}
	return hash;
}
