/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the ring buffer's code needs of the kernel's headers, for user space: one processor, a
 * task that nothing interrupts, and the operations as x86 has them.
 */
#ifndef RECORD_STANDINS_H
#define RECORD_STANDINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <x86intrin.h>

typedef uint32_t u32, __u32;
typedef uint64_t u64;
typedef uint16_t u16;

/* compiler.h */
#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)
#undef __always_inline
#define __always_inline		inline __attribute__((always_inline))
#define noinline		__attribute__((noinline))
#define notrace
#define __aligned(x)		__attribute__((aligned(x)))
#define __uninitialized		__attribute__((uninitialized))
#define barrier()		__asm__ volatile("" : : : "memory")
#define READ_ONCE(x)		(*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, v)	(*(volatile __typeof__(x) *)&(x) = (v))
#define data_race(x)		(x)
#define smp_wmb()		barrier()
#define smp_mb()		__asm__ volatile("lock; addl $0, -4(%%rsp)" : : : "memory", "cc")
#define BUILD_BUG_ON(x)		((void)sizeof(char[1 - 2 * !!(x)]))
#define IS_ENABLED(option)	option
#define CONFIG_GENERIC_ATOMIC64	0
#define CONFIG_ARCH_HAVE_NMI_SAFE_CMPXCHG	1
#define CONFIG_RING_BUFFER_ALLOW_SWAP	1
#define CONFIG_MITIGATION_RETPOLINE	0
#define BIT(n)			(1UL << (n))
#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))
#define ALIGN(x, a)		(((x) + (a) - 1) & ~((__typeof__(x))(a) - 1))
#define PAGE_SIZE		4096UL
#define list_entry(p, type, member)	container_of(p, type, member)
#define container_of(p, type, member)	((type *)((char *)(p) - offsetof(type, member)))
#define ERR_PTR(error)		((void *)(long)(error))
#define PTR_ERR(p)		((long)(p))
#define EAGAIN			11
#define WARN_ON(x)		({ bool __w = !!(x); if (unlikely(__w)) __builtin_trap(); __w; })
#define WARN_ON_ONCE(x)		WARN_ON(x)
#define WARN_ONCE(x, ...)	WARN_ON(x)
#define pr_warn(...)		__builtin_trap()

/* ring_buffer.c, what is off or an error */
#define RB_WARN_ON(cpu_buffer, x)	WARN_ON(x)
#define rb_check_timestamp(cpu_buffer, info)	__builtin_trap()
#define check_buffer(cpu_buffer, info, tail)	do { } while (0)

/* local.h: no LOCK */
typedef struct { volatile long v; } local_t;
typedef local_t local64_t;
#define local_read(l)		((l)->v)
#define local_set(l, i)		((l)->v = (i))
#define local64_read(l)		((u64)(l)->v)
#define local64_set(l, i)	((l)->v = (i))
#define local_op(op, l)		__asm__ volatile(op " %0" : "+m" ((l)->v) : : "cc")
#define local_op_by(op, i, l)	__asm__ volatile(op " %1, %0" : "+m" ((l)->v) : "er" ((long)(i)) : "cc")
#define local_inc(l)		local_op("incq", l)
#define local_dec(l)		local_op("decq", l)
#define local_add(i, l)		local_op_by("addq", i, l)
#define local_sub(i, l)		local_op_by("subq", i, l)

static __always_inline long local_add_return(long i, local_t *l)
{
	long was = i;

	__asm__ volatile("xaddq %0, %1" : "+r" (was), "+m" (l->v) : : "memory", "cc");
	return was + i;
}
static __always_inline bool local_try_cmpxchg(local_t *l, long *old, long new)
{
	bool success;

	__asm__ volatile("cmpxchgq %3, %1" : "=@ccz" (success), "+m" (l->v), "+a" (*old) : "r" (new) : "memory");
	return success;
}
#define local_cmpxchg(l, o, n)	({ long __o = (o); local_try_cmpxchg(l, &__o, n); __o; })

/* atomic.h */
typedef struct { volatile int counter; } atomic_t;
#define atomic_read(a)		((a)->counter)
#define atomic_inc(a)		__sync_fetch_and_add(&(a)->counter, 1)
#define cmpxchg(p, o, n)	__sync_val_compare_and_swap(p, o, n)
#define try_cmpxchg(p, o, n)	({						\
	__typeof__(*(p)) __was = *(o);						\
	*(o) = cmpxchg(p, __was, n);						\
	*(o) == __was;								\
})

/* What stands in the structures */
struct list_head { struct list_head *next, *prev; };
struct hlist_node { struct hlist_node *next, **pprev; };
struct irq_work { unsigned long words[4]; };
struct lock_class_key { };
struct mutex { unsigned long words[4]; };
struct work_struct { unsigned long words[4]; };
struct completion { unsigned long words[4]; };
struct notifier_block { unsigned long words[3]; };
typedef struct { unsigned long words[3]; } wait_queue_head_t;
typedef struct { unsigned int word; } raw_spinlock_t, arch_spinlock_t;
typedef unsigned long cpumask_var_t[1];
#define cpumask_test_cpu(cpu, mask)	((mask)[0] >> (cpu) & 1)
#define irq_work_queue(work)	__builtin_trap()
#define rb_irq_work_queue(work)	__builtin_trap()
#define ring_buffer_nr_dirty_pages(buffer, cpu)	0
#define do_ring_buffer_record_recursion()	__builtin_trap()
#define rb_update_meta_head(cpu_buffer, page)	__builtin_trap()

/* A task on processor 0, that nobody can preempt */
extern unsigned int preempt_counts;
#define preempt_count()		READ_ONCE(preempt_counts)
#define preempt_disable_notrace()	do { WRITE_ONCE(preempt_counts, preempt_counts + 1); barrier(); } while (0)
#define preempt_enable_notrace()	do { barrier(); WRITE_ONCE(preempt_counts, preempt_counts - 1); } while (0)
#define NMI_MASK		0x00f00000
#define HARDIRQ_MASK		0x000f0000
#define SOFTIRQ_OFFSET		0x00000100
#define in_nmi()		(preempt_count() & NMI_MASK)
extern int this_processor;
#define raw_smp_processor_id()	READ_ONCE(this_processor)

static __always_inline unsigned char interrupt_context_level(void)
{
	unsigned long pc = preempt_count();
	unsigned char level = 0;

	level += !!(pc & NMI_MASK);
	level += !!(pc & (NMI_MASK | HARDIRQ_MASK));
	level += !!(pc & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET));
	return level;
}

/* The time stamp counter, scaled, as native_sched_clock() does it */
u64 sched_clock_noinstr(void);
u64 trace_clock_local(void);

#endif /* RECORD_STANDINS_H */
