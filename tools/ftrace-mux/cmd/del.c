// SPDX-License-Identifier: GPL-2.0
/* ftrace-mux del NAME...: remove instances. */
#include <getopt.h>
#include "cli/cli.h"
#include "model/instance.h"
#include "model/tracer.h"

static int del(const char *name)
{
	struct tracers ts;
	struct tracer *t;
	int ret = tracers_load(&ts);

	if (ret)
		return ret;
	t = tracers_find(&ts, name);
	if (!t) {
		ret = FTM_FAIL;
	} else if (t->kind != TRACER_INSTANCE) {
		ftm_err("%s: belongs to the kernel; ftrace-mux disable switches it off", name);
		ret = FTM_FAIL;
	} else {
		ret = instance_remove(t->instance);
		if (!ret)
			remember_plugin(t->instance, NULL);
	}
	tracers_free(&ts);
	return ret;
}

static int cmd_del(int argc, char **argv)
{
	int ret = opt_plain(argc, argv, 1, -1), one;

	if (ret >= 0)
		return ret;
	ret = cmd_start();
	if (ret)
		return ret;
	for (; optind < argc && !ftm_stop; optind++) {
		one = del(argv[optind]);
		ret = ret ? ret : one;
	}
	return ret;
}

const struct ftm_cmd del_command = {
	.name = "del",
	.args = "NAME...",
	.comp = "@instance...",
	.help = "remove tracers made by add",
	.opts = no_opts,
	.run = cmd_del,
};
