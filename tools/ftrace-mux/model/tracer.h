/* SPDX-License-Identifier: GPL-2.0 */
/* The tracers of this kernel, multiplexing or not. */
#ifndef FTM_TRACER_H
#define FTM_TRACER_H

#include "base/ftm.h"

enum tracer_kind {
	TRACER_TOP,		/* current_tracer of the top level */
	TRACER_PROFILE,		/* function_profile_enabled */
	TRACER_STACK,		/* /proc/sys/kernel/stack_tracer_enabled */
	TRACER_INSTANCE,
	TRACER_OTHER,		/* named by its owner: a module, pstore */
	TRACER_INTERNAL,	/* no name: kprobes, livepatch, BPF, ... */
};

#define ID_NONE		(-1)

struct tracer {
	char *name;
	char *base;		/* the name it asks for when it is registered */
	enum tracer_kind kind;
	char *instance;		/* NULL unless TRACER_INSTANCE */
	char *plugin;		/* its current_tracer, NULL if it has none */
	bool on;		/* functions call it */
	int tracing_on;		/* 1, 0; -1: it has no buffer */
	bool dflt;
	int id;
	long functions;		/* -1: unknown */
};

struct tracers {
	struct tracer *v;
	size_t n;
	bool mux;
};

int tracers_load(struct tracers *ts);		/* enum ftm_exit */
void tracers_load_internal(struct tracers *ts);
void tracers_free(struct tracers *ts);
bool tracers_has(const struct tracers *ts, const char *name);
struct tracer *tracers_find(struct tracers *ts, const char *name);

const char *tracer_kind_name(enum tracer_kind kind);
const char *tracer_state(const struct tracer *t);
bool tracer_has_buffer(const struct tracer *t);
char *tracer_dir(const struct tracer *t);	/* of its buffer; NULL */
bool tracer_has_events(const char *dir);		/* events, not of functions, are on there */
char *tracer_filter_dir(const struct tracers *ts, const struct tracer *t);
char *tracer_filter_file(const struct tracers *ts, const struct tracer *t, bool notrace);
int tracer_read_filter(const struct tracers *ts, const struct tracer *t,
		       bool notrace, struct strlist *l);
void tracer_read_pids(const struct tracer *t, bool notrace, struct strlist *l);
void tracer_count(struct tracers *ts, struct tracer *t);

#endif
