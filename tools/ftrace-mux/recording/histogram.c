// SPDX-License-Identifier: GPL-2.0
/* How often each function of one tracer was called, and how long it took. */
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include "recording/histogram.h"

#define BAR	20

static int by_key(const void *a, const void *b)
{
	const struct hist_entry *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

static struct hist_entry *entry(struct histogram *h, struct trace_file *f,
				const struct trace_event *e)
{
	struct hist_entry want = {
		.key = e->call.kind == CALL_OTHER ? (unsigned long long)e->event->id : e->call.ip
	};
	struct hist_entry **found = tfind(&want, &h->tree, by_key), *new;

	if (found)
		return *found;
	h->functions |= e->call.kind != CALL_OTHER;
	new = xcalloc(1, sizeof(*new));
	new->key = want.key;
	new->name = xstrdup(e->call.kind == CALL_OTHER ? trace_file_event(f, e) :
			    trace_file_symbol(f, e->call.ip));
	tsearch(new, &h->tree, by_key);
	h->n++;
	return new;
}

static bool count(struct trace_file *f, const struct trace_event *e, void *arg)
{
	struct histogram *h = arg;
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
	x->returns++;
	x->ns += e->call.took;
	if (e->call.took > x->max_ns)
		x->max_ns = e->call.took;
	return true;
}

static bool timed;	/* for qsort() */

static int by_weight(const void *a, const void *b)
{
	const struct hist_entry *x = a, *y = b;

	if (timed && x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
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
	memset(h, 0, sizeof(*h));
	trace_file_read(f, nr, count, h);
	h->v = xcalloc(h->n, sizeof(*h->v));
	h->n = 0;
	twalk_r(h->tree, collect, h);
	tdestroy(h->tree, free);
	timed = h->timed;
	qsort(h->v, h->n, sizeof(*h->v), by_weight);
}

static void print_entry(const struct histogram *h, const struct hist_entry *x)
{
	char bar[BAR + 1];
	double part = h->timed ? (h->v[0].ns ? (double)x->ns / h->v[0].ns : 0) :
				 (double)x->calls / h->v[0].calls;
	int n = part * BAR + 0.5;

	memset(bar, '#', n);
	bar[n] = '\0';
	printf("%10ld ", x->calls);
	if (h->timed)
		printf("%12.3f %10.3f %10.3f ", x->ns / 1000.0,
		       x->returns ? x->ns / 1000.0 / x->returns : 0, x->max_ns / 1000.0);
	printf("|%s%s%s%*s| %s\n", clr("green"), bar, clr("off"), BAR - n, "", x->name);
}

static void print_lost(const struct histogram *h)
{
	bool much = h->lost_unknown || is_much_lost(h->lost, h->found);

	printf("%s%s%ld lost%s\n", much ? clr("yellow") : "", h->lost_unknown ? "at least " : "",
	       h->lost, much ? clr("off") : "");
	if (much)
		printf("%sa larger buffer loses fewer: ftrace-mux record --buffer%s\n",
		       clr("yellow"), clr("off"));
}

void histogram_print(const struct histogram *h, const char *name, long most)
{
	size_t i;
	long rest = 0;

	if (!h->n) {
		printf("%s%s%s: no events\n", clr("bold"), name, clr("off"));
		return;
	}
	printf("%s%s%s: %ld %s of %zu %s%s in %.6f s, ", clr("bold"), name, clr("off"), h->calls,
	       h->functions ? "calls" : "events", h->n, h->functions ? "function" : "kind",
	       h->n == 1 ? "" : "s", (h->last - h->first) / 1e9);
	print_lost(h);
	printf("%10s ", h->functions ? "CALLS" : "COUNT");
	if (h->timed)
		printf("%12s %10s %10s ", "TOTAL us", "MEAN us", "MAX us");
	printf(" %*s  %s\n", BAR, "", h->functions ? "FUNCTION" : "EVENT");
	for (i = 0; i < h->n && (!most || i < (size_t)most); i++)
		print_entry(h, &h->v[i]);
	for (; i < h->n; i++)
		rest += h->v[i].calls;
	if (most && h->n > (size_t)most)
		printf("%10ld  of %zu others; --functions 0 shows all\n", rest, h->n - most);
}

json_t *histogram_json(const struct histogram *h, const char *name)
{
	json_t *a = json_array(), *j;
	size_t i;

	for (i = 0; i < h->n; i++) {
		const struct hist_entry *x = &h->v[i];

		j = json_pack("{s:s, s:I}", "name", x->name, "calls", (json_int_t)x->calls);
		if (h->timed)
			json_object_update_new(j, json_pack("{s:I, s:I}", "ns", (json_int_t)x->ns,
							    "max_ns", (json_int_t)x->max_ns));
		json_array_append_new(a, j);
	}
	return json_pack("{s:s, s:I, s:I, s:b, s:f, s:o}", "name", name,
			 "calls", (json_int_t)h->calls, "lost", (json_int_t)h->lost,
			 "lost_unknown", h->lost_unknown, "seconds", (h->last - h->first) / 1e9,
			 "functions", a);
}

void histogram_free(struct histogram *h)
{
	size_t i;

	for (i = 0; i < h->n; i++)
		free(h->v[i].name);
	free(h->v);
}
