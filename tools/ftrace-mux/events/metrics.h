/* SPDX-License-Identifier: GPL-2.0 */
/* The figures of top in the text format that Prometheus' node_exporter collects. */
#ifndef FTM_METRICS_H
#define FTM_METRICS_H

#include "events/sampler.h"

/* What the function profiler has counted, over all CPUs. */
struct profile_func {
	char *name;
	unsigned long long calls;
	double seconds;
};

struct profile {
	struct profile_func *v;		/* the longest time first */
	size_t n;
};

void profile_read(struct profile *p);	/* none while trace_profile is off */
void profile_free(struct profile *p);
/* @f: the @n busiest functions of the last @seconds; as many of the profile are printed. */
void metrics_print(const struct top *top, struct top_func *const *f, size_t n, size_t max,
		   double seconds, const struct profile *p);

#endif
