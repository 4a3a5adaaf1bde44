/* SPDX-License-Identifier: GPL-2.0 */
/* The rates of tracers, by the statistics of their buffers, and of functions, by sampling. */
#ifndef FTM_SAMPLER_H
#define FTM_SAMPLER_H

#include "events/by.h"
#include "events/stream.h"
#include "model/selection.h"

#define TOP_MAX_TRACERS	64

struct top_tracer {
	char *name, *state, *dir;	/* dir: NULL without a buffer */
	bool on, graph;
	long functions;
	struct selection selected;
	unsigned long long written, lost;	/* ever, by the buffer's statistics */
	double rate;			/* calls per second */
	unsigned long long counted;	/* in this interval, by the sample */
};

enum top_sort { TOP_CALLS, TOP_NAME, TOP_SORTS };

struct top_func {			/* or process, thread, CPU */
	unsigned long long key;		/* the address of a function; 0: free */
	unsigned long long mask;	/* of the tracers that trace it, or what it calls */
	unsigned long count;		/* in this interval */
	char *name;
};

struct top_table {			/* a hash */
	struct top_func *v;
	size_t size, n;
};

struct top {
	struct top_tracer t[TOP_MAX_TRACERS];
	size_t n;
	char *signature;		/* changes when the sample must */
	struct top_table functions, callers;	/* callers: unless by function */
	enum by by;
	enum top_sort sort;
	char *filter;			/* only names that match; NULL: all */
	struct stream *stream;
	char *sample;			/* the instance that samples */
	unsigned long lost;		/* events of the sample, this interval */
	bool lossy;
};

int top_load(struct top *top, char **names, int nr_names);
int top_sample(struct top *top);
void top_collect(struct top *top);
void top_rates(struct top *top, double seconds);
extern const char *const top_sort_names[TOP_SORTS];
void top_count_by(struct top *top, enum by by);
size_t top_busiest(struct top *top, struct top_func **res, size_t max);
void top_next(struct top *top);
void top_free(struct top *top);

#endif
