// SPDX-License-Identifier: GPL-2.0
/* ftrace-mux enable NAME... */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"
#include "cli/values.h"
#include "cmd/each.h"
#include "model/instance.h"
#include "tracefs/state.h"
#include "tracefs/tfs.h"

static const char *plugin;	/* as given */

static int enable_buffer(const struct tracer *t, const char *want)
{
	char *dir = tracer_dir(t), *before = NULL;
	int ret = FTM_OK;

	if (!want)
		before = remembered_plugin(t->instance ? t->instance : "trace");
	if (!want)
		want = before;
	if (!want)
		want = "function";
	if (!plugin_ok(want))
		ret = FTM_NOKERNEL;
	else if (!t->on || strcmp(want, t->plugin))
		ret = tfs_set(xasprintf("%s/current_tracer", dir), want);
	if (!ret && !t->tracing_on)
		ret = tfs_set(xasprintf("%s/tracing_on", dir), "1");
	free(before);
	free(dir);
	return ret;
}

static bool can_be_on(const struct tracer *t)
{
	return t->kind != TRACER_OTHER && t->kind != TRACER_INTERNAL;
}

static int check(const struct tracer *t)
{
	if (!can_be_on(t)) {
		ftm_err("%s: is switched on and off by its owner in the kernel", t->name);
		return FTM_FAIL;
	}
	if (plugin && !tracer_has_buffer(t))
		return ftm_usage("%s: --plugin is for trace and instances", t->name);
	return FTM_OK;
}

static int enable(const struct tracer *t)
{
	/* a latency tracer is running: it is not for us to replace it */
	const char *want = t->on && !plugin ? t->plugin : plugin;
	int ret = FTM_OK;

	if (tracer_has_buffer(t)) {
		if (t->on && t->tracing_on && !strcmp(want, t->plugin))
			ftm_info("%s: is on already", t->name);
		else
			ret = enable_buffer(t, want);
	} else if (t->kind == TRACER_PROFILE) {
		ret = tfs_set(tfs_path("function_profile_enabled"), "1");
	} else {
		ret = tfs_set(xstrdup("/proc/sys/kernel/stack_tracer_enabled"), "1");
	}
	return ret;
}

static const struct action action = {
	.done = "enabled", .suits = can_be_on, .check = check, .fn = enable,
};

static int cmd_enable(int argc, char **argv)
{
	int c, ret;

	while ((c = opt_next(argc, argv)) >= 0)
		plugin = optarg;
	if (c == OPT_DONE)
		return opt_result;
	ret = plugin ? plugin_parse(plugin) : FTM_OK;
	if (!ret)
		ret = opt_args(argc, 1, -1);
	if (!ret)
		ret = cmd_start();
	return ret ? ret : each_tracer(argc, argv, false, &action);
}

static const struct ftm_opt opts[] = {
	{ 'p', "plugin", "PLUGIN", "function or function_graph (default: as before)", "@plugin" },
	OPTS_END
};

const struct ftm_cmd enable_command = {
	.name = "enable",
	.args = "NAME...",
	.comp = "@tracer...",
	.help = "switch tracers on",
	.opts = opts,
	.examples =
		"ftrace-mux enable opens\n"
		"ftrace-mux enable opens -p function_graph\n",
	.run = cmd_enable,
};
