// SPDX-License-Identifier: GPL-2.0
/* ftrace-mux disable NAME...: the filters stay. */
#include <getopt.h>
#include <stdlib.h>
#include "cli/cli.h"
#include "cmd/each.h"
#include "model/instance.h"
#include "tracefs/state.h"
#include "tracefs/tfs.h"

/* Can this program switch it? */
static bool is_ours(const struct tracer *t)
{
	return t->kind != TRACER_OTHER && t->kind != TRACER_INTERNAL;
}

static bool can_be_off(const struct tracer *t)
{
	return t->on && is_ours(t);
}

static int check(const struct tracer *t)
{
	if (is_ours(t))
		return FTM_OK;
	ftm_err("%s: is switched on and off by its owner in the kernel", t->name);
	return FTM_FAIL;
}

static int disable(const struct tracer *t)
{
	int ret = FTM_OK;

	if (!t->on) {
		ftm_info("%s: is off already", t->name);
	} else if (tracer_has_buffer(t)) {
		char *dir = tracer_dir(t);

		ret = tfs_set(xasprintf("%s/current_tracer", dir), "nop");
		if (!ret)
			remember_plugin(t->instance ? t->instance : "trace", t->plugin);
		free(dir);
	} else if (t->kind == TRACER_PROFILE) {
		ret = tfs_set(tfs_path("function_profile_enabled"), "0");
	} else {
		ret = tfs_set(xstrdup("/proc/sys/kernel/stack_tracer_enabled"), "0");
	}
	return ret;
}

static const struct action action = {
	.done = "disabled", .suits = can_be_off, .check = check, .fn = disable,
};

static int cmd_disable(int argc, char **argv)
{
	int ret = opt_plain(argc, argv, 1, -1);

	if (ret >= 0)
		return ret;
	ret = cmd_start();
	return ret ? ret : each_tracer(argc, argv, false, &action);
}

const struct ftm_cmd disable_command = {
	.name = "disable",
	.args = "NAME...",
	.comp = "@tracer...",
	.help = "switch tracers off, keeping their filters",
	.opts = no_opts,
	.examples = "ftrace-mux disable opens files\n",
	.run = cmd_disable,
};
