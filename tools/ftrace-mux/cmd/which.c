// SPDX-License-Identifier: GPL-2.0
/*
 * ftrace-mux which FUNCTION...: which tracers trace it, and what its call site calls.
 *
 * enabled_functions has the names for a function that calls a stub:
 * "vfs_read (2) ... \tmux: 0x03 {trace,+foo}", with "group" after the names if the
 * kernel records once for all of them.  For other functions, and on a
 * stock kernel, the filters of the tracers tell which tracers trace it.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"
#include "model/filter.h"
#include "model/selection.h"
#include "term/term.h"
#include "tracefs/funcs.h"
#include "tracefs/mux.h"
#include "tracefs/tfs.h"

struct which {
	struct tracers ts;
	struct selection *selected;		/* one per tracer */
	struct strlist enabled;			/* lines, sorted */
};

static void load_selections(struct which *w)
{
	size_t i;

	w->selected = xcalloc(w->ts.n, sizeof(*w->selected));
	for (i = 0; i < w->ts.n; i++)
		if (w->ts.v[i].on)
			selection_load(&w->selected[i], &w->ts, &w->ts.v[i]);
}

static int load(struct which *w)
{
	char *path, *text;
	int ret = tracers_load(&w->ts);

	if (!ret)
		ret = funcs_load();
	if (ret)
		return ret;
	load_selections(w);
	path = tfs_path("enabled_functions");
	text = tfs_read(path);
	if (!text) {
		ret = tfs_fail("reading", path, errno);
	} else {
		strlist_split(&w->enabled, text, "\n");
		strlist_sort(&w->enabled);
	}
	free(text);
	free(path);
	return ret;
}

/* The first line that begins "FUNC ". */
static const char *find_line(const struct which *w, const char *func)
{
	char *key = xasprintf("%s ", func);
	size_t lo = 0, hi = w->enabled.n;
	const char *res = NULL;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (strcmp(w->enabled.v[mid], key) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo < w->enabled.n && !strncmp(w->enabled.v[lo], key, strlen(key)))
		res = w->enabled.v[lo];
	free(key);
	return res;
}

static void by_filters(const struct which *w, const char *func, struct strlist *names)
{
	size_t i;

	for (i = 0; i < w->ts.n; i++)
		if (selection_has(&w->selected[i], func))
			strlist_add(names, w->ts.v[i].name);
}

/* Returns what the call site calls, for people. */
static char *caller(const struct which *w, const char *func, long *users,
		    struct strlist *names)
{
	const char *line = find_line(w, func);
	const char *p = line ? strstr(line, "(") : NULL;
	const char *mux = line ? strstr(line, "mux: ") : NULL;

	*users = p ? strtol(p + 1, NULL, 10) : 0;
	if (mux && strchr(mux, '{')) {
		const char *brace = strchr(mux, '{') + 1;
		char *list = strndup(brace, strcspn(brace, "}"));
		bool regs = strstr(p, ") R") && strstr(p, ") R") < mux;

		strlist_split(names, list ? list : "", ",");
		free(list);
		return xasprintf("%.*s %s", (int)strcspn(mux + 5, " "), mux + 5,
				 strstr(brace, "} group") ? "group" : regs ? "regs" : "args");
	}
	if (!line)
		return xstrdup("nop");
	by_filters(w, func, names);
	if (strstr(line, "direct"))
		return xstrdup("direct call");
	p = strstr(line, "tramp: ");
	return xstrdup(p && *users == 1 ? "trampoline" : *users > 1 ? "list function" : "caller");
}

static void print_function(struct which *w, struct table *tab, const char *func)
{
	struct strlist names = { };
	char users[16], *call, *list;
	json_t *a = json_array();
	long n;
	size_t i;

	call = caller(w, func, &n, &names);
	for (i = 0; i < names.n; i++)
		json_array_append_new(a, json_string(names.v[i]));
	list = strlist_join(&names, ",");
	/* users that the kernel counts and the filters do not explain */
	if ((size_t)n > names.n)
		list = strcat(xrealloc(list, strlen(list) + 32), names.n ? ",(internal)" :
			      "(internal)");
	snprintf(users, sizeof(users), "%ld", n);
	if (ftm.json)
		ftm_print_json(json_pack("{s:s, s:i, s:s, s:o}", "function", func, "users", (int)n,
					 "caller", call, "tracers", a));
	else
		json_decref(a);
	if (!ftm.json)
		table_row(tab, func, users, call, list);
	strlist_free(&names);
	free(list);
	free(call);
}

static int functions(int argc, char **argv)
{
	static const char *const head[] = { "FUNCTION", "USERS", "CALLER", "TRACERS" };
	struct table *tab = table_new(head, ARRAY_SIZE(head));
	struct strlist in = { }, pats = { }, funcs = { };
	struct which w = { };
	size_t i;
	int ret = load(&w);

	for (; !ret && optind < argc; optind++)
		ret = patterns_parse("which", argv[optind], &in);
	if (!ret)
		ret = patterns_resolve(&in, &pats);
	patterns_matches(&pats, &funcs);
	for (i = 0; !ret && i < funcs.n; i++)
		print_function(&w, tab, funcs.v[i]);
	if (!ret && !ftm.json)
		table_print(tab);
	else
		table_free(tab);
	for (i = 0; w.selected && i < w.ts.n; i++)
		selection_free(&w.selected[i]);
	free(w.selected);
	tracers_free(&w.ts);
	strlist_free(&w.enabled);
	strlist_free(&in);
	strlist_free(&pats);
	strlist_free(&funcs);
	return ret;
}

static void stub_row(struct table *tab, const struct mux_stub *s)
{
	char stub[16], mask[16], functions[32], *names = strlist_join(&s->tracers, ",");

	snprintf(stub, sizeof(stub), "%ld", s->stub);
	snprintf(mask, sizeof(mask), "0x%02x", s->mask);
	snprintf(functions, sizeof(functions), "%ld", s->functions);
	table_row(tab, stub, mask, s->flavour, functions, names);
	free(names);
}

static int stubs(void)
{
	static const char *const head[] = { "STUB", "MASK", "FLAVOUR", "FUNCTIONS", "TRACERS" };
	struct table *tab;
	json_t *a;
	struct mux m;
	size_t i;
	int ret = tfs_need_mux("function_mux");

	if (ret || mux_read(&m))
		return ret ? ret : FTM_FAIL;
	tab = table_new(head, ARRAY_SIZE(head));
	a = json_array();
	for (i = 0; i < m.nstubs; i++) {
		stub_row(tab, &m.stubs[i]);
		json_array_append_new(a, mux_stub_json(&m.stubs[i]));
	}
	if (ftm.json) {
		ftm_print_json(a);
		table_free(tab);
	} else {
		json_decref(a);
		table_print(tab);
	}
	mux_free(&m);
	return FTM_OK;
}

static int cmd_which(int argc, char **argv)
{
	bool by_caller = false;
	int c, ret;

	while ((c = opt_next(argc, argv)) >= 0)
		by_caller = true;
	if (c == OPT_DONE)
		return opt_result;
	ret = by_caller ? opt_args(argc, 0, 0) : opt_args(argc, 1, -1);
	if (!ret)
		ret = cmd_start();
	if (ret)
		return ret;
	return by_caller ? stubs() : functions(argc, argv);
}

static const struct ftm_opt opts[] = {
	{ OPT_CALLERS, "callers", NULL, "list each stub in use: mask, tracers, functions", NULL },
	OPTS_END
};

const struct ftm_cmd which_command = {
	.name = "which",
	.args = "FUNCTION...|--callers",
	.comp = "@function...",
	.help = "which tracers trace a function, and what its call site calls",
	.opts = opts,
	.examples =
		"ftrace-mux which vfs_open\n"
		"ftrace-mux which 'vfs_*'\n"
		"ftrace-mux which --callers\n",
	.run = cmd_which,
};
