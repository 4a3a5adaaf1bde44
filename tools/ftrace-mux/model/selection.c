// SPDX-License-Identifier: GPL-2.0
/* The functions that a tracer's filters select. */
#include <string.h>
#include "model/selection.h"

static void names_only(struct strlist *lines, struct strlist *names)
{
	size_t i;

	for (i = 0; i < lines->n; i++)
		if (!strchr(lines->v[i], ':'))
			strlist_addn(names, lines->v[i], strcspn(lines->v[i], " "));
	strlist_sort(names);
	strlist_free(lines);
}

void selection_load(struct selection *s, const struct tracers *ts, const struct tracer *t)
{
	struct strlist filter = { }, notrace = { };

	memset(s, 0, sizeof(*s));
	if (tracer_read_filter(ts, t, false, &filter))
		return;
	s->known = true;
	s->all = !filter.n;
	names_only(&filter, &s->filter);
	if (!tracer_read_filter(ts, t, true, &notrace))
		names_only(&notrace, &s->notrace);
}

bool selection_has(const struct selection *s, const char *function)
{
	return s->known && (s->all || strlist_has_sorted(&s->filter, function)) &&
	       !strlist_has_sorted(&s->notrace, function);
}

void selection_free(struct selection *s)
{
	strlist_free(&s->filter);
	strlist_free(&s->notrace);
}
