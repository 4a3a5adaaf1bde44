/* SPDX-License-Identifier: GPL-2.0 */
/* The calls that one tracer recorded, by function or by caller: their number, and their time. */
#ifndef FTM_HISTOGRAM_H
#define FTM_HISTOGRAM_H

#include "events/by.h"
#include "recording/trace-file.h"

enum hist_sort {
	SORT_DEFAULT,		/* TOTAL where times are known (of callers SELF), else calls */
	SORT_CALLS, SORT_TOTAL, SORT_SELF, SORT_AVG, SORT_P50, SORT_P99, SORT_MAX, SORTS,
};

struct hist_entry {
	unsigned long long key;		/* address, ID of an event, thread or CPU */
	char *name;
	long calls;
	size_t returns;			/* of these the time is known */
	unsigned long long *took;	/* each, in ns; after histogram_read() in order */
	unsigned long long total, self;	/* self: without recorded calls that it made */
};

struct histogram {
	enum by by;		/* these three are set before histogram_read() */
	enum hist_sort sort;
	bool live;			/* of a tracer, not of a recording */
	struct hist_entry *v;		/* after it: the first is the most */
	size_t n;
	long calls, lost, found;	/* found: events, returns too */
	unsigned long long first, last;	/* ns */
	bool lost_unknown, timed, functions;
	void *tree;
};

/* Is it time to say so?  More than one in a hundred. */
static inline bool is_much_lost(long lost, long found)
{
	return lost * 100 > lost + found;
}

/* From SORT_CALLS on */
extern const char *const hist_sort_names[SORTS - SORT_CALLS];
void histogram_read(struct histogram *h, struct trace_file *f, size_t nr);
unsigned long long hist_percentile(const struct hist_entry *x, int percent);
struct hist_entry *histogram_find(const struct histogram *h, const char *name);
void histogram_free(struct histogram *h);

/* histogram-print.c */
void histogram_print(const struct histogram *h, const char *name, long most);
json_t *histogram_json(const struct histogram *h, const char *name);
/* How long the calls of one function took, by powers of two. */
void latency_print(const struct hist_entry *x, const char *tracer);
json_t *latency_json(const struct hist_entry *x);

#endif
