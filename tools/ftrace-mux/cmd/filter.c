// SPDX-License-Identifier: GPL-2.0
/* ftrace-mux filter NAME [PATTERN...], and notrace, which is the same thing. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"
#include "model/filter.h"
#include "model/tracer.h"
#include "tracefs/funcs.h"
#include "tracefs/tfs.h"

struct filter_args {
	const char *name;
	struct strlist patterns;	/* as given */
	struct strlist resolved;
	enum filter_mode mode;
	bool notrace, modes, clear, dry_run, change;
};

static int parse(int argc, char **argv, struct filter_args *a)
{
	int c, ret = FTM_OK;

	while ((c = opt_next(argc, argv)) >= 0 && !ret) {
		if (c == OPT_FILE) {
			ret = patterns_read_file(optarg, &a->patterns);
			a->change = true;
		} else if (c == OPT_DRY_RUN) {
			a->dry_run = true;
		} else {
			if (a->modes)
				return ftm_usage("only one of --append, --remove and --clear");
			a->modes = true;
			a->clear = c == OPT_CLEAR;
			a->mode = c == OPT_APPEND ? FILTER_APPEND :
				  c == OPT_REMOVE ? FILTER_REMOVE : FILTER_SET;
		}
	}
	if (c == OPT_DONE)
		return opt_result ? opt_result : -1;
	if (!ret)
		ret = opt_args(argc, 1, -1);
	if (ret)
		return ret;
	a->name = argv[optind];
	for (optind++; optind < argc; optind++) {
		ret = patterns_parse(a->notrace ? "notrace" : "filter", argv[optind],
				     &a->patterns);
		if (ret)
			return ret;
	}
	a->change |= a->patterns.n || a->modes;
	if (a->clear && a->patterns.n)
		return ftm_usage("--clear takes no patterns");
	if (a->change && !a->clear && !a->patterns.n)
		return ftm_usage("no pattern given");
	return FTM_OK;
}

static int show(const struct tracers *ts, const struct tracer *t, bool notrace)
{
	struct strlist l = { };
	json_t *a = json_array();
	size_t i;

	if (tracer_read_filter(ts, t, notrace, &l)) {
		char *path = tracer_filter_file(ts, t, notrace);
		int ret = tfs_fail("reading", path, errno);

		free(path);
		json_decref(a);
		return ret;
	}
	for (i = 0; i < l.n; i++) {
		json_array_append_new(a, json_string(l.v[i]));
		if (!ftm.json)
			puts(l.v[i]);
	}
	if (ftm.json) {
		ftm_print_json(json_pack("{s:s, s:o}", "tracer", t->name, notrace ? "notrace" :
					 "filter", a));
	} else {
		json_decref(a);
		if (!l.n)
			puts(notrace ? "# no functions left out" : "# all functions");
	}
	strlist_free(&l);
	return FTM_OK;
}

static int dry_run(const struct filter_args *a)
{
	struct strlist l = { };
	json_t *arr = json_array();
	size_t i;

	patterns_matches(&a->resolved, &l);
	for (i = 0; i < l.n; i++) {
		json_array_append_new(arr, json_string(l.v[i]));
		if (!ftm.json)
			puts(l.v[i]);
	}
	if (ftm.json)
		ftm_print_json(json_pack("{s:s, s:o}", "tracer", a->name, "matches", arr));
	else
		json_decref(arr);
	ftm_info("%zu of %zu functions match", l.n, funcs_nr());
	strlist_free(&l);
	return FTM_OK;
}

static int change(struct filter_args *a, const char *path)
{
	bool everything = a->mode == FILTER_SET && !a->notrace && a->resolved.n == 1 &&
			  !strcmp(a->resolved.v[0], "*");

	if (a->clear || everything)
		return filter_clear(path);
	return filter_change(path, &a->resolved, a->mode);
}

static int run(struct filter_args *a)
{
	struct tracers ts;
	struct tracer *t;
	char *path = NULL;
	int ret = cmd_start();

	if (!ret)
		ret = tracers_load(&ts);
	if (ret)
		return ret;
	t = tracers_find(&ts, a->name);
	if (t)
		path = tracer_filter_file(&ts, t, a->notrace);
	if (!t) {
		ret = FTM_FAIL;
	} else if (!path) {
		ftm_err("%s: has no separate %s%s", a->name, a->notrace ? "notrace" : "filter",
			t->on ? "" : " while it is off; switch it on first: ftrace-mux enable");
		ret = FTM_FAIL;
	} else if (!a->change) {
		ret = show(&ts, t, a->notrace);
	} else {
		ret = patterns_resolve(&a->patterns, &a->resolved);
		if (!ret)
			ret = a->dry_run ? dry_run(a) : change(a, path);
	}
	if (!ret && a->change && !a->dry_run && !ts.mux && t->kind == TRACER_PROFILE)
		ftm_warn("on this kernel trace_profile shares the filter of trace");
	free(path);
	tracers_free(&ts);
	return ret;
}

static int change_or_show(int argc, char **argv, bool notrace)
{
	struct filter_args a = { .notrace = notrace };
	int ret = parse(argc, argv, &a);

	if (!ret)
		ret = run(&a);
	strlist_free(&a.patterns);
	strlist_free(&a.resolved);
	return ret < 0 ? FTM_OK : ret;
}

static int cmd_filter(int argc, char **argv)
{
	return change_or_show(argc, argv, false);
}

static int cmd_notrace(int argc, char **argv)
{
	return change_or_show(argc, argv, true);
}

static const struct ftm_opt opts[] = {
	{ OPT_APPEND, "append", NULL, "add the patterns to what is set", NULL },
	{ OPT_REMOVE, "remove", NULL, "take the patterns out of what is set", NULL },
	{ OPT_CLEAR, "clear", NULL, "empty it", NULL },
	{ OPT_FILE, "file", "FILE", "read patterns from FILE ('-': standard input)", "@file" },
	{ OPT_DRY_RUN, "dry-run", NULL, "change nothing, list the functions that match", NULL },
	OPTS_END
};

const struct ftm_cmd filter_command = {
	.name = "filter",
	.args = "NAME [PATTERN...]",
	.comp = "@tracer @function...",
	.help = "show or set which functions a tracer traces",
	.opts = opts,
	.examples =
		"ftrace-mux filter opens\n"
		"ftrace-mux filter opens vfs_open 'vfs_stat*'\n"
		"ftrace-mux filter opens --append sys_openat\n",
	.run = cmd_filter,
};

const struct ftm_cmd notrace_command = {
	.name = "notrace",
	.args = "NAME [PATTERN...]",
	.comp = "@tracer @function...",
	.help = "show or set which functions a tracer leaves out",
	.opts = opts,
	.examples =
		"ftrace-mux notrace files 'vfs_read*'\n"
		"ftrace-mux notrace files --clear\n",
	.run = cmd_notrace,
};
