// SPDX-License-Identifier: GPL-2.0
/* Do one thing to each of the tracers that are named. */
#include <fnmatch.h>
#include <getopt.h>
#include <string.h>
#include "cmd/each.h"
#include "term/term.h"

static void add_once(struct strlist *l, const char *name)
{
	if (!strlist_has(l, name))
		strlist_add(l, name);
}

static int add_matches(const struct tracers *ts, const char *glob,
		       bool (*suits)(const struct tracer *t), struct strlist *names)
{
	size_t i, found = 0;

	for (i = 0; i < ts->n; i++)
		if (suits(&ts->v[i]) && !fnmatch(glob, ts->v[i].name, 0)) {
			add_once(names, ts->v[i].name);
			found++;
		}
	if (found)
		return FTM_OK;
	ftm_err("%s: no tracer has such a name; see ftrace-mux list", glob);
	return FTM_FAIL;
}

/* Add a tracer that was named, by the name that it has now. */
static int add_name(struct tracers *ts, const char *name, const struct action *a,
		    struct strlist *names)
{
	struct tracer *t = tracers_find(ts, name);
	int ret = t ? FTM_OK : FTM_FAIL;

	if (t && a->check)
		ret = a->check(t);
	if (!ret)
		add_once(names, t->name);
	return ret;
}

static int choose(int argc, char **argv, bool all, const struct action *a,
		  struct strlist *names)
{
	struct tracers ts;
	size_t i;
	int ret = tracers_load(&ts), one;

	if (ret)
		return ret;
	for (i = 0; all && i < ts.n; i++)
		if (a->suits(&ts.v[i]))
			strlist_add(names, ts.v[i].name);
	for (; optind < argc; optind++) {
		if (strpbrk(argv[optind], "*?[") && !tracers_has(&ts, argv[optind]))
			one = add_matches(&ts, argv[optind], a->suits, names);
		else
			one = add_name(&ts, argv[optind], a, names);
		ret = ret ? ret : one;
	}
	tracers_free(&ts);
	return ret;
}

/* A change of one tracer can have changed the others: load all of them anew. */
static int to_one(const char *name, int (*fn)(const struct tracer *t))
{
	struct tracers ts;
	struct tracer *t;
	int ret = tracers_load(&ts);

	if (ret)
		return ret;
	t = tracers_find(&ts, name);
	ret = t ? fn(t) : FTM_FAIL;
	tracers_free(&ts);
	return ret;
}

static int to_all(const struct strlist *names, const struct action *a, json_t *done)
{
	int ret = FTM_OK, one;
	size_t i;

	for (i = 0; i < names->n && !ftm_stop; i++) {
		progress_step(i + 1, names->n);
		one = to_one(names->v[i], a->fn);
		if (!one)
			json_array_append_new(done, json_string(names->v[i]));
		ret = ret ? ret : one;
	}
	progress_step(0, 0);
	if (ftm_stop) {
		ftm_err("interrupted after %zu of %zu tracers", i, names->n);
		ret = ret ? ret : FTM_FAIL;
	}
	return ret;
}

int each_tracer(int argc, char **argv, bool all, const struct action *a)
{
	struct strlist names = { };
	json_t *done = json_array();
	int ret = choose(argc, argv, all, a, &names);

	if (ret && names.n)
		ftm_note("nothing %s", a->done);
	if (!ret) {
		ret = to_all(&names, a, done);
		if (ftm.json)
			ftm_print_json(json_pack("{s:O}", a->done, done));
	}
	json_decref(done);
	strlist_free(&names);
	return ret;
}
