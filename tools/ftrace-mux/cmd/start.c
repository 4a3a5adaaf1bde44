// SPDX-License-Identifier: GPL-2.0
/* ftrace-mux start|stop|clear NAME...: the buffers of tracers. */
#include <getopt.h>
#include <stdlib.h>
#include "cli/cli.h"
#include "cmd/each.h"
#include "tracefs/tfs.h"

static int set(const struct tracer *t, const char *file, const char *value)
{
	char *dir = tracer_dir(t);
	int ret = FTM_FAIL;

	if (dir)
		ret = tfs_set(xasprintf("%s/%s", dir, file), value);
	else
		ftm_err("%s: has no buffer", t->name);
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

static int run(int argc, char **argv, int (*fn)(const struct tracer *t))
{
	int ret = opt_plain(argc, argv, 1, -1);

	if (ret >= 0)
		return ret;
	ret = cmd_start();
	return ret ? ret : each_tracer(argc, argv, false, tracer_has_buffer, fn);
}

static int cmd_start_writing(int argc, char **argv)
{
	return run(argc, argv, start);
}

static int cmd_stop(int argc, char **argv)
{
	return run(argc, argv, stop);
}

static int cmd_clear(int argc, char **argv)
{
	return run(argc, argv, clear);
}

const struct ftm_cmd start_command = {
	.name = "start",
	.args = "NAME...",
	.comp = "@tracer...",
	.help = "let tracers write to their buffers again",
	.opts = no_opts,
	.run = cmd_start_writing,
};

const struct ftm_cmd stop_command = {
	.name = "stop",
	.args = "NAME...",
	.comp = "@tracer...",
	.help = "stop writing; tracers stay on and buffers as they are",
	.opts = no_opts,
	.run = cmd_stop,
};

const struct ftm_cmd clear_command = {
	.name = "clear",
	.args = "NAME...",
	.comp = "@tracer...",
	.help = "empty the buffers of tracers",
	.opts = no_opts,
	.run = cmd_clear,
};
