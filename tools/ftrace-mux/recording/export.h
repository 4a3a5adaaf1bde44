/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events of a tracer's buffer as calls of tasks, for the formats that
 * export writes.
 */
#ifndef FTM_EXPORT_H
#define FTM_EXPORT_H

#include "recording/trace-file.h"

struct frame {
	unsigned long long ip, ts;
	unsigned long long took;	/* ns, when it is left */
	unsigned long long inner;	/* of these in calls made by it */
};

/* With plugin function_graph: what it is in, the outermost first. */
struct task {
	int id;				/* PID; of an idle task a number of its own */
	char *name;
	struct frame *v;
	size_t n;
};

/* A call waits for its stack trace, which is the next event of its CPU; e has no record then. */
struct held {
	bool is;
	struct trace_event e;
	struct args args;
};

struct export;

struct export_format {
	void (*begin)(struct export *x);
	void (*tracer)(struct export *x);			/* the next one */
	void (*task)(struct export *x, const struct task *t);	/* a new one */
	/* @n addresses, the called function first */
	void (*call)(struct export *x, const struct task *t, const struct held *h,
		     const unsigned long long *ips, size_t n);
	void (*enter)(struct export *x, const struct task *t,	/* the last of t->v */
		      const struct args *args);
	/* @e: its return; NULL: that was not recorded */
	void (*leave)(struct export *x, const struct task *t, unsigned long long ts,
		      const struct trace_event *e);
	void (*other)(struct export *x, const struct task *t, const struct trace_event *e);
	void (*end)(struct export *x);
};

struct export {
	struct trace_file *file;
	const struct export_format *format;
	const char *tracer;
	size_t nr;			/* of the tracer, from 0 */
	bool time;			/* folded: nanoseconds, not calls */
	unsigned long long last;	/* ns */
	void *tasks, *counts;
	struct held *held;		/* by CPU */
	int n_held;
	bool any;			/* chrome: there was an event */
};

extern const struct export_format export_chrome, export_folded;

void export_run(struct export *x, const struct strlist *tracers);

#endif
