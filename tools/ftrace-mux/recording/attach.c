// SPDX-License-Identifier: GPL-2.0
/* record --attach: which tracers that run already can be recorded. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "events/claim.h"
#include "model/tracer.h"
#include "recording/attach.h"
#include "tracefs/tfs.h"

void attach_add(struct record *r, const char *name)
{
	struct rec_tracer *t;

	r->t = xrealloc(r->t, (r->n + 1) * sizeof(*t));
	t = &r->t[r->n++];
	memset(t, 0, sizeof(*t));
	t->name = xstrdup(name);
	t->attached = true;
	r->attach = true;
}

/* A tracer that runs has been set up, and not by us. */
static int check_options(const struct record *r)
{
	const struct {
		bool given;
		const char *option;
	} others[] = {
		{ r->plugin, "plugin" }, { r->notrace.n, "notrace" }, { r->events.n, "event" },
		{ r->pids.n, "pid" }, { r->follow, "follow" }, { r->stack, "stack" },
		{ r->args, "args" }, { r->retval, "retval" },
		{ r->clock, "clock" }, { r->depth, "depth" }, { r->below.n, "graph" },
		{ r->cpus, "cpus" }, { r->buffer_kb, "buffer" },
	};
	size_t i;

	for (i = 0; i < r->n; i++)
		if (!r->t[i].attached)
			return ftm_usage("--attach: for tracers that run, so not with --tracer");
	for (i = 0; i < ARRAY_SIZE(others); i++)
		if (others[i].given)
			return ftm_usage("--attach: the tracer stays as it is, so not with --%s",
					 others[i].option);
	return FTM_OK;
}

/* The one in brackets */
static char *clock_of(const char *dir)
{
	char *path = xasprintf("%s/trace_clock", dir), *text = tfs_read_line(path);
	const char *from = text ? strchr(text, '[') : NULL;
	char *clock = from ? xasprintf("%.*s", (int)strcspn(from + 1, "]"), from + 1) :
		xstrdup("local");

	free(text);
	free(path);
	return clock;
}

static int check_kind(const struct tracer *t)
{
	if (t->kind == TRACER_INSTANCE)
		return FTM_OK;
	if (t->kind == TRACER_TOP)
		ftm_err("%s: is the tracer of the top level, which other programs set up and read; ftrace-mux add makes one to record",
			t->name);
	else
		ftm_err("%s: has no buffer to record; ftrace-mux list shows tracers that have one",
			t->name);
	return FTM_FAIL;
}

static int check_one(struct record *r, struct tracers *ts, size_t nr)
{
	struct rec_tracer *a = &r->t[nr];
	struct tracer *t = tracers_find(ts, a->name);
	int ret = t ? check_kind(t) : FTM_FAIL;
	char *dir, *stand_in;
	size_t k;

	if (ret)
		return ret;
	free(a->name);
	a->name = xstrdup(t->instance);
	for (k = 0; k < nr; k++)
		if (!strcmp(a->name, r->t[k].name))
			return ftm_usage("--attach %s: given twice", a->name);
	tracer_count(ts, t);
	a->plugin = xstrdup(t->plugin ? t->plugin : "nop");
	a->functions = t->functions;
	a->before = count_read(a->name);
	dir = tracer_dir(t);
	a->clock = clock_of(dir);
	a->has_events = tracer_has_events(dir);
	if (!t->tracing_on || (!t->on && !a->has_events))
		ftm_warn("%s: is %s, so nothing new will come; ftrace-mux enable %s switches it on",
			 t->name, tracer_state(t), t->name);
	free(dir);
	stand_in = xasprintf("%s.record-%d", a->name, (int)getpid());
	strlist_add(&r->stand_ins.tracers, a->name);
	strlist_add(&r->stand_ins.names, stand_in);
	free(stand_in);
	return r->dry_run ? FTM_OK : stream_claim(t->name);
}

int attach_check(struct record *r)
{
	struct tracers ts;
	int ret = check_options(r);
	size_t i;

	if (!ret)
		ret = tracers_load(&ts);
	if (ret)
		return ret;
	for (i = 0; i < r->n; i++) {
		int one = check_one(r, &ts, i);

		ret = ret ? ret : one;
	}
	tracers_free(&ts);
	return ret ? ret : stand_in_count(&r->stand_ins);
}
