/* SPDX-License-Identifier: GPL-2.0 */
/* The rates of tracers, by the statistics of their buffers, and of functions, by sampling. */
#ifndef FTM_SAMPLER_H
#define FTM_SAMPLER_H

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

struct top_func {
	unsigned long long ip;
	unsigned long long mask;	/* of the tracers that trace it */
	unsigned long count;		/* in this interval */
	char *name;
};

struct top {
	struct top_tracer t[TOP_MAX_TRACERS];
	size_t n;
	char *signature;		/* changes when the sample must */
	struct top_func *hash;
	size_t hash_size, nfuncs;
	struct stream *stream;
	char *sample;			/* the instance that samples */
	unsigned long lost;		/* events of the sample, this interval */
	bool lossy;
};

int top_load(struct top *top, char **names, int nr_names);
int top_sample(struct top *top);
void top_collect(struct top *top);
void top_rates(struct top *top, double seconds);
size_t top_busiest(struct top *top, struct top_func **res, size_t max);
void top_next(struct top *top);
void top_free(struct top *top);

#endif
