// SPDX-License-Identifier: GPL-2.0
/* ftrace-mux del NAME... | --all: remove instances. */
#include <getopt.h>
#include "cli/cli.h"
#include "cmd/each.h"
#include "model/instance.h"
#include "tracefs/state.h"

static bool is_instance(const struct tracer *t)
{
	return t->kind == TRACER_INSTANCE;
}

static int check(const struct tracer *t)
{
	if (is_instance(t))
		return FTM_OK;
	ftm_err("%s: belongs to the kernel; ftrace-mux disable switches it off", t->name);
	return FTM_FAIL;
}

static int del(const struct tracer *t)
{
	int ret = instance_remove(t->instance);

	if (!ret)
		remember_plugin(t->instance, NULL);
	return ret;
}

static const struct action action = {
	.done = "deleted", .suits = is_instance, .check = check, .fn = del,
};

static int cmd_del(int argc, char **argv)
{
	bool all = false;
	int c, ret;

	while ((c = opt_next(argc, argv)) >= 0)
		all = true;
	if (c == OPT_DONE)
		return opt_result;
	if (all && optind < argc)
		return ftm_usage("--all and names: only one of both");
	ret = opt_args(argc, all ? 0 : 1, -1);
	if (!ret)
		ret = cmd_start();
	return ret ? ret : each_tracer(argc, argv, all, &action);
}

static const struct ftm_opt opts[] = {
	{ OPT_ALL, "all", NULL, "all instances, also those that other programs made", NULL },
	OPTS_END
};

const struct ftm_cmd del_command = {
	.name = "del",
	.args = "NAME...",
	.comp = "@instance...",
	.help = "remove tracers made by add",
	.opts = opts,
	.examples =
		"ftrace-mux del opens\n"
		"ftrace-mux del 'test-*'\n",
	.run = cmd_del,
};
