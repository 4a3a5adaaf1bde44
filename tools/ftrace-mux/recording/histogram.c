// SPDX-License-Identifier: GPL-2.0
/* The calls that one tracer recorded, by function or by caller: their number, and their time. */
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include "recording/histogram.h"
#include "recording/nesting.h"

struct reading {
	struct histogram *h;
	struct nesting nesting;
};

const char *const hist_sort_names[SORTS - SORT_CALLS] = {
	"calls", "total", "self", "avg", "p50", "p99", "max",
};

/* Processes have the names of their tasks: a recording does not group threads by process. */
static int by_key(const void *a, const void *b)
{
	const struct hist_entry *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->key ? 0 : strcmp(x->name, y->name);
}

static char *name_of(const struct histogram *h, struct trace_file *f, const struct trace_event *e)
{
	switch (h->by) {
	case BY_CPU:
		return xasprintf("%d", e->cpu);
	case BY_THREAD:
		return xasprintf("%s-%d", trace_file_task(f, e), e->pid);
	case BY_PROCESS:
		return xstrdup(e->pid ? trace_file_task(f, e) : "swapper");
	default:
		return xstrdup(e->call.kind == CALL_OTHER ? trace_file_event(f, e) :
			       trace_file_symbol(f, e->call.ip));
	}
}

static unsigned long long key_of(const struct histogram *h, const struct trace_event *e)
{
	switch (h->by) {
	case BY_CPU:
		return e->cpu + 1;
	case BY_THREAD:
		return e->pid ? (unsigned long long)e->pid : ~0ULL - e->cpu;
	case BY_PROCESS:
		return 0;
	default:
		return e->call.kind == CALL_OTHER ? (unsigned long long)e->event->id : e->call.ip;
	}
}

static struct hist_entry *entry(struct histogram *h, struct trace_file *f,
				const struct trace_event *e)
{
	struct hist_entry want = { .key = key_of(h, e) }, **found, *new;

	if (!want.key)
		want.name = name_of(h, f, e);
	found = tfind(&want, &h->tree, by_key);
	h->functions |= e->call.kind != CALL_OTHER;
	if (found) {
		free(want.name);
		return *found;
	}
	new = xcalloc(1, sizeof(*new));
	new->key = want.key;
	new->name = want.name ? want.name : name_of(h, f, e);
	tsearch(new, &h->tree, by_key);
	h->n++;
	return new;
}

static void add_time(struct hist_entry *x, unsigned long long took, unsigned long long self)
{
	/* grow at powers of two */
	if (!(x->returns & (x->returns - 1)))
		x->took = xrealloc(x->took, (x->returns ? x->returns * 2 : 1) * sizeof(*x->took));
	x->took[x->returns++] = took;
	x->total += took;
	x->self += self;
}

static bool count(struct trace_file *f, const struct trace_event *e, void *arg)
{
	struct reading *r = arg;
	struct histogram *h = r->h;
	unsigned long long self = nesting_event(&r->nesting, e);
	struct hist_entry *x;

	h->last = e->ts;
	h->found++;
	if (e->lost > 0)
		h->lost += e->lost;
	else if (e->lost)
		h->lost_unknown = true;
	if (e->call.kind == CALL_STACK)
		return true;
	x = entry(h, f, e);
	if (e->call.kind != CALL_LEAVE) {
		if (!h->calls++)
			h->first = e->ts;
		x->calls++;
		return true;
	}
	h->timed = true;
	add_time(x, e->call.took, self);
	return true;
}

static int by_time(const void *a, const void *b)
{
	const unsigned long long *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* The time that this share of the calls did not exceed. */
unsigned long long hist_percentile(const struct hist_entry *x, int percent)
{
	size_t rank = (x->returns * percent + 99) / 100;

	return x->returns ? x->took[rank ? rank - 1 : 0] : 0;
}

static unsigned long long weight(const struct histogram *h, const struct hist_entry *x)
{
	switch (h->sort) {
	case SORT_TOTAL:
		return x->total;
	case SORT_SELF:
		return x->self;
	case SORT_AVG:
		return x->returns ? x->total / x->returns : 0;
	case SORT_P50:
		return hist_percentile(x, 50);
	case SORT_P99:
		return hist_percentile(x, 99);
	case SORT_MAX:
		return hist_percentile(x, 100);
	default:
		return x->calls;
	}
}

static int by_weight(const void *a, const void *b, void *arg)
{
	const struct hist_entry *x = a, *y = b;
	unsigned long long wx = weight(arg, x), wy = weight(arg, y);

	if (wx != wy)
		return wx < wy ? 1 : -1;
	if (x->calls != y->calls)
		return x->calls < y->calls ? 1 : -1;
	return strcmp(x->name, y->name);
}

static void collect(const void *node, VISIT which, void *arg)
{
	struct histogram *h = arg;

	if (which == postorder || which == leaf)
		h->v[h->n++] = **(struct hist_entry *const *)node;
}

void histogram_read(struct histogram *h, struct trace_file *f, size_t nr)
{
	struct reading r = { .h = h };
	size_t i;

	trace_file_read(f, nr, count, &r);
	nesting_free(&r.nesting);
	h->v = xcalloc(h->n, sizeof(*h->v));
	h->n = 0;
	twalk_r(h->tree, collect, h);
	tdestroy(h->tree, free);
	h->tree = NULL;
	for (i = 0; i < h->n; i++)
		if (h->v[i].returns)
			qsort(h->v[i].took, h->v[i].returns, sizeof(*h->v[i].took), by_time);
	if (!h->sort)
		h->sort = h->timed ? h->by == BY_FUNCTION ? SORT_TOTAL : SORT_SELF : SORT_CALLS;
	if (h->n)
		qsort_r(h->v, h->n, sizeof(*h->v), by_weight, h);
}

struct hist_entry *histogram_find(const struct histogram *h, const char *name)
{
	size_t i;

	for (i = 0; i < h->n; i++)
		if (!strcmp(h->v[i].name, name))
			return &h->v[i];
	return NULL;
}

void histogram_free(struct histogram *h)
{
	size_t i;

	for (i = 0; i < h->n; i++) {
		free(h->v[i].name);
		free(h->v[i].took);
	}
	free(h->v);
}
