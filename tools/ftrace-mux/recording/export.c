// SPDX-License-Identifier: GPL-2.0
/* The events of a tracer's buffer as calls of tasks. */
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include "recording/export.h"

#define IDLE_ID		4194304		/* above all PIDs */
#define DEPTH		128		/* of a stack trace */

static int by_id(const void *a, const void *b)
{
	return ((const struct task *)a)->id - ((const struct task *)b)->id;
}

static struct task *task_of(struct export *x, const struct trace_event *e)
{
	struct task want = { .id = e->pid ? e->pid : IDLE_ID + e->cpu }, **found, *new;

	found = (struct task **)tfind(&want, &x->tasks, by_id);
	if (found)
		return *found;
	new = xcalloc(1, sizeof(*new));
	new->id = want.id;
	new->name = xstrdup(trace_file_task(x->file, e));
	tsearch(new, &x->tasks, by_id);
	if (x->format->task)
		x->format->task(x, new);
	return new;
}

static void enter(struct export *x, struct task *t, const struct trace_event *e)
{
	struct args args;

	trace_file_args(x->file, e, &args);
	t->v = xrealloc(t->v, (t->n + 1) * sizeof(*t->v));
	t->v[t->n++] = (struct frame){ .ip = e->call.ip, .ts = e->ts };
	x->format->enter(x, t, &args);
}

static void leave_last(struct export *x, struct task *t, unsigned long long ts,
		       unsigned long long took, const struct trace_event *e)
{
	t->v[t->n - 1].took = took;
	x->format->leave(x, t, ts, e);
	t->n--;
	if (t->n)
		t->v[t->n - 1].inner += took;
}

/* The returns of those it called may be lost; a return alone began before the recording. */
static void leave(struct export *x, struct task *t, const struct trace_event *e)
{
	size_t i = t->n;

	while (i && t->v[i - 1].ip != e->call.ip)
		i--;
	while (i && t->n > i)
		leave_last(x, t, e->ts, e->ts - t->v[t->n - 1].ts, NULL);
	if (i)
		leave_last(x, t, e->ts, e->call.took, e);
}

static struct held *held_of(struct export *x, int cpu)
{
	for (; x->n_held <= cpu; x->n_held++) {
		x->held = xrealloc(x->held, (x->n_held + 1) * sizeof(*x->held));
		x->held[x->n_held].is = false;
	}
	return &x->held[cpu];
}

static void release(struct export *x, struct held *h, const struct trace_event *stack)
{
	unsigned long long ips[DEPTH + 1];
	size_t n = 0, i;

	if (!h->is)
		return;
	h->is = false;
	ips[0] = h->e.call.ip;
	if (stack)
		n = trace_file_stack(x->file, stack, ips + 1, DEPTH);
	/* the trace may begin with the tracer and has the function itself */
	for (i = 1; i <= n; i++) {
		char *name = xstrdup(trace_file_symbol(x->file, ips[i]));
		bool same = !strcmp(name, trace_file_symbol(x->file, h->e.call.ip));

		free(name);
		if (same) {
			n -= i;
			memmove(ips + 1, ips + 1 + i, n * sizeof(*ips));
			break;
		}
	}
	if (!n && h->e.call.parent)
		ips[++n] = h->e.call.parent;
	x->format->call(x, task_of(x, &h->e), h, ips, n + 1);
}

static bool event(struct trace_file *f, const struct trace_event *e, void *arg)
{
	struct export *x = arg;
	struct held *h = held_of(x, e->cpu);

	x->last = e->ts;
	release(x, h, e->call.kind == CALL_STACK ? e : NULL);
	switch (e->call.kind) {
	case CALL_FUNCTION:
		h->is = true;
		h->e = *e;
		h->e.record = NULL;
		trace_file_args(f, e, &h->args);
		break;
	case CALL_ENTER:
		enter(x, task_of(x, e), e);
		break;
	case CALL_LEAVE:
		leave(x, task_of(x, e), e);
		break;
	case CALL_OTHER:
		if (x->format->other)
			x->format->other(x, task_of(x, e), e);
		break;
	case CALL_STACK:
		break;
	}
	return !ferror(stdout);
}

static void close_task(const void *node, VISIT which, void *arg)
{
	struct task *t = *(struct task *const *)node;
	struct export *x = arg;

	while ((which == postorder || which == leaf) && t->n)
		leave_last(x, t, x->last, x->last - t->v[t->n - 1].ts, NULL);
}

static void free_task(void *p)
{
	struct task *t = p;

	free(t->name);
	free(t->v);
	free(t);
}

static void export_tracer(struct export *x, size_t nr)
{
	int cpu;

	x->nr = nr;
	x->tracer = trace_file_name(x->file, nr);
	if (x->format->tracer)
		x->format->tracer(x);
	trace_file_read(x->file, nr, event, x);
	for (cpu = 0; cpu < x->n_held; cpu++)
		release(x, &x->held[cpu], NULL);
	twalk_r(x->tasks, close_task, x);
	tdestroy(x->tasks, free_task);
	x->tasks = NULL;
}

void export_run(struct export *x, const struct strlist *tracers)
{
	size_t i;

	if (x->format->begin)
		x->format->begin(x);
	for (i = 0; !ftm_stop && i < trace_file_buffers(x->file); i++)
		if (!tracers->n || strlist_has(tracers, trace_file_name(x->file, i)))
			export_tracer(x, i);
	x->format->end(x);
	free(x->held);
}
