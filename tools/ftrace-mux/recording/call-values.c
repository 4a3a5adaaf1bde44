// SPDX-License-Identifier: GPL-2.0
/* What calls of some functions returned, or had as arguments: each value, and how often. */
#include <fnmatch.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include "recording/call-values.h"

static int by_key(const void *a, const void *b)
{
	const struct value_entry *x = a, *y = b;

	if (x->ip != y->ip)
		return x->ip < y->ip ? -1 : 1;
	if (x->arg != y->arg)
		return x->arg < y->arg ? -1 : 1;
	return x->value < y->value ? -1 : x->value > y->value;
}

static void add(struct values *w, const char *function, const struct trace_event *e, int arg,
		unsigned long long value)
{
	struct value_entry want = { .ip = e->call.ip, .arg = arg, .value = value }, **found, *new;

	found = tfind(&want, &w->tree, by_key);
	if (!found) {
		new = xcalloc(1, sizeof(*new));
		*new = want;
		new->function = xstrdup(function);
		found = tsearch(new, &w->tree, by_key);
		w->n++;
	}
	(*found)->calls++;
	(*found)->total += e->call.took;
}

static bool count(struct trace_file *f, const struct trace_event *e, void *arg)
{
	struct values *w = arg;
	struct args args = { };
	const char *function;
	size_t i;

	if (w->args)
		trace_file_args(f, e, &args);
	else if (e->call.kind != CALL_LEAVE || !e->call.has_retval)
		return true;
	function = trace_file_symbol(f, e->call.ip);
	if (fnmatch(w->pattern, function, 0))
		return true;
	for (i = 0; i < args.n; i++)
		add(w, function, e, i + 1, args.v[i]);
	if (!w->args)
		add(w, function, e, 0, e->call.retval);
	return true;
}

/* Those of one function, and of one of its arguments, are shown together. */
static int by_group(const struct value_entry *x, const struct value_entry *y)
{
	int diff = strcmp(x->function, y->function);

	if (!diff && x->ip != y->ip)
		diff = x->ip < y->ip ? -1 : 1;
	return diff ? diff : x->arg - y->arg;
}

static int by_calls(const void *a, const void *b)
{
	const struct value_entry *x = a, *y = b;
	int diff = by_group(x, y);

	if (diff)
		return diff;
	if (x->calls != y->calls)
		return x->calls < y->calls ? 1 : -1;
	return x->value < y->value ? -1 : x->value > y->value;
}

static void collect(const void *node, VISIT which, void *arg)
{
	struct values *w = arg;

	if (which == postorder || which == leaf)
		w->v[w->n++] = **(struct value_entry *const *)node;
}

void values_read(struct values *w, struct trace_file *f, size_t nr)
{
	trace_file_read(f, nr, count, w);
	w->v = xcalloc(w->n, sizeof(*w->v));
	w->n = 0;
	twalk_r(w->tree, collect, w);
	tdestroy(w->tree, free);
	w->tree = NULL;
	if (w->n)
		qsort(w->v, w->n, sizeof(*w->v), by_calls);
}

void values_free(struct values *w)
{
	size_t i;

	for (i = 0; i < w->n; i++)
		free(w->v[i].function);
	free(w->v);
}
