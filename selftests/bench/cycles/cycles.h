/* SPDX-License-Identifier: GPL-2.0 */
#ifndef CYCLES_H
#define CYCLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACEES	64
/* Tracers that may trace the function, the first eight of which have IDs, and others */
#define TRACERS	10
#define OTHERS	8

typedef uint32_t u32;
typedef int32_t s32;

/* See kernel/internal.h */
#define FTRACE_MUX_IDS	8
#define FTRACE_MUX_LISTS	127
#define BIT(n)		(1UL << (n))

struct ops;
typedef void tracer_fn(unsigned long ip, unsigned long parent_ip, struct ops *ops, void *fregs);

struct entry {
	struct entry *next;
	unsigned long ip;
};

struct hash {
	unsigned long size_bits;
	struct entry **buckets;
	unsigned long count;
	unsigned long flags;
};

/* The members that a walk of the list touches, in the order of struct ftrace_ops */
struct ops {
	tracer_fn *func;
	struct ops *next;
	unsigned long flags;
	void *private;
	tracer_fn *saved_func;
	struct hash *notrace;
	struct hash *filter;
	unsigned long hits;
};

/* What the list body reads: the functions that a set with members without an ID calls */
struct ftrace_mux_list {
	bool regs;
	struct {
		tracer_fn *func;
		struct ops *ops;
		bool is_bitmap;
	} members[TRACERS + 1];
};

/* tracees.c */
extern void (*const tracees[TRACEES])(void);
void call_one(int count);

/* list.c */
extern struct ops *ops_list;
extern struct ops list_end;
void list_func(unsigned long ip, unsigned long parent_ip, struct ops *ops, void *fregs);
struct hash *make_hash(const unsigned long *ips, int count);

#endif /* CYCLES_H */
