// SPDX-License-Identifier: GPL-2.0
/* ftrace-mux list [NAME]: the tracers and their filters. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cli/cli.h"
#include "model/below.h"
#include "model/tracer.h"
#include "term/term.h"

enum {
	COL_DEFAULT, COL_NAME, COL_ID, COL_STATE, COL_FUNCTIONS, COL_INSTANCE, COL_TRACER,
	COL_PIDS, COL_NOTRACE, COL_FILTER,
};

static const char *const head[] = {
	" ", "NAME", "ID", "STATE", "FUNCTIONS", "INSTANCE", "TRACER", "PIDS", "NOTRACE", "FILTER",
};

/* The columns that are left out first where a terminal is too narrow for all. */
static const int narrow[] = {
	COL_TRACER, COL_NOTRACE, COL_PIDS, COL_INSTANCE, COL_FUNCTIONS, COL_FILTER, COL_ID,
};

/* As many names as @max bytes hold, and how many there are. */
static char *shorten(const struct strlist *l, size_t max)
{
	struct strlist part = { .v = l->v };
	size_t len = 0;
	char *joined, *res;

	joined = strlist_join(l, ",");
	if (strlen(joined) <= 8)
		return joined;
	free(joined);
	if (max < 8)
		return xasprintf("(%zu)", l->n);
	for (; part.n < l->n && len + strlen(l->v[part.n]) <= max; part.n++)
		len += strlen(l->v[part.n]) + 1;
	if (!part.n)
		return xasprintf("%.*s... (%zu)", (int)max, l->v[0], l->n);
	joined = strlist_join(&part, ",");
	if (part.n == l->n)
		return joined;
	res = xasprintf("%s,... (%zu)", joined, l->n);
	free(joined);
	return res;
}

static char *summary(const struct tracers *ts, const struct tracer *t, bool notrace, size_t max)
{
	struct strlist l = { };
	char *res = NULL;
	size_t i;

	if (t->kind == TRACER_INTERNAL)
		return NULL;
	if (tracer_read_filter(ts, t, notrace, &l)) {
		/* the file of a tracer that is off shows the filter of the default */
		for (i = 0; i < ts->n && t->kind == TRACER_TOP && !notrace; i++)
			if (ts->v[i].dflt)
				return xasprintf("? (not to be seen: %s is the default)",
						 ts->v[i].name);
		return NULL;
	}
	if (l.n)
		res = shorten(&l, max);
	else if (!notrace)
		res = xstrdup("all");
	strlist_free(&l);
	return res;
}

/* "12,34,!56": these only, but not that one */
static char *pids_text(const struct tracer *t, size_t max)
{
	struct strlist l = { }, no = { };
	char *res, *s;
	size_t i;

	tracer_read_pids(t, false, &l);
	tracer_read_pids(t, true, &no);
	for (i = 0; i < no.n; i++) {
		s = xasprintf("!%s", no.v[i]);
		strlist_add(&l, s);
		free(s);
	}
	res = l.n ? shorten(&l, max < 36 ? 0 : 24) : NULL;
	strlist_free(&l);
	strlist_free(&no);
	return res;
}

static json_t *pids_json(const struct tracer *t, bool notrace)
{
	struct strlist l = { };
	json_t *a = json_array();
	size_t i;

	tracer_read_pids(t, notrace, &l);
	for (i = 0; i < l.n; i++)
		json_array_append_new(a, json_integer(atol(l.v[i])));
	strlist_free(&l);
	return a;
}

static json_t *filter_json(const struct tracers *ts, const struct tracer *t, bool notrace)
{
	struct strlist l = { };
	json_t *a;
	size_t i;

	if (t->kind == TRACER_INTERNAL || tracer_read_filter(ts, t, notrace, &l))
		return json_null();
	a = json_array();
	for (i = 0; i < l.n; i++)
		json_array_append_new(a, json_string(l.v[i]));
	strlist_free(&l);
	return a;
}

static json_t *graph_json(const struct tracer *t)
{
	char *dir = tracer_dir(t), *path = dir ? xasprintf("%s/set_graph_function", dir) : NULL;
	struct strlist l = { };
	json_t *a = json_null();
	size_t i;

	if (path && !below_read(path, &l))
		a = json_array();
	for (i = 0; i < l.n; i++)
		json_array_append_new(a, json_string(l.v[i]));
	strlist_free(&l);
	free(path);
	free(dir);
	return a;
}

static json_t *id_json(const struct tracer *t)
{
	return t->id == ID_NONE ? json_null() : json_integer(t->id);
}

static json_t *tracer_json(struct tracers *ts, struct tracer *t)
{
	tracer_count(ts, t);
	return json_pack("{s:s, s:s, s:o, s:b, s:s, s:s?, s:s?, s:o, s:o, s:o, "
			 "s:o, s:o, s:o}",
			 "name", t->name, "kind", tracer_kind_name(t->kind), "id", id_json(t),
			 "default", t->dflt, "state", tracer_state(t), "plugin", t->plugin,
			 "instance", t->instance, "functions",
			 t->functions < 0 ? json_null() : json_integer(t->functions),
			 "filter", filter_json(ts, t, false), "notrace", filter_json(ts, t, true),
			 "graph", graph_json(t),
			 "pids", pids_json(t, false), "notrace_pids", pids_json(t, true));
}

static void tracer_row(struct table *tab, struct tracers *ts, struct tracer *t, size_t max)
{
	char *filter = summary(ts, t, false, max), *notrace = summary(ts, t, true, max);
	char *pids = pids_text(t, max);
	char id[16] = "", functions[32] = "";

	tracer_count(ts, t);
	if (t->id != ID_NONE)
		snprintf(id, sizeof(id), "%d", t->id);
	if (t->functions >= 0)
		snprintf(functions, sizeof(functions), "%ld", t->functions);
	table_row(tab, t->dflt ? "*" : " ", t->name, id, tracer_state(t), functions,
		  t->instance ? t->instance : t->kind == TRACER_TOP ? "(top level)" : "",
		  t->plugin, pids, notrace, filter);
	free(pids);
	free(filter);
	free(notrace);
}

/* A tracer that is off and is no instance exists on every kernel: only with --all. */
static bool shown(const struct tracer *t, const char *name, bool all)
{
	if (name)
		return !strcmp(t->name, name) || (t->instance && !strcmp(t->instance, name));
	return all || t->on || t->kind == TRACER_TOP || t->kind == TRACER_INSTANCE;
}

/* Names take at most @max bytes; columns that say nothing new are left out. */
static struct table *make_table(struct tracers *ts, const char *name, bool all, size_t max)
{
	struct table *tab = table_new(head, ARRAY_SIZE(head));
	bool renamed = false;
	size_t i;

	for (i = 0; i < ts->n; i++) {
		struct tracer *t = &ts->v[i];

		if (!shown(t, name, all))
			continue;
		tracer_row(tab, ts, t, max);
		renamed |= t->instance && strcmp(t->instance, t->name);
	}
	table_hide_empty(tab);
	if (!renamed)
		table_hide(tab, COL_INSTANCE);
	return tab;
}

static void print(struct tracers *ts, const char *name, bool all)
{
	struct table *tab = make_table(ts, name, all, 36);
	int rows, cols, max = 36;
	size_t i;

	term_size(&rows, &cols);
	while (isatty(STDOUT_FILENO) && max && table_width(tab) > cols) {
		max -= 4;
		table_free(tab);
		tab = make_table(ts, name, all, max);
	}
	for (i = 0; isatty(STDOUT_FILENO) && i < ARRAY_SIZE(narrow) && table_width(tab) > cols; i++)
		table_hide(tab, narrow[i]);
	pager_start();
	table_print(tab);
	pager_end();
}

static void print_json(struct tracers *ts, const char *name, bool all, bool names)
{
	json_t *a = json_array();
	size_t i;

	for (i = 0; i < ts->n; i++)
		if (shown(&ts->v[i], name, all))
			json_array_append_new(a, names ? json_string(ts->v[i].name) :
					      tracer_json(ts, &ts->v[i]));
	ftm_print_json(a);
}

static int cmd_list(int argc, char **argv)
{
	bool all = false, names = false;
	const char *name = NULL;
	struct tracers ts;
	size_t i;
	int c, ret;

	while ((c = opt_next(argc, argv)) >= 0) {
		all |= c == OPT_ALL;
		names |= c == OPT_NAMES;
	}
	if (c == OPT_DONE)
		return opt_result;
	ret = opt_args(argc, 0, 1);
	if (!ret)
		ret = cmd_start();
	if (!ret)
		ret = tracers_load(&ts);
	if (ret)
		return ret;
	if (all)
		tracers_load_internal(&ts);
	if (optind < argc) {
		name = argv[optind];
		if (!tracers_find(&ts, name))
			ret = FTM_FAIL;
	}
	for (i = 0; i < ts.n && names && !ftm.json && !ret; i++)
		if (shown(&ts.v[i], name, all))
			puts(ts.v[i].name);
	if (ftm.json && !ret)
		print_json(&ts, name, all, names);
	else if (!names && !ret)
		print(&ts, name, all);
	tracers_free(&ts);
	return ret;
}

static const struct ftm_opt opts[] = {
	{ OPT_ALL, "all", NULL, "also tracers that are off, and internal users", NULL },
	{ OPT_NAMES, "names", NULL, "only the names, one per line", NULL },
	OPTS_END
};

const struct ftm_cmd list_command = {
	.name = "list",
	.alias = "ls",
	.args = "[NAME]",
	.comp = "@tracer",
	.help = "the tracers with their filters",
	.opts = opts,
	.examples =
		"ftrace-mux list\n"
		"ftrace-mux list --all --names\n",
	.run = cmd_list,
};
