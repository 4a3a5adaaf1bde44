// SPDX-License-Identifier: GPL-2.0
/* ftrace-mux start|stop|clear NAME...: the buffers of tracers. */
#include <getopt.h>
#include <stdlib.h>
#include "cli/cli.h"
#include "cmd/each.h"
#include "tracefs/tfs.h"

static int check(const struct tracer *t)
{
	if (tracer_has_buffer(t))
		return FTM_OK;
	ftm_err("%s: has no buffer", t->name);
	return FTM_FAIL;
}

static int set(const struct tracer *t, const char *file, const char *value)
{
	char *dir = tracer_dir(t);
	int ret = tfs_set(xasprintf("%s/%s", dir, file), value);

	free(dir);
	return ret;
}

static int start(const struct tracer *t)
{
	if (!t->on)
		ftm_warn("%s: is off, so nothing is written; ftrace-mux enable %s switches it on",
			 t->name, t->name);
	return set(t, "tracing_on", "1");
}

static int stop(const struct tracer *t)
{
	return set(t, "tracing_on", "0");
}

/* The kernel empties a buffer whose file is truncated. */
static int clear(const struct tracer *t)
{
	return set(t, "trace", "");
}

static const struct action start_action = {
	.done = "started", .suits = tracer_has_buffer, .check = check, .fn = start,
};

static const struct action stop_action = {
	.done = "stopped", .suits = tracer_has_buffer, .check = check, .fn = stop,
};

static const struct action clear_action = {
	.done = "cleared", .suits = tracer_has_buffer, .check = check, .fn = clear,
};

static int run(int argc, char **argv, const struct action *a)
{
	int ret = opt_plain(argc, argv, 1, -1);

	if (ret >= 0)
		return ret;
	ret = cmd_start();
	return ret ? ret : each_tracer(argc, argv, false, a);
}

static int cmd_start_writing(int argc, char **argv)
{
	return run(argc, argv, &start_action);
}

static int cmd_stop(int argc, char **argv)
{
	return run(argc, argv, &stop_action);
}

static int cmd_clear(int argc, char **argv)
{
	return run(argc, argv, &clear_action);
}

const struct ftm_cmd start_command = {
	.name = "start",
	.args = "NAME...",
	.comp = "@tracer...",
	.help = "let tracers write to their buffers again",
	.opts = no_opts,
	.examples = "ftrace-mux start opens\n",
	.run = cmd_start_writing,
};

const struct ftm_cmd stop_command = {
	.name = "stop",
	.args = "NAME...",
	.comp = "@tracer...",
	.help = "stop writing; tracers stay on and buffers as they are",
	.opts = no_opts,
	.examples = "ftrace-mux stop opens\n",
	.run = cmd_stop,
};

const struct ftm_cmd clear_command = {
	.name = "clear",
	.args = "NAME...",
	.comp = "@tracer...",
	.help = "empty the buffers of tracers",
	.opts = no_opts,
	.examples = "ftrace-mux clear opens\n",
	.run = cmd_clear,
};
