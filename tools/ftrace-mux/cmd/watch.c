// SPDX-License-Identifier: GPL-2.0
/*
 * ftrace-mux watch [NAME...]: events as they come.
 *
 * Reading a buffer takes the events out of it, as trace_pipe does.  Two
 * readers would each see a part, so a tracer is watched by one at a time.
 */
#include <fnmatch.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cli/cli.h"
#include "events/claim.h"
#include "events/mux-names.h"
#include "events/stream.h"
#include "model/filter.h"
#include "model/tracer.h"
#include "tracefs/state.h"
#include "tracefs/tfs.h"

#define ROUND_USEC	100000

struct watch {
	struct stream *stream;
	int width;		/* of the tracers' names */
	long left;		/* events until the end; 0: no end */
	long shown, lost;
	bool once, lost_unknown, failed;
	struct strlist functions, processes;	/* only these; empty: all */
};

static bool fits(const struct strlist *patterns, const char *text)
{
	size_t i;

	for (i = 0; text && i < patterns->n; i++)
		if (!fnmatch(patterns->v[i], text, 0))
			return true;
	return false;
}

static bool wanted(const struct watch *w, const struct func_event *f)
{
	struct tep_handle *tep = stream_tep(w->stream);
	char pid[16];

	snprintf(pid, sizeof(pid), "%d", f->pid);
	if (w->processes.n && !fits(&w->processes, f->task) && !fits(&w->processes, pid))
		return false;
	return !w->functions.n ||
	       (f->call.ip && fits(&w->functions, tep_find_function(tep, f->call.ip)));
}

static void print_lost(struct watch *w, const struct stream_event *e)
{
	if (e->lost > 0)
		w->lost += e->lost;
	else
		w->lost_unknown = true;
	if (ftm.json)
		ftm_print_json(json_pack("{s:s, s:i, s:o}", "tracer", e->tracer, "cpu", e->cpu,
					 "lost", e->lost > 0 ? json_integer(e->lost) :
					 json_null()));
	else if (e->lost > 0)
		printf("%-*s [%03d] %s--- %ld events lost ---%s\n", w->width, e->tracer, e->cpu,
		       clr("yellow"), e->lost, clr("off"));
	else
		printf("%-*s [%03d] %s--- events lost ---%s\n", w->width, e->tracer, e->cpu,
		       clr("yellow"), clr("off"));
}

static void print_json(struct watch *w, const struct stream_event *e,
		       const struct func_event *f, const char *info)
{
	struct tep_handle *tep = stream_tep(w->stream);
	json_t *j = json_pack("{s:s, s:i, s:I, s:s, s:i, s:s}", "tracer", e->tracer,
			      "cpu", e->cpu, "ts_ns", (json_int_t)e->record->ts,
			      "task", f->task, "pid", f->pid, "event", e->event->name);
	const char *name;

	if (f->call.ip) {
		name = tep_find_function(tep, f->call.ip);
		json_object_set_new(j, "function", name ? json_string(name) : json_null());
	}
	if (f->call.parent) {
		name = tep_find_function(tep, f->call.parent);
		json_object_set_new(j, "parent", name ? json_string(name) : json_null());
	}
	if (f->call.took)
		json_object_set_new(j, "took_ns", json_integer(f->call.took));
	if (!f->call.ip)
		json_object_set_new(j, "info", json_string(info));
	ftm_print_json(j);
}

static void print_text(struct watch *w, const struct stream_event *e,
		       const struct func_event *f, const char *info)
{
	struct tep_handle *tep = stream_tep(w->stream);
	unsigned long long us = (e->record->ts + 500) / 1000;
	const char *name = f->call.ip ? tep_find_function(tep, f->call.ip) : NULL;
	const char *parent = f->call.parent ? tep_find_function(tep, f->call.parent) : NULL;

	printf("%s%-*s%s [%03d] %16s-%-7d %6llu.%06llu: ", clr("bold"), w->width, e->tracer,
	       clr("off"), e->cpu, f->task, f->pid, us / 1000000, us % 1000000);
	if (name && parent)
		printf("%s <-%s\n", name, parent);
	else if (name && f->call.took)
		printf("%s() returns after %llu.%03llu us\n", name, f->call.took / 1000,
		       f->call.took % 1000);
	else if (name)
		printf("%s()\n", name);
	else if (f->call.ip)
		printf("0x%llx <-0x%llx\n", f->call.ip, f->call.parent);
	else
		printf("%s: %s\n", e->event->name, info);
}

static bool show(const struct stream_event *e, void *arg)
{
	struct watch *w = arg;
	struct func_event f;
	struct trace_seq seq;
	bool more = true;

	if (e->lost)
		print_lost(w, e);
	if (!e->event)
		return true;
	trace_seq_init(&seq);
	stream_decode(w->stream, e, &f);
	/* from before it was left out, or with --once, which changes nothing */
	if (f.pid == getpid() || !wanted(w, &f))
		goto out;
	if (!f.call.ip)
		tep_print_event(stream_tep(w->stream), &seq, e->record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&seq);
	seq.buffer[strcspn(seq.buffer, "\n")] = '\0';
	if (ftm.json)
		print_json(w, e, &f, seq.buffer);
	else
		print_text(w, e, &f, seq.buffer);
	w->shown++;
	/* a full disk, or nobody reads the output */
	if (ferror(stdout))
		w->failed = true;
	more = !w->failed && (!w->left || --w->left);
out:
	trace_seq_destroy(&seq);
	return more;
}

/* Leaves this process out of the events to come; a warning if none will come. */
static void prepare(const struct tracer *t, const char *dir)
{
	state_leave_out_self(dir);
	if (!t->tracing_on || (!t->on && !tracer_has_events(dir)))
		ftm_warn("%s: is %s, so nothing new will come; ftrace-mux enable %s switches it on",
			 t->name, tracer_state(t), t->name);
}

static int open_all(struct watch *w, struct tracer **chosen, size_t n)
{
	int ret = FTM_OK;
	size_t i;

	for (i = 0; !ret && i < n; i++) {
		ret = stream_claim(chosen[i]->name);
		if ((int)strlen(chosen[i]->name) > w->width)
			w->width = strlen(chosen[i]->name);
	}
	if (!ret) {
		w->stream = stream_new();
		ret = w->stream ? FTM_OK : FTM_FAIL;
	}
	for (i = 0; !ret && i < n; i++) {
		char *dir = tracer_dir(chosen[i]);

		if (!w->once)
			prepare(chosen[i], dir);
		ret = stream_add(w->stream, chosen[i]->name, dir);
		free(dir);
	}
	return ret;
}

static void loop(struct watch *w)
{
	/* what is in the buffers now, then what comes */
	while (!ftm_stop) {
		long n = stream_read(w->stream, show, w, w->once);

		if (fflush(stdout))
			w->failed = true;
		if (n < 0 || w->failed || w->once)
			break;
		if (!n)
			usleep(ROUND_USEC);
	}
}

static int run(struct watch *w, int argc, char **argv)
{
	struct tracer **chosen;
	struct tracers ts;
	size_t n;
	int ret = cmd_start();

	if (!ret)
		ret = tracers_load(&ts);
	if (ret)
		return ret;
	chosen = xcalloc(ts.n + argc, sizeof(*chosen));
	ret = stream_choose(&ts, argv + optind, argc - optind, chosen, &n);
	if (!ret)
		ret = open_all(w, chosen, n);
	free(chosen);
	tracers_free(&ts);
	if (!ret) {
		mux_names_to_plugin();
		loop(w);
		if (w->lost || w->lost_unknown)
			ftm_warn("%s%ld events lost; a larger buffer holds more (add --buffer)",
				 w->lost_unknown ? "more than " : "", w->lost);
	}
	if (w->stream)
		stream_free(w->stream);
	return ret;
}

/* A task's name may have blanks and commas. */
static int add_process(struct watch *w, const char *process)
{
	if (!*process)
		return ftm_usage("--process '': no process; without the option all are shown");
	strlist_add(&w->processes, process);
	return FTM_OK;
}

static int parse(int argc, char **argv, struct watch *w)
{
	int c;

	while ((c = opt_next(argc, argv)) >= 0) {
		int ret = FTM_OK;

		if (c == OPT_ONCE)
			w->once = true;
		else if (c == OPT_FUNCTION)
			ret = patterns_parse("--function", optarg, &w->functions);
		else if (c == OPT_PROCESS)
			ret = add_process(w, optarg);
		else if (!parse_num(optarg, 1, 0x7fffffff, &w->left))
			ret = ftm_usage("--count %s: must be a positive number", optarg);
		if (ret)
			return ret;
	}
	return c == OPT_DONE ? opt_result ? opt_result : -1 : FTM_OK;
}

static int cmd_watch(int argc, char **argv)
{
	struct watch w = { .width = 8 };
	int ret = parse(argc, argv, &w);

	if (!ret)
		ret = run(&w, argc, argv);
	strlist_free(&w.functions);
	strlist_free(&w.processes);
	return ret < 0 ? FTM_OK : ret;
}

static const struct ftm_opt opts[] = {
	{ OPT_ONCE, "once", NULL, "write what is in the buffers now, and end", NULL },
	{ 'c', "count", "N", "end after N events", NULL },
	{ OPT_FUNCTION, "function", "PATTERN", "only calls of these functions; may be repeated",
	  "@function" },
	{ OPT_PROCESS, "process", "NAME|PID",
	  "only events of these processes, by name, pattern or PID; may be repeated", "@pid" },
	OPTS_END
};

const struct ftm_cmd watch_command = {
	.name = "watch",
	.args = "[NAME...]",
	.comp = "@tracer...",
	.help = "live: the events of tracers in order of time",
	.opts = opts,
	.examples =
		"ftrace-mux watch\n"
		"ftrace-mux watch --process cat --function 'vfs_*'\n"
		"ftrace-mux watch --once opens\n",
	.run = cmd_watch,
};
