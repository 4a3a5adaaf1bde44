// SPDX-License-Identifier: GPL-2.0
/* The time that a call of function_graph took itself, without the recorded calls below it. */
#include <search.h>
#include <stdlib.h>
#include "recording/nesting.h"

struct open_call {
	unsigned long long ip, inner;	/* inner: ns in calls made by it */
};

struct open_task {
	int id;				/* PID; below 0: the idle task of a CPU */
	struct open_call *v;		/* the outermost first */
	size_t n;
};

static int by_id(const void *a, const void *b)
{
	const struct open_task *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

static struct open_task *task_of(struct nesting *n, const struct trace_event *e)
{
	struct open_task want = { .id = e->pid ? e->pid : -1 - e->cpu }, **found, *new;

	found = tfind(&want, &n->tasks, by_id);
	if (found)
		return *found;
	new = xcalloc(1, sizeof(*new));
	new->id = want.id;
	tsearch(new, &n->tasks, by_id);
	return new;
}

static void enter(struct open_task *t, unsigned long long ip)
{
	t->v = xrealloc(t->v, (t->n + 1) * sizeof(*t->v));
	t->v[t->n++] = (struct open_call){ .ip = ip };
}

/* Its begin may be lost, or the ends of those that it called. */
static unsigned long long leave(struct open_task *t, const struct call *c)
{
	unsigned long long inner = 0;
	size_t i = t->n;

	while (i && t->v[i - 1].ip != c->ip)
		i--;
	if (i) {
		inner = t->v[i - 1].inner;
		t->n = i - 1;
	}
	if (t->n)
		t->v[t->n - 1].inner += c->took;
	return c->took > inner ? c->took - inner : 0;
}

unsigned long long nesting_event(struct nesting *n, const struct trace_event *e)
{
	if (e->call.kind == CALL_ENTER)
		enter(task_of(n, e), e->call.ip);
	else if (e->call.kind == CALL_LEAVE)
		return leave(task_of(n, e), &e->call);
	return 0;
}

static void free_task(void *p)
{
	struct open_task *t = p;

	free(t->v);
	free(t);
}

void nesting_free(struct nesting *n)
{
	tdestroy(n->tasks, free_task);
	n->tasks = NULL;
}
