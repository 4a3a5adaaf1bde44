// SPDX-License-Identifier: GPL-2.0
/* ftrace-mux disable NAME...: the filters stay. */
#include <getopt.h>
#include <stdlib.h>
#include "cli/cli.h"
#include "model/instance.h"
#include "model/tracer.h"
#include "tracefs/tfs.h"

static int disable(const char *name)
{
	struct tracers ts;
	struct tracer *t;
	int ret = tracers_load(&ts);

	if (ret)
		return ret;
	t = tracers_find(&ts, name);
	if (!t) {
		ret = FTM_FAIL;
	} else if (!t->on) {
		ftm_info("%s: is off already", name);
	} else if (tracer_has_buffer(t)) {
		char *dir = tracer_dir(t);

		ret = tfs_set(xasprintf("%s/current_tracer", dir), "nop");
		if (!ret)
			remember_plugin(t->instance ? t->instance : "trace", t->plugin);
		free(dir);
	} else if (t->kind == TRACER_PROFILE) {
		ret = tfs_set(tfs_path("function_profile_enabled"), "0");
	} else if (t->kind == TRACER_STACK) {
		ret = tfs_set(xstrdup("/proc/sys/kernel/stack_tracer_enabled"), "0");
	} else {
		ftm_err("%s: is switched on and off by its owner in the kernel", name);
		ret = FTM_FAIL;
	}
	tracers_free(&ts);
	return ret;
}

static int cmd_disable(int argc, char **argv)
{
	int ret = opt_plain(argc, argv, 1, -1), one;

	if (ret >= 0)
		return ret;
	ret = cmd_start();
	if (ret)
		return ret;
	for (; optind < argc && !ftm_stop; optind++) {
		one = disable(argv[optind]);
		ret = ret ? ret : one;
	}
	return ret;
}

const struct ftm_cmd disable_command = {
	.name = "disable",
	.args = "NAME...",
	.comp = "@tracer...",
	.help = "switch tracers off, keeping their filters",
	.opts = no_opts,
	.run = cmd_disable,
};
