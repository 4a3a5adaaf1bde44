// SPDX-License-Identifier: GPL-2.0
/* ftrace-mux report [FILE]: functions, times and values for each tracer, recorded or running. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"
#include "cli/values.h"
#include "recording/histogram.h"
#include "recording/output.h"
#include "recording/call-values.h"
#include "term/term.h"

#define MOST		20
#define MOST_VALUES	10

struct report {
	struct strlist tracers;		/* empty: all */
	long most;			/* functions of each, or values; 0: all; -1: not given */
	bool names, live;
	const char *latency;		/* only how long calls of this function took */
	const char *retval, *args;	/* only what calls of these returned, or had as arguments */
	enum by by;
	enum hist_sort sort;
};

static void print_names(struct trace_file *f)
{
	json_t *a = ftm.json ? json_array() : NULL;
	size_t i;

	for (i = 0; i < trace_file_buffers(f); i++) {
		if (a)
			json_array_append_new(a, json_string(trace_file_name(f, i)));
		else
			puts(trace_file_name(f, i));
	}
	if (a)
		ftm_print_json(a);
}

/* True when the tracer has it. */
static bool latency(const struct report *r, const struct histogram *h, const char *name, json_t *a)
{
	struct hist_entry *x = histogram_find(h, r->latency);

	if (!x || !x->returns)
		return false;
	if (ftm.json)
		json_array_append_new(a, json_pack("{s:s, s:s, s:o}", "name", name, "function",
						   x->name, "latency", latency_json(x)));
	else
		latency_print(x, name);
	return true;
}

/* True when the tracer has some. */
static bool values(const struct report *r, struct trace_file *f, size_t nr, json_t *a)
{
	struct values w = { .pattern = r->args ? r->args : r->retval, .args = r->args };
	const char *name = trace_file_name(f, nr);
	bool some;

	values_read(&w, f, nr);
	some = w.n;
	if (some && ftm.json)
		json_array_append_new(a, values_json(&w, name));
	else
		values_print(&w, name, r->most < 0 ? MOST_VALUES : r->most);
	values_free(&w);
	return some;
}

static void show(const struct report *r, const struct histogram *h, const char *name, json_t *a)
{
	if (ftm.json)
		json_array_append_new(a, histogram_json(h, name));
	else
		histogram_print(h, name, r->most < 0 ? MOST : r->most);
}

/* The option that asks for these values alone; NULL: there is none */
static const char *only(const struct report *r)
{
	return r->latency ? "--histogram" : r->retval ? "--retval" : r->args ? "--args" : NULL;
}

/* True when there was something to show. */
static bool report_one(const struct report *r, struct trace_file *f, size_t nr, bool first,
		       json_t *a)
{
	struct histogram h = { .by = r->by, .sort = r->sort, .live = r->live };
	const char *name = trace_file_name(f, nr);
	bool some = true;

	if (r->retval || r->args)
		return values(r, f, nr, a);
	histogram_read(&h, f, nr);
	if (r->latency) {
		some = latency(r, &h, name, a);
	} else {
		if (!first && !ftm.json)
			putchar('\n');
		show(r, &h, name, a);
	}
	histogram_free(&h);
	return some;
}

static void nothing_found(const struct report *r, const char *file)
{
	if (r->latency)
		ftm_err("%s: no tracer has times of %s; function_graph records them: ftrace-mux record -p function_graph",
			file, r->latency);
	else if (r->retval)
		ftm_err("%s: no tracer has return values of %s; ftrace-mux record --retval records them",
			file, r->retval);
	else
		ftm_err("%s: no tracer has arguments of %s; ftrace-mux record --args records them",
			file, r->args);
}

static int report(const struct report *r, struct trace_file *f, const char *file)
{
	json_t *a = json_array();
	bool any = false;
	size_t i;

	for (i = 0; !ftm_stop && i < trace_file_buffers(f); i++)
		if (!r->tracers.n || strlist_has(&r->tracers, trace_file_name(f, i)))
			any |= report_one(r, f, i, !any, a);
	if (only(r) && !any)
		nothing_found(r, file);
	else if (ftm.json)
		ftm_print_json(json_pack("{s:s, s:O}", "file", file, "tracers", a));
	json_decref(a);
	return only(r) && !any ? FTM_FAIL : FTM_OK;
}

/* What is asked for is one of these, of some functions. */
static int check(const struct report *r)
{
	if (r->names && r->tracers.n)
		return ftm_usage("--names: shows all tracers, so not with --tracer");
	if (!!r->latency + !!r->retval + !!r->args > 1)
		return ftm_usage("--histogram, --retval and --args: one at a time");
	if (only(r) && r->by)
		return ftm_usage("%s: is of one function, so not with --by", only(r));
	if ((r->retval || r->args) && r->sort)
		return ftm_usage("%s: the most frequent values come first, so not with --sort",
				 only(r));
	if (r->by && r->sort > SORT_CALLS && r->sort != SORT_SELF)
		return ftm_usage("--by: has only calls and self to --sort by");
	if (r->live && (r->names || r->tracers.n))
		return ftm_usage("--live: takes NAMEs, so not with --names or --tracer");
	return FTM_OK;
}

static int parse(int argc, char **argv, struct report *r)
{
	int c, n;

	while ((c = opt_next(argc, argv)) >= 0) {
		switch (c) {
		case 't':
			strlist_add(&r->tracers, optarg);
			break;
		case OPT_FUNCTIONS:
			if (!parse_num(optarg, 0, 1000000, &r->most))
				return ftm_usage("--functions %s: must be a number, 0 for all",
						 optarg);
			break;
		case OPT_NAMES:
			r->names = true;
			break;
		case OPT_LIVE:
			r->live = true;
			break;
		case OPT_HISTOGRAM:
			r->latency = optarg;
			break;
		case OPT_RETVAL:
			r->retval = optarg;
			break;
		case OPT_ARGS:
			r->args = optarg;
			break;
		case OPT_BY:
			if (parse_choice("--by", optarg, by_names, BYS, &n))
				return FTM_USAGE;
			r->by = n;
			break;
		case OPT_SORT:
			if (parse_choice("--sort", optarg, hist_sort_names,
					 ARRAY_SIZE(hist_sort_names), &n))
				return FTM_USAGE;
			r->sort = SORT_CALLS + n;
			break;
		}
	}
	if (c == OPT_DONE)
		return opt_result ? opt_result : -1;
	if (check(r))
		return FTM_USAGE;
	return opt_args(argc, 0, r->live ? -1 : 1);
}

static int cmd_report(int argc, char **argv)
{
	struct report r = { .most = -1 };
	int ret = parse(argc, argv, &r);
	const char *file = RECORDING;
	struct trace_file *f;

	if (!ret && r.live)
		ret = cmd_start();
	if (!ret) {
		if (r.live)
			file = "live";
		else if (optind < argc)
			file = argv[optind];
		catch_signals();
		f = r.live ? trace_file_live(argv + optind, argc - optind) : trace_file_open(file);
		ret = f ? trace_file_check(f, file, &r.tracers) : FTM_FAIL;
		if (!ret && r.names) {
			print_names(f);
		} else if (!ret) {
			pager_start();
			ret = report(&r, f, file);
			pager_end();
		}
		if (f)
			trace_file_close(f);
	}
	strlist_free(&r.tracers);
	return ret < 0 ? FTM_OK : ret;
}

static const struct ftm_opt opts[] = {
	{ 't', "tracer", "NAME", "only this tracer; may be repeated", "@recorded" },
	{ OPT_FUNCTIONS, "functions", "N",
	  "show N functions of each tracer (default 20; or values, default 10), 0: all", NULL },
	{ OPT_BY, "by", "WHAT", "count by function (default), process, thread or cpu",
	  "function process thread cpu" },
	{ OPT_SORT, "sort", "COLUMN", "order: calls, total, self, avg, p50, p99 or max",
	  "calls total self avg p50 p99 max" },
	{ OPT_HISTOGRAM, "histogram", "FUNCTION", "how long the calls of FUNCTION took",
	  "@function" },
	{ OPT_RETVAL, "retval", "FUNCTION", "what the calls of FUNCTION returned, and how often",
	  "@function" },
	{ OPT_ARGS, "args", "FUNCTION", "the arguments of FUNCTION, and how often each value",
	  "@function" },
	{ OPT_LIVE, "live", NULL,
	  "show the events of running tracers (NAMEs, or all), and take them out of the buffers",
	  NULL },
	{ OPT_NAMES, "names", NULL, "only the names of its tracers, one per line", NULL },
	OPTS_END
};

const struct ftm_cmd report_command = {
	.name = "report",
	.args = "[FILE|NAME...]",
	.comp = "@file @tracer...",
	.help = "a histogram of functions for each tracer of a recording",
	.opts = opts,
	.examples =
		"ftrace-mux report\n"
		"ftrace-mux report --live opens\n"
		"ftrace-mux report --sort self\n"
		"ftrace-mux report --by process\n"
		"ftrace-mux report --histogram vfs_read\n"
		"ftrace-mux report --retval do_sys_openat2\n"
		"ftrace-mux report -t opens --functions 5 trace.dat\n",
	.run = cmd_report,
};
