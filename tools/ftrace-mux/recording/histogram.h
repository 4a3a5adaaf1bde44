/* SPDX-License-Identifier: GPL-2.0 */
/* How often each function of one tracer was called, and how long it took. */
#ifndef FTM_HISTOGRAM_H
#define FTM_HISTOGRAM_H

#include "recording/trace-file.h"

struct hist_entry {
	unsigned long long key;		/* address of the function, or ID of the event */
	char *name;
	long calls;
	long returns;			/* of these the time is known */
	unsigned long long ns, max_ns;	/* all, and the longest */
};

struct histogram {
	struct hist_entry *v;		/* after histogram_read(): the first is the most */
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

void histogram_read(struct histogram *h, struct trace_file *f, size_t nr);
void histogram_print(const struct histogram *h, const char *name, long most);
json_t *histogram_json(const struct histogram *h, const char *name);
void histogram_free(struct histogram *h);

#endif
