// SPDX-License-Identifier: GPL-2.0
/* Values that functions returned, or had as arguments, as text and as JSON. */
#include <stdlib.h>
#include <string.h>
#include "events/value.h"
#include "recording/call-values.h"
#include "term/bar.h"

#define BAR		20

/* The first index after those of the same function and argument */
static size_t group_end(const struct values *w, size_t i)
{
	const struct value_entry *x = &w->v[i];

	while (i < w->n && w->v[i].ip == x->ip && w->v[i].arg == x->arg)
		i++;
	return i;
}

static long calls_of(const struct values *w, size_t from, size_t to)
{
	long calls = 0;

	for (; from < to; from++)
		calls += w->v[from].calls;
	return calls;
}

static void print_value(const struct value_entry *x, long most)
{
	char *text = value_text(x->value), buf[32];

	if (x->arg)
		printf("%10ld ", x->calls);
	else
		printf("%10ld %8s ", x->calls, duration(x->total / x->calls, buf, sizeof(buf)));
	bar_print((double)x->calls / most, BAR);
	printf(" %s\n", text);
	free(text);
}

static void print_group(const struct values *w, const char *tracer, size_t from, size_t to,
			long most)
{
	const struct value_entry *x = &w->v[from];
	long calls = calls_of(w, from, to);
	size_t i, last = !most || to - from <= (size_t)most ? to : from + most;

	printf("%s%s%s: %s, ", clr("bold"), tracer, clr("off"), x->function);
	if (x->arg)
		printf("argument %d of ", x->arg);
	printf("%ld call%s%s\n", calls, calls == 1 ? "" : "s", x->arg ? "" : " returned");
	printf("%10s %s %*s   VALUE\n", "CALLS", x->arg ? "" : "     AVG ", BAR, "");
	for (i = from; i < last; i++)
		print_value(&w->v[i], x->calls);
	if (last < to)
		printf("%10ld  of %zu others; --functions 0 shows all\n", calls_of(w, last, to),
		       to - last);
}

void values_print(const struct values *w, const char *tracer, long most)
{
	size_t from, to;

	for (from = 0; from < w->n; from = to) {
		to = group_end(w, from);
		print_group(w, tracer, from, to, most);
	}
}

static json_t *value_entry_json(const struct value_entry *x)
{
	json_t *j = json_pack("{s:o, s:I}", "value", value_json(x->value), "calls",
			      (json_int_t)x->calls);

	if (!x->arg)
		json_object_set_new(j, "ns", json_integer(x->total));
	return j;
}

json_t *values_json(const struct values *w, const char *tracer)
{
	json_t *groups = json_array();
	size_t from, to;

	for (from = 0; from < w->n; from = to) {
		const struct value_entry *x = &w->v[from];
		json_t *a = json_array(), *j = json_pack("{s:s}", "function", x->function);
		size_t i;

		to = group_end(w, from);
		for (i = from; i < to; i++)
			json_array_append_new(a, value_entry_json(&w->v[i]));
		if (x->arg)
			json_object_set_new(j, "argument", json_integer(x->arg));
		json_object_set_new(j, "values", a);
		json_array_append_new(groups, j);
	}
	return json_pack("{s:s, s:o}", "name", tracer, w->args ? "arguments" : "returned",
			 groups);
}
