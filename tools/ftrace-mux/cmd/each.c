// SPDX-License-Identifier: GPL-2.0
/* One thing to each of the tracers that are named. */
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

static int choose(int argc, char **argv, bool all, bool (*suits)(const struct tracer *t),
		  struct strlist *names)
{
	struct tracers ts;
	size_t i;
	int ret = tracers_load(&ts), one;

	if (ret)
		return ret;
	for (i = 0; all && i < ts.n; i++)
		if (suits(&ts.v[i]))
			strlist_add(names, ts.v[i].name);
	for (; optind < argc; optind++) {
		one = FTM_OK;
		if (strpbrk(argv[optind], "*?[") && !tracers_has(&ts, argv[optind]))
			one = add_matches(&ts, argv[optind], suits, names);
		else
			add_once(names, argv[optind]);
		ret = ret ? ret : one;
	}
	tracers_free(&ts);
	return ret;
}

/* What was done to one can have changed the others: each is looked at anew. */
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

int each_tracer(int argc, char **argv, bool all, bool (*suits)(const struct tracer *t),
		int (*fn)(const struct tracer *t))
{
	struct strlist names = { };
	size_t i;
	int ret = choose(argc, argv, all, suits, &names), one;

	for (i = 0; i < names.n && !ftm_stop; i++) {
		progress_step(i + 1, names.n);
		one = to_one(names.v[i], fn);
		ret = ret ? ret : one;
	}
	progress_step(0, 0);
	if (ftm_stop) {
		ftm_err("interrupted after %zu of %zu tracers", i, names.n);
		ret = ret ? ret : FTM_FAIL;
	}
	strlist_free(&names);
	return ret;
}
