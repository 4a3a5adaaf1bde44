// SPDX-License-Identifier: GPL-2.0
/* What ftrace-mux record says at its end. */
#include <stdlib.h>
#include <string.h>
#include "model/filter.h"
#include "recording/histogram.h"
#include "recording/result.h"

static json_t *buffer_result(const char *name, struct rec_count c, struct strlist *line)
{
	char *text = xasprintf("%s %ld events, %ld lost", name, c.events, c.lost);

	strlist_add(line, text);
	free(text);
	return json_pack("{s:s, s:I, s:I}", "name", name, "events", (json_int_t)c.events, "lost",
			 (json_int_t)c.lost);
}

static long count_functions(const struct rec_tracer *t)
{
	struct strlist l = { };
	long n;

	if (t->attached)
		return t->functions;
	patterns_matches(&t->patterns, &l);
	n = l.n;
	strlist_free(&l);
	return n;
}

/* A tracer that is attached has counted before, and may begin again when the recording ends. */
static struct rec_count count_of(const struct record *r, size_t nr)
{
	const struct rec_tracer *t = &r->t[nr];
	struct rec_count c;

	if (!t->attached)
		return count_read(t->name);
	c = r->stand_ins.counts[nr];
	c.events -= t->before.events;
	c.lost -= t->before.lost;
	return c;
}

static json_t *tracer_result(const struct record *r, size_t nr, struct strlist *line)
{
	const struct rec_tracer *t = &r->t[nr];
	json_t *j = buffer_result(t->name, count_of(r, nr), line);

	if (ftm.json) {
		json_object_set_new(j, "plugin", json_string(t->plugin));
		json_object_set_new(j, "functions", json_integer(count_functions(t)));
	}
	return j;
}

/* More than one in a hundred: the recording is not what was asked for. */
static void warn_lost(const struct record *r, json_t *tracers)
{
	const char *remedy = r->attach ? "ftrace-mux add --buffer" : "--buffer";
	json_t *j;
	size_t i;

	json_array_foreach(tracers, i, j) {
		long long lost = json_integer_value(json_object_get(j, "lost"));
		long long events = json_integer_value(json_object_get(j, "events"));

		if (is_much_lost(lost, events))
			ftm_warn("%s: %lld of %lld events are lost; a larger buffer loses fewer: %s",
				 json_string_value(json_object_get(j, "name")), lost,
				 lost + events, remedy);
	}
}

const char *record_place(const struct record *r)
{
	return r->to ? r->to : r->output;
}

json_t *record_result(const struct record *r)
{
	json_t *a = json_array();
	struct strlist line = { };
	char *text;
	size_t i;

	for (i = 0; i < r->n; i++)
		json_array_append_new(a, tracer_result(r, i, &line));
	if (r->events.n)
		json_array_append_new(a, buffer_result(RECORD_EVENTS, count_read(RECORD_EVENTS),
						       &line));
	text = strlist_join(&line, "; ");
	if (!ftm.json && ftm.verbose >= 0 && r->to)
		fprintf(stderr, "%s: %s\n", r->to, text);
	else if (!ftm.json && ftm.verbose >= 0)
		fprintf(stderr, "%s: %s; see ftrace-mux report %s\n", r->output, text, r->output);
	free(text);
	strlist_free(&line);
	warn_lost(r, a);
	return a;
}
