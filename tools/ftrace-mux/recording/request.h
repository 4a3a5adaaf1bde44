/* SPDX-License-Identifier: GPL-2.0 */
/* The request that ftrace-mux record carries out. */
#ifndef FTM_REQUEST_H
#define FTM_REQUEST_H

#include <string.h>
#include "recording/stand-in.h"

#define RECORD_EVENTS	"events"	/* the buffer of -e */

struct rec_tracer {
	char *name, *plugin;
	bool stack, args, retval;
	struct strlist given, given_not, given_below;	/* as they were typed */
	struct strlist patterns, notrace, below;
	bool attached;		/* with --attach: it runs already, and has what follows */
	bool has_events;
	char *clock;
	long functions;
	struct rec_count before;
};

struct record {
	struct rec_tracer *t;
	size_t n;
	const char *output, *to, *plugin, *clock;	/* to: HOST:PORT instead of a file */
	struct strlist events, notrace, below, pids;
	struct strlist processes;	/* those of --pid, in words */
	char *cpus;		/* as a mask in hexadecimal */
	long buffer_kb, depth;
	double seconds;		/* 0: no end */
	bool dry_run, force, follow, stack, args, retval, compress;
	bool attach;		/* all tracers run already */
	struct stand_ins stand_ins;
	char **command;		/* NULL: until Ctrl-C */
};

/* False too for one that has no plugin yet */
static inline bool rec_tracer_is_graph(const struct rec_tracer *t)
{
	return t->plugin && !strcmp(t->plugin, "function_graph");
}

/* NAME[:ITEM[,ITEM...]]: patterns, plugin=, notrace=, graph=, stack, args and retval */
int record_add_tracer(struct record *r, const char *spec);
int record_add_pid(struct record *r, const char *pid);
int record_set_cpus(struct record *r, const char *list);
/* All that can be known before something happens; completes the patterns. */
int record_check(struct record *r);
/* trace-cmd's words, for a process that waits to be recorded, or for --dry-run. */
void record_argv(const struct record *r, const char *output, pid_t command, struct strlist *argv);
void record_free(struct record *r);

#endif
