// SPDX-License-Identifier: GPL-2.0
/*
 * The two ways into the ring buffer on the processor of this machine, in user space: the code of ring_buffer.c and
 * of ring_buffer_internal.h as it is, with stand-ins for what it needs of the kernel. Both write the events of the
 * function tracer to buffers of the same layout, which wrap. It shows what a count of instructions cannot: dependent
 * loads, stores that are read again, and the time that the clock takes. It is not the kernel: one task, no
 * interrupts, no readers.
 */
#define _GNU_SOURCE
#include <err.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "ring_buffer_parts.h"

#define RUNS	401
#define CALLS	1024
#define PAGES	16
#define BUFFERS	7
/* Of trace.h and trace_entries.h */
#define TRACE_FN	1

unsigned int preempt_counts;
int this_processor;
static int pid;

struct entry {
	u16 type;
	unsigned char flags, preempt_count;
	int pid;
	unsigned long ip, parent_ip;
};

static struct trace_buffer *buffers[2][BUFFERS];

/* Scaled as by cyc2ns, with its factors in a structure that can change */
static struct { u32 mul, shift; u64 offset; } scale[2] = { { 512, 10, 1 }, { 512, 10, 1 } };
static unsigned int scale_seq;

/* mul_u64_u32_shr() */
static __always_inline u64 mul_shift(u64 value, u32 mul, u32 shift)
{
	__extension__ typedef unsigned __int128 u128;

	return (u128)value * mul >> shift;
}

noinline u64 sched_clock_noinstr(void)
{
	unsigned int seq, n;
	u64 ns;

	preempt_disable_notrace();
	do {
		seq = READ_ONCE(scale_seq);
		n = seq & 1;
		ns = scale[n].offset + mul_shift(__rdtsc(), scale[n].mul, scale[n].shift);
	} while (unlikely(seq != READ_ONCE(scale_seq)));
	preempt_enable_notrace();
	return ns;
}

noinline u64 trace_clock_local(void)
{
	u64 clock;

	preempt_disable_notrace();
	clock = sched_clock_noinstr();
	preempt_enable_notrace();
	return clock;
}

static struct buffer_page *new_page(void)
{
	struct buffer_page *page = aligned_alloc(64, ALIGN(sizeof(struct buffer_page), 64));

	if (!page)
		err(1, "no memory");
	memset(page, 0, sizeof(*page));
	page->page = aligned_alloc(PAGE_SIZE, PAGE_SIZE);
	if (!page->page)
		err(1, "no memory");
	memset(page->page, 0, PAGE_SIZE);
	return page;
}

/* A ring of pages and the reader's, as rb_allocate_cpu_buffer() leaves them */
static struct trace_buffer *new_buffer(void)
{
	struct trace_buffer *buffer = calloc(1, sizeof(*buffer));
	struct ring_buffer_per_cpu *cpu_buffer = calloc(1, sizeof(*cpu_buffer));
	struct buffer_page *pages[PAGES];
	int i;

	buffer->flags = RB_FL_OVERWRITE;
	buffer->cpumask[0] = 1;
	buffer->clock = trace_clock_local;
#ifdef HAS_MAX_DATA_SIZE
	buffer->max_data_size = PAGE_SIZE - BUF_PAGE_HDR_SIZE - 8;
#endif
	buffer->buffers = calloc(1, sizeof(*buffer->buffers));
	buffer->buffers[0] = cpu_buffer;
	for (i = 0; i < PAGES; i++)
		pages[i] = new_page();
	for (i = 0; i < PAGES; i++) {
		pages[i]->list.next = &pages[(i + 1) % PAGES]->list;
		pages[(i + 1) % PAGES]->list.prev = &pages[i]->list;
	}
	cpu_buffer->buffer = buffer;
	cpu_buffer->nr_pages = PAGES;
	cpu_buffer->pages = pages[0]->list.prev;
	cpu_buffer->reader_page = new_page();
	cpu_buffer->head_page = pages[0];
	cpu_buffer->tail_page = pages[0];
	cpu_buffer->commit_page = pages[0];
	rb_set_list_to_head(pages[0]->list.prev);
	return buffer;
}

static __always_inline void fill(struct entry *entry, unsigned long ip, unsigned long parent_ip)
{
	entry->type = TRACE_FN;
	entry->flags = 0;
	entry->preempt_count = preempt_count();
	entry->pid = READ_ONCE(pid);
	entry->ip = ip;
	entry->parent_ip = parent_ip;
}

/* As trace_function(), for one buffer after the other */
static noinline void long_way(int n, unsigned long ip, unsigned long parent_ip)
{
	struct ring_buffer_event *event;
	int i;

	for (i = 0; i < n; i++) {
		event = ring_buffer_lock_reserve(buffers[0][i], sizeof(struct entry));
		if (!event)
			continue;
		fill(ring_buffer_event_data(event), ip, parent_ip);
		ring_buffer_unlock_commit(buffers[0][i]);
	}
}

/* As ftrace_mux_record_group() */
static noinline void short_way(int n, unsigned long ip, unsigned long parent_ip)
{
	struct ring_buffer_event *event;
	struct rb_writer writer;
	struct rb_fixed fixed;
	int i;

	preempt_disable_notrace();
	rb_writer_init_task(&writer, rb_writer_clock());
	for (i = 0; i < n; i++) {
		if (likely(ring_buffer_fixed_reserve(buffers[1][i], &writer, sizeof(struct entry), &fixed))) {
			fill(fixed.data, ip, parent_ip);
			ring_buffer_fixed_commit(buffers[1][i], sizeof(struct entry), &fixed);
			continue;
		}
		event = ring_buffer_lock_reserve(buffers[1][i], sizeof(struct entry));
		if (!event)
			continue;
		fill(ring_buffer_event_data(event), ip, parent_ip);
		ring_buffer_unlock_commit(buffers[1][i]);
	}
	preempt_enable_notrace();
}

static void (*const ways[2])(int n, unsigned long ip, unsigned long parent_ip) = { long_way, short_way };

/* The events of the page that is written, but for the times: how many have these ip in a row, up to the last one */
static unsigned long check(struct trace_buffer *buffer, unsigned long last_ip)
{
	struct buffer_page *page = buffer->buffers[0]->tail_page;
	unsigned long at, end = local_read(&page->page->commit), n = 0, ip = 0, was;
	struct ring_buffer_event *event;
	struct entry *entry;

	for (at = 0; at < end; at += sizeof(*event) + sizeof(*entry)) {
		event = (void *)(page->page->data + at);
		if (event->type_len == RINGBUF_TYPE_TIME_EXTEND) {
			at += 8;
			event = (void *)(page->page->data + at);
		}
		entry = (void *)event->array;
		was = ip;
		ip = entry->ip;
		if (event->type_len * 4 != sizeof(*entry) || entry->type != TRACE_FN || (n && ip != was + 1))
			errx(1, "a page has a wrong event at %lu", at);
		n++;
	}
	if (ip != last_ip)
		errx(1, "the last event is of %lu, not of %lu", ip, last_ip);
	return n;
}

/* Each call is in each buffer, by either way */
static void check_all(void)
{
	unsigned long ip, entries;
	int way, i;

	for (way = 0; way < 2; way++) {
		for (i = 0; i < BUFFERS; i++)
			buffers[way][i] = new_buffer();
		for (ip = 1; ip <= 3000; ip++)
			ways[way](BUFFERS, ip, ip + 1);
		for (i = 0; i < BUFFERS; i++) {
			entries = local_read(&buffers[way][i]->buffers[0]->entries);
			if (entries != 3000 || !check(buffers[way][i], 3000))
				errx(1, "way %d has %lu of 3000 events", way, entries);
		}
	}
}

static unsigned long timed(int way, int n)
{
	unsigned long start = __rdtsc();
	unsigned long i;

	for (i = 0; i < CALLS; i++)
		ways[way](n, i, i + 1);
	_mm_lfence();
	return __rdtsc() - start;
}

static int compare(const void *a, const void *b)
{
	unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;

	return (x > y) - (x < y);
}

int main(void)
{
	static unsigned long took[2][RUNS];
	double median[2];
	cpu_set_t cpu;
	int n, run, way;

	CPU_ZERO(&cpu);
	CPU_SET(sched_getcpu(), &cpu);
	sched_setaffinity(0, sizeof(cpu), &cpu);
	check_all();
	printf("\nTSC ticks to record a call in user space, on this machine; median of %d runs of %d calls.\n"
	       "Not the kernel: its ring buffer, compiled into a program. R buffers get the event.\n\n"
	       "%-30s %9s %9s %9s\n", RUNS, CALLS, "", "long way", "short way", "ratio");
	for (n = 1; n <= BUFFERS; n++) {
		for (run = 0; run < RUNS; run++) {
			for (way = 0; way < 2; way++) {
				timed(way, n);
				took[way][run] = timed(way, n);
			}
		}
		for (way = 0; way < 2; way++) {
			qsort(took[way], RUNS, sizeof(took[way][0]), compare);
			median[way] = (double)took[way][RUNS / 2] / CALLS;
		}
		printf("record R=%-21d %9.1f %9.1f %9.3f\n", n, median[0], median[1], median[1] / median[0]);
	}
	return 0;
}
