// SPDX-License-Identifier: GPL-2.0
/* ftrace-mux enable NAME... */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"
#include "model/instance.h"
#include "model/tracer.h"
#include "tracefs/tfs.h"

static int enable_buffer(const struct tracer *t, const char *plugin)
{
	char *dir = tracer_dir(t), *before = NULL;
	int ret = FTM_OK;

	if (!plugin)
		before = remembered_plugin(t->instance ? t->instance : "trace");
	if (!plugin)
		plugin = before;
	if (!plugin)
		plugin = "function";
	if (!plugin_ok(plugin))
		ret = FTM_NOKERNEL;
	else if (!t->on || strcmp(plugin, t->plugin))
		ret = tfs_set(xasprintf("%s/current_tracer", dir), plugin);
	if (!ret && !t->tracing_on)
		ret = tfs_set(xasprintf("%s/tracing_on", dir), "1");
	free(before);
	free(dir);
	return ret;
}

static int enable(const char *name, const char *plugin)
{
	struct tracers ts;
	struct tracer *t;
	int ret = tracers_load(&ts);

	if (ret)
		return ret;
	t = tracers_find(&ts, name);
	if (!t) {
		ret = FTM_FAIL;
	} else if (tracer_has_buffer(t)) {
		/* a latency tracer is running: it is not for us to replace it */
		if (t->on && !plugin)
			plugin = t->plugin;
		if (t->on && t->tracing_on && !strcmp(plugin, t->plugin))
			ftm_info("%s: is on already", name);
		else
			ret = enable_buffer(t, plugin);
	} else if (plugin) {
		ret = ftm_usage("%s: --plugin is for trace and instances", name);
	} else if (t->kind == TRACER_PROFILE) {
		ret = tfs_set(tfs_path("function_profile_enabled"), "1");
	} else if (t->kind == TRACER_STACK) {
		ret = tfs_set(xstrdup("/proc/sys/kernel/stack_tracer_enabled"), "1");
	} else {
		ftm_err("%s: is switched on and off by its owner in the kernel", name);
		ret = FTM_FAIL;
	}
	tracers_free(&ts);
	return ret;
}

static int cmd_enable(int argc, char **argv)
{
	const char *plugin = NULL;
	int c, ret, one;

	while ((c = opt_next(argc, argv)) >= 0)
		plugin = optarg;
	if (c == OPT_DONE)
		return opt_result;
	ret = plugin ? plugin_parse(plugin) : FTM_OK;
	if (!ret)
		ret = opt_args(argc, 1, -1);
	if (!ret)
		ret = cmd_start();
	if (ret)
		return ret;
	for (; optind < argc && !ftm_stop; optind++) {
		one = enable(argv[optind], plugin);
		ret = ret ? ret : one;
	}
	return ret;
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
	.run = cmd_enable,
};
