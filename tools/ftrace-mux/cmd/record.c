// SPDX-License-Identifier: GPL-2.0
/*
 * ftrace-mux record: several tracers in one recording through trace-cmd.
 *
 * The instances are made here, so that they have our names from the start, and
 * are removed also when trace-cmd fails.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cli/cli.h"
#include "cli/values.h"
#include "model/default.h"
#include "model/filter.h"
#include "model/instance.h"
#include "recording/attach.h"
#include "recording/depth.h"
#include "recording/output.h"
#include "recording/recorder.h"
#include "recording/request.h"
#include "recording/result.h"
#include "recording/tracer-options.h"
#include "term/term.h"
#include "tracefs/state.h"
#include "tracefs/tfs.h"

#define MAX_SECONDS	(366 * 24 * 3600)

static int parse_count(const char *option, const char *s, long max, long *res)
{
	if (parse_num(s, 1, max, res))
		return FTM_OK;
	return ftm_usage("--%s %s: must be a number from 1 to %ld", option, s, max);
}

static int option(int c, struct record *r)
{
	switch (c) {
	case 't':
		return record_add_tracer(r, optarg);
	case OPT_ATTACH:
		attach_add(r, optarg);
		break;
	case 'o':
		r->output = optarg;
		break;
	case 'p':
		r->plugin = optarg;
		return plugin_parse(optarg);
	case 'n':
		return patterns_parse("--notrace", optarg, &r->notrace);
	case 'e':
		strlist_add(&r->events, optarg);
		break;
	case OPT_PID:
		return record_add_pid(r, optarg);
	case OPT_FOLLOW:
		r->follow = true;
		break;
	case OPT_STACK:
		r->stack = true;
		break;
	case OPT_ARGS:
		r->args = true;
		break;
	case OPT_RETVAL:
		r->retval = true;
		break;
	case OPT_CLOCK:
		r->clock = optarg;
		break;
	case OPT_DEPTH:
		return parse_count("depth", optarg, 100, &r->depth);
	case OPT_GRAPH:
		return patterns_parse("--graph", optarg, &r->below);
	case OPT_CPUS:
		return record_set_cpus(r, optarg);
	case OPT_DURATION:
		return parse_seconds("--duration", optarg, 0.001, MAX_SECONDS, &r->seconds);
	case OPT_BUFFER:
		return parse_buffer(optarg, &r->buffer_kb);
	case OPT_FORCE:
		r->force = true;
		break;
	case OPT_TO:
		r->to = optarg;
		break;
	case OPT_COMPRESS:
		r->compress = true;
		break;
	case OPT_DRY_RUN:
		r->dry_run = true;
		break;
	}
	return FTM_OK;
}

static int parse(int argc, char **argv, struct record *r)
{
	int c, ret = FTM_OK;

	while (!ret && (c = opt_next(argc, argv)) >= 0)
		ret = option(c, r);
	if (ret)
		return ret;
	if (c == OPT_DONE)
		return opt_result ? opt_result : -1;
	if (optind < argc)
		r->command = argv + optind;
	return r->n ? FTM_OK : record_add_tracer(r, "all");
}

static void print_word(const char *s)
{
	if (*s && !strpbrk(s, " \t\n\"'\\$`*?[](){}<>|&;!#~")) {
		fputs(s, stdout);
		return;
	}
	putchar('\'');
	for (; *s; s++)
		fputs(*s == '\'' ? "'\\''" : (char[]){ *s, 0 }, stdout);
	putchar('\'');
}

static void say_below(const struct record *r)
{
	size_t i;

	for (i = 0; i < r->n; i++) {
		char *path = tfs_path("instances/%s/set_graph_function", r->t[i].name);
		char *functions = strlist_join(&r->t[i].below, " ");

		if (r->t[i].below.n)
			printf("%s <- %s\n", path, functions);
		free(functions);
		free(path);
	}
}

/* What does the same by hand. */
static void dry_run(const struct record *r)
{
	struct strlist words = { };
	size_t i;

	record_argv(r, r->output, 0, &words);
	for (i = 0; r->command && r->command[i]; i++)
		strlist_add(&words, r->command[i]);
	if (ftm.json) {
		json_t *a = json_array();

		for (i = 0; i < words.n; i++)
			json_array_append_new(a, json_string(words.v[i]));
		ftm_print_json(json_pack("{s:o}", "command", a));
	} else {
		depth_say(r);
		say_below(r);
		stand_in_say(&r->stand_ins);
		for (i = 0; i < words.n; i++) {
			fputs(i ? " " : "", stdout);
			print_word(words.v[i]);
		}
		putchar('\n');
	}
	strlist_free(&words);
}

static int make_instances(const struct record *r)
{
	struct setup s = { .name = RECORD_EVENTS, .buffer_kb = r->buffer_kb };
	int ret = FTM_OK;
	size_t i;

	if (r->events.n)
		ret = instance_create(&s);
	for (i = 0; !ret && !r->attach && i < r->n; i++) {
		s.name = r->t[i].name;
		s.below = r->t[i].below;
		ret = instance_create(&s);
	}
	for (i = 0; !ret && i < r->stand_ins.names.n; i++) {
		s.name = r->stand_ins.names.v[i];
		s.buffer_kb = 1;	/* nothing is recorded there */
		ret = instance_create(&s);
	}
	return ret;
}

static int set_instance(const char *name, const char *file, const char *value)
{
	return tfs_set(tfs_path("instances/%s/%s", name, file), value);
}

/* While COMMAND waits: sets what trace-cmd cannot set in an instance of each kernel. */
static int set_rest(const struct record *r, const struct tracer_options *before)
{
	int ret = tracer_options_set(r, before);

	return ret ? ret : depth_set(r);
}

static void stop_tracers(const struct record *r)
{
	size_t i;

	for (i = 0; !r->attach && i < r->n; i++)
		set_instance(r->t[i].name, "tracing_on", "0");
	if (r->events.n)
		set_instance(RECORD_EVENTS, "tracing_on", "0");
}

/* From here on until the recording is complete or given up. */
static int record_to(const struct record *r, struct output *out, struct command *c)
{
	char *top_path = tfs_path("max_graph_depth");
	char *depth = depth_is_shared(r) ? tfs_read_line(top_path) : NULL;
	struct tracer_options before;
	struct strlist argv = { };
	struct recorder rec;
	int ret, code = 0;

	tracer_options_note(&before);
	record_argv(r, out->tmp, c->pid, &argv);
	recorder_shell(&argv, depth ? depth : "", top_path);
	progress_begin("starting the tracers");
	ret = recorder_start(&rec, &argv, &r->stand_ins);
	if (!ret) {
		ret = set_rest(r, &before);
		progress_end();
		if (!ret) {
			if (!r->command && ftm.verbose >= 0 && isatty(STDERR_FILENO))
				fputs("recording; Ctrl-C ends it\n", stderr);
			command_go(c);
			record_wait(&rec, c, r->seconds);
		}
		progress_begin("writing %s", record_place(r));
		stop_tracers(r);
		code = recorder_stop(&rec);
	}
	progress_end();
	if (!ret && (code || (!r->to && !is_recording(out->tmp)))) {
		ftm_err("%s: trace-cmd ended with status %d and wrote no complete recording",
			record_place(r), code);
		ret = FTM_FAIL;
	}
	strlist_free(&argv);
	free(top_path);
	free(depth);
	tracer_options_free(&before);
	return ret;
}

static void name_processes(const struct record *r)
{
	char *list = strlist_join(&r->processes, "; ");

	if (r->processes.n)
		ftm_note("recording process %s; %s", list, r->follow ?
			 "and those that they start" : "--follow records new threads, too");
	free(list);
}

static int run_recording(const struct record *r)
{
	struct output out = { };
	struct command c = { };
	char *dflt = default_get();
	json_t *tracers = NULL;
	int ret = r->to ? FTM_OK : output_open(&out, r->output);

	if (!ret)
		ret = make_instances(r);
	if (!ret && r->command)
		ret = command_make(&c, r->command);
	if (!ret)
		ret = record_to(r, &out, &c);
	if (!ret && !r->to)
		ret = output_commit(&out);
	if (!ret)
		tracers = record_result(r);
	output_drop(&out);
	/* now, not after COMMAND, which may run on */
	progress_begin("removing the tracers");
	state_cleanup();
	progress_end();
	default_put_back(dflt);
	free(dflt);
	if (ret)
		command_cancel(&c);
	else
		command_wait(&c);
	if (tracers && ftm.json)
		ftm_print_json(json_pack("{s:s, s:O, s:i}", r->to ? "to" : "file", record_place(r),
					 "tracers", tracers, "status", c.status));
	json_decref(tracers);
	return ret ? ret : c.status;
}

static int run(struct record *r)
{
	int ret = cmd_start();

	if (!ret)
		ret = record_check(r);
	if (ret)
		return ret;
	if (!r->dry_run) {
		name_processes(r);
		return run_recording(r);
	}
	dry_run(r);
	return FTM_OK;
}

static int cmd_record(int argc, char **argv)
{
	struct record r = { };
	int ret = parse(argc, argv, &r);

	if (!ret)
		ret = run(&r);
	record_free(&r);
	return ret < 0 ? FTM_OK : ret;
}

static const struct ftm_opt opts[] = {
	{ 't', "tracer", "NAME[:PATTERN[,PATTERN...]]",
	  "a tracer; may be repeated; NAME alone: all functions (default: one named all)",
	  "@spec" },
	{ OPT_ATTACH, "attach", "NAME",
	  "record from this tracer, which runs already and stays as it is; may be repeated",
	  "@instance" },
	{ 'o', "output", "FILE", "write to FILE instead of trace.dat", "@file" },
	{ OPT_TO, "to", "HOST:PORT", "send it to trace-cmd listen; one tracer only", NULL },
	{ OPT_FORCE, "force", NULL, "replace FILE even if it is not a recording", NULL },
	{ 'p', "plugin", "PLUGIN", "function (default) or function_graph", "@plugin" },
	{ 'n', "notrace", "PATTERN", "leave out what matches; may be repeated", "@function" },
	{ OPT_PID, "pid", "PID",
	  "record only this process: the threads that it has now; may be repeated", "@pid" },
	{ OPT_FOLLOW, "follow", NULL,
	  "record only COMMAND (or --pid), and the threads and children that it starts", NULL },
	{ OPT_STACK, "stack", NULL, "a stack trace with each call (plugin function)", NULL },
	{ OPT_ARGS, "args", NULL, "the arguments of each call, where the kernel can record them",
	  NULL },
	{ OPT_RETVAL, "retval", NULL, "function_graph: what each call returned", NULL },
	{ OPT_GRAPH, "graph", "FUNCTION",
	  "function_graph: only this function and what is below it; may be repeated",
	  "@function" },
	{ OPT_DEPTH, "depth", "N", "function_graph: N levels of calls at most", NULL },
	{ OPT_CPUS, "cpus", "LIST", "record these CPUs only, e.g. 0-2,5", NULL },
	{ OPT_CLOCK, "clock", "CLOCK", "the trace clock, e.g. mono",
	  "local global counter uptime perf mono mono_raw boot tai x86-tsc" },
	{ OPT_DURATION, "duration", "SECONDS", "end the recording after SECONDS", NULL },
	{ 'e', "event", "EVENT", "record this event too, in a buffer 'events'",
	  "@event" },
	{ OPT_BUFFER, "buffer", "SIZE", "buffer per CPU and tracer, e.g. 512k or 4M", NULL },
	{ OPT_COMPRESS, "compress", NULL, "write a smaller FILE, which takes longer", NULL },
	{ OPT_DRY_RUN, "dry-run", NULL, "show the trace-cmd command, run nothing", NULL },
	OPTS_END
};

const struct ftm_cmd record_command = {
	.name = "record",
	.args = "[COMMAND [ARG...]]",
	.comp = "@program @file...",
	.help = "record with several tracers at once through trace-cmd",
	.opts = opts,
	.examples =
		"ftrace-mux record -t opens:vfs_open -t reads:vfs_read,plugin=function_graph -- ls -l\n"
		"ftrace-mux record -t opens:vfs_open,stack --follow -- ls -l\n"
		"ftrace-mux record -t all:'vfs_*' --duration 10\n"
		"ftrace-mux record --retval -t opens:do_sys_openat2 -- ls -l\n"
		"ftrace-mux record --attach opens --duration 10\n"
		"ftrace-mux record -t opens:vfs_open --to collector:5678 --duration 10\n",
	.run = cmd_record,
	.wraps = true,
};
