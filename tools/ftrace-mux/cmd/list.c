// SPDX-License-Identifier: GPL-2.0
/* ftrace-mux list [NAME]: the tracers and their filters. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"
#include "model/tracer.h"
#include "term/term.h"

/* As many names as fit, and how many there are. */
static char *summary(const struct tracers *ts, const struct tracer *t, bool notrace)
{
	struct strlist l = { };
	char *joined, *res;
	size_t i, len = 0;

	if (t->kind == TRACER_INTERNAL || tracer_read_filter(ts, t, notrace, &l))
		return NULL;
	if (!l.n)
		return notrace ? NULL : xstrdup("all");
	for (i = 0; i < l.n && len + strlen(l.v[i]) < 36; i++)
		len += strlen(l.v[i]) + 1;
	if (i == l.n || !i) {
		res = i ? strlist_join(&l, ",") : xasprintf("%.40s (%zu)", l.v[0], l.n);
	} else {
		struct strlist part = { .v = l.v, .n = i };

		joined = strlist_join(&part, ",");
		res = xasprintf("%s,... (%zu)", joined, l.n);
		free(joined);
	}
	strlist_free(&l);
	return res;
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

static json_t *id_json(const struct tracer *t)
{
	if (t->id == ID_NONE)
		return json_null();
	return t->id == ID_OVERFLOW ? json_string("overflow") : json_integer(t->id);
}

static json_t *tracer_json(struct tracers *ts, struct tracer *t)
{
	tracer_count(ts, t);
	return json_pack("{s:s, s:s, s:o, s:b, s:s, s:s?, s:s?, s:o, s:o, s:o}",
			 "name", t->name, "kind", tracer_kind_name(t->kind), "id", id_json(t),
			 "default", t->dflt, "state", tracer_state(t), "plugin", t->plugin,
			 "instance", t->instance, "functions",
			 t->functions < 0 ? json_null() : json_integer(t->functions),
			 "filter", filter_json(ts, t, false), "notrace", filter_json(ts, t, true));
}

static void tracer_row(struct table *tab, struct tracers *ts, struct tracer *t)
{
	char *filter = summary(ts, t, false), *notrace = summary(ts, t, true);
	char id[16] = "", functions[32] = "";

	tracer_count(ts, t);
	if (t->id == ID_OVERFLOW)
		snprintf(id, sizeof(id), "overflow");
	else if (t->id != ID_NONE)
		snprintf(id, sizeof(id), "%d", t->id);
	if (t->functions >= 0)
		snprintf(functions, sizeof(functions), "%ld", t->functions);
	table_row(tab, t->dflt ? "*" : " ", t->name, id, tracer_state(t), functions,
		  t->instance ? t->instance : t->kind == TRACER_TOP ? "(top level)" : "",
		  t->plugin, filter, notrace);
	free(filter);
	free(notrace);
}

/* What is off and is no instance is there on every kernel: only with --all. */
static bool shown(const struct tracer *t, const char *name, bool all)
{
	if (name)
		return !strcmp(t->name, name) || (t->instance && !strcmp(t->instance, name));
	return all || t->on || t->kind == TRACER_TOP || t->kind == TRACER_INSTANCE;
}

static void print(struct tracers *ts, const char *name, bool all)
{
	static const char *const head[] = {
		" ", "NAME", "ID", "STATE", "FUNCTIONS", "INSTANCE", "TRACER", "FILTER", "NOTRACE",
	};
	struct table *tab = table_new(head, ARRAY_SIZE(head));
	json_t *a = json_array();
	size_t i;

	for (i = 0; i < ts->n; i++) {
		if (!shown(&ts->v[i], name, all))
			continue;
		if (ftm.json)
			json_array_append_new(a, tracer_json(ts, &ts->v[i]));
		else
			tracer_row(tab, ts, &ts->v[i]);
	}
	if (ftm.json) {
		ftm_print_json(a);
		table_free(tab);
		return;
	}
	json_decref(a);
	pager_start();
	table_print(tab);
	pager_end();
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
	for (i = 0; i < ts.n && names && !ret; i++)
		if (shown(&ts.v[i], name, all))
			puts(ts.v[i].name);
	if (!names && !ret)
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
	.args = "[NAME]",
	.comp = "@tracer",
	.help = "the tracers with their filters",
	.opts = opts,
	.run = cmd_list,
};
