// SPDX-License-Identifier: GPL-2.0
/* ftrace-mux add NAME: a new named tracer. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"
#include "cli/values.h"
#include "model/below.h"
#include "model/filter.h"
#include "model/instance.h"
#include "model/name.h"
#include "model/tracer.h"
#include "tracefs/state.h"

struct add_args {
	struct setup setup;
	struct strlist filter, notrace, below;	/* as given */
	const char *buffer;
};

static int parse(int argc, char **argv, struct add_args *a)
{
	int c, ret;

	while ((c = opt_next(argc, argv)) >= 0) {
		ret = FTM_OK;
		switch (c) {
		case 'p':
			a->setup.plugin = optarg;
			ret = plugin_parse(optarg);
			break;
		case 'l':
			ret = patterns_parse("--filter", optarg, &a->filter);
			break;
		case 'n':
			ret = patterns_parse("--notrace", optarg, &a->notrace);
			break;
		case OPT_GRAPH:
			ret = patterns_parse("--graph", optarg, &a->below);
			break;
		case OPT_PID:
			ret = parse_pid(optarg, &a->setup.pids);
			break;
		case OPT_NOTRACE_PID:
			ret = parse_pid_of("--notrace-pid", optarg, &a->setup.notrace_pids);
			break;
		case OPT_BUFFER:
			ret = parse_buffer(optarg, &a->setup.buffer_kb);
			break;
		case OPT_STOPPED:
			a->setup.stopped = true;
			break;
		case OPT_DRY_RUN:
			a->setup.dry_run = true;
			break;
		}
		if (ret)
			return ret;
	}
	if (c == OPT_DONE)
		return opt_result ? opt_result : -1;
	a->setup.plugin = below_plugin(a->setup.plugin, a->below.n);
	if (a->below.n && strcmp(a->setup.plugin, "function_graph"))
		return ftm_usage("--graph: needs --plugin function_graph");
	return opt_args(argc, 1, 1);
}

static int add(struct add_args *a)
{
	struct setup *s = &a->setup;
	int ret = cmd_start(), no;

	if (ret)
		return ret;
	if (!plugin_ok(s->plugin))
		return FTM_NOKERNEL;
	if (a->filter.n)
		ret = patterns_resolve(&a->filter, &s->filter);
	no = a->notrace.n ? patterns_resolve(&a->notrace, &s->notrace) : FTM_OK;
	ret = ret ? ret : no;
	no = below_resolve(&a->below, &s->below);
	ret = ret ? ret : no;
	if (!ret)
		ret = instance_create(s);
	if (ret || s->dry_run)
		return ret;
	instance_keep(s->name);
	remember_plugin(s->name, NULL);
	if (ftm.json)
		ftm_print_json(json_pack("{s:s, s:s}", "added", s->name, "plugin", s->plugin));
	return FTM_OK;
}

static int cmd_add(int argc, char **argv)
{
	struct add_args a = { };
	int ret = parse(argc, argv, &a);

	if (!ret) {
		a.setup.name = argv[optind];
		ret = tracer_name_ok(a.setup.name) ? add(&a) : FTM_USAGE;
	}
	strlist_free(&a.filter);
	strlist_free(&a.notrace);
	strlist_free(&a.below);
	setup_free(&a.setup);
	return ret < 0 ? FTM_OK : ret;
}

static const struct ftm_opt opts[] = {
	{ 'p', "plugin", "PLUGIN", "function (default) or function_graph", "@plugin" },
	{ 'l', "filter", "PATTERN", "trace what matches; may be repeated", "@function" },
	{ 'n', "notrace", "PATTERN", "leave out what matches; may be repeated", "@function" },
	{ OPT_GRAPH, "graph", "FUNCTION",
	  "function_graph: only this function and what is below it; may be repeated",
	  "@function" },
	{ OPT_PID, "pid", "PID", "trace only this process; may be repeated", "@pid" },
	{ OPT_NOTRACE_PID, "notrace-pid", "PID", "leave out this process; may be repeated",
	  "@pid" },
	{ OPT_BUFFER, "buffer", "SIZE", "buffer per CPU, e.g. 512k or 4M", NULL },
	{ OPT_STOPPED, "stopped", NULL, "do not write to the buffer yet (tracing_on is 0)", NULL },
	{ OPT_DRY_RUN, "dry-run", NULL, "change nothing, list what would be written", NULL },
	OPTS_END
};

const struct ftm_cmd add_command = {
	.name = "add",
	.args = "NAME",
	.help = "make a new tracer: an instance with its own buffer",
	.opts = opts,
	.examples =
		"ftrace-mux add opens -l vfs_open -l sys_openat\n"
		"ftrace-mux add mine -p function_graph --pid 1234\n"
		"ftrace-mux add below --graph vfs_read\n",
	.run = cmd_add,
};
