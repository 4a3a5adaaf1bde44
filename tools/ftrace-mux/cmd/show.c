// SPDX-License-Identifier: GPL-2.0
/* ftrace-mux show [NAME...]: what is in the buffers; it stays there. */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"
#include "model/tracer.h"
#include "term/term.h"
#include "tracefs/state.h"
#include "tracefs/tfs.h"

/*
 * The file has no end while the tracer writes, and reading it may call traced
 * functions.  So only the events of the start are shown; the heading has their
 * number.  A line that is not counted there belongs to the event before it.
 */
static bool is_past(const char *line, long *left)
{
	static const char key[] = "# entries-in-buffer/entries-written: ";

	if (!strncmp(line, key, sizeof(key) - 1))
		*left = atol(line + sizeof(key) - 1);
	if (*line == '#' || !strncmp(line, " =>", 3) || !strncmp(line, "CPU:", 4))
		return false;
	return *left != LONG_MAX && (*left)-- <= 0;
}

static void print_line(const struct tracer *t, char *line)
{
	line[strcspn(line, "\n")] = '\0';
	if (!ftm.json)
		puts(line);
	else if (*line && *line != '#')
		ftm_print_json(json_pack("{s:s, s:s}", "tracer", t->name, "line", line));
}

static int show(const struct tracer *t, bool heading)
{
	char *dir = tracer_dir(t), *path, *line = NULL;
	int ret = FTM_OK;
	long left = LONG_MAX;
	size_t size = 0;
	FILE *f;

	if (!dir) {
		ftm_err("%s: has no buffer", t->name);
		return FTM_FAIL;
	}
	if (t->tracing_on)
		state_leave_out_self(dir);
	path = xasprintf("%s/trace", dir);
	f = fopen(path, "re");
	if (f && heading && !ftm.json)
		printf("%s# %s:%s\n", clr("bold"), t->name, clr("off"));
	errno = 0;
	while (f && !ftm_stop && !ferror(stdout) && getline(&line, &size, f) > 0 &&
	       !is_past(line, &left))
		print_line(t, line);
	if (!f || (ferror(f) && !ftm_stop))
		ret = tfs_fail("reading", path, errno);
	if (f)
		fclose(f);
	free(line);
	free(path);
	free(dir);
	return ret;
}

static int show_all(const struct tracers *ts)
{
	size_t i, n = 0;
	int ret = FTM_OK;

	for (i = 0; i < ts->n; i++)
		n += ts->v[i].on && tracer_has_buffer(&ts->v[i]);
	if (!n) {
		ftm_err("no tracer is on; see ftrace-mux list");
		return FTM_FAIL;
	}
	for (i = 0; !ret && !ftm_stop && i < ts->n; i++)
		if (ts->v[i].on && tracer_has_buffer(&ts->v[i]))
			ret = show(&ts->v[i], n > 1);
	return ret;
}

static int cmd_show(int argc, char **argv)
{
	int ret = opt_plain(argc, argv, 0, -1), first = optind;
	struct tracers ts;
	struct tracer *t;

	if (ret >= 0)
		return ret;
	ret = cmd_start();
	if (!ret)
		ret = tracers_load(&ts);
	if (ret)
		return ret;
	for (; !ret && optind < argc; optind++)
		if (!tracers_find(&ts, argv[optind]))
			ret = FTM_FAIL;
	pager_start();
	if (!ret && first == argc)
		ret = show_all(&ts);
	for (optind = first; !ret && !ftm_stop && optind < argc; optind++) {
		t = tracers_find(&ts, argv[optind]);
		ret = show(t, argc - first > 1);
	}
	pager_end();
	tracers_free(&ts);
	return ret;
}

const struct ftm_cmd show_command = {
	.name = "show",
	.args = "[NAME...]",
	.comp = "@tracer...",
	.help = "write what is in the buffers, and leave it there",
	.opts = no_opts,
	.run = cmd_show,
};
