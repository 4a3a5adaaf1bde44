// SPDX-License-Identifier: GPL-2.0
/* ftrace-mux show [NAME...]: what is in the buffers; it stays there. */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cli/cli.h"
#include "events/text.h"
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

struct shown {
	const struct tracer *t;
	json_t *held;		/* --json: an event waits for its stack trace */
	bool skip;		/* the last event was about this process */
};

static void let_go(struct shown *s)
{
	if (s->held)
		ftm_print_json(s->held);
	s->held = NULL;
}

static void add_stack(struct shown *s, const char *line)
{
	json_t *a = json_object_get(s->held, "stack");

	line += strspn(line, " =>");
	if (!a) {
		a = json_array();
		json_object_set_new(s->held, "stack", a);
	}
	json_array_append_new(a, json_string(line));
}

/* A line of the kernel in an unknown form is written as it is. */
static void hold(struct shown *s, const char *line, const struct text_event *e, bool known)
{
	let_go(s);
	if (known)
		s->held = text_json(e, s->t->name);
	else if (*line && *line != '#')
		s->held = json_pack("{s:s, s:s}", "tracer", s->t->name, "info", line);
}

/* Reading calls functions, too: what this process did before it was left out is not shown. */
static void print_line(struct shown *s, char *line)
{
	struct text_event e = { };
	bool known;

	line[strcspn(line, "\n")] = '\0';
	if (text_is_stack(line)) {
		if (!s->skip && !ftm.json)
			puts(line);
		else if (!s->skip && s->held)
			add_stack(s, line);
		return;
	}
	known = *line != '#' && text_parse(line, &e);
	s->skip = known && e.pid == getpid();
	if (!s->skip && ftm.json)
		hold(s, line, &e, known);
	else if (!s->skip)
		puts(line);
	text_free(&e);
}

static int show(const struct tracer *t, bool heading)
{
	char *dir = tracer_dir(t), *path, *line = NULL;
	struct shown s = { .t = t };
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
		print_line(&s, line);
	let_go(&s);
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
	for (; optind < argc; optind++)
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
	.examples =
		"ftrace-mux show opens\n"
		"ftrace-mux show --json opens files\n",
	.run = cmd_show,
};
