// SPDX-License-Identifier: GPL-2.0
/*
 * ftrace-mux watch [NAME...]: events as they come.
 *
 * Reading a buffer takes the events out of it, as trace_pipe does.  Two
 * readers would each see a part, so a tracer is watched by one at a time.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "cli/cli.h"
#include "events/mux-names.h"
#include "events/stream.h"
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
};

/* The lock lives as long as the process. */
static int claim(const char *name)
{
	char *dir = xasprintf("%s/watch", state_dir()), *path = xasprintf("%s/%s", dir, name);
	char pid[32];
	ssize_t n;
	int fd, ret = FTM_OK;

	fd = -1;
	if (!state_make_dir() && (!mkdir(dir, 0755) || errno == EEXIST))
		fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0) {
		ret = tfs_fail("locking", path, errno);
	} else if (flock(fd, LOCK_EX | LOCK_NB)) {
		n = pread(fd, pid, sizeof(pid) - 1, 0);
		pid[n < 0 ? 0 : n] = '\0';
		ftm_err("%s: is watched already, by process %s; each would see only a part",
			name, *pid ? pid : "unknown");
		ret = FTM_FAIL;
	} else {
		n = snprintf(pid, sizeof(pid), "%d", (int)getpid());
		if (ftruncate(fd, 0) || pwrite(fd, pid, n, 0) != n)
			ftm_info("%s: %s", path, strerror(errno));
	}
	free(path);
	free(dir);
	return ret;
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
	if (f.pid == getpid())
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

/* Which tracers: those named, or all that are on. */
static int choose(int argc, char **argv, struct tracers *ts, struct tracer **chosen, size_t *n)
{
	size_t i;

	*n = 0;
	for (i = optind; i < (size_t)argc; i++) {
		struct tracer *t = tracers_find(ts, argv[i]);

		if (t && !tracer_has_buffer(t))
			ftm_err("%s: has no buffer to watch", t->name);
		else if (t)
			chosen[(*n)++] = t;
	}
	if (optind < argc && *n < (size_t)(argc - optind))
		return FTM_FAIL;
	for (i = 0; optind >= argc && i < ts->n; i++)
		if (ts->v[i].on && tracer_has_buffer(&ts->v[i]))
			chosen[(*n)++] = &ts->v[i];
	if (*n)
		return FTM_OK;
	ftm_err("no tracer is on; see ftrace-mux add, ftrace-mux enable");
	return FTM_FAIL;
}

static bool has_events(const char *dir)
{
	char *path = xasprintf("%s/set_event", dir), *first = tfs_read_line(path);
	bool res = first && *first;

	free(first);
	free(path);
	return res;
}

/* What is to come must not be about this process, and somebody must write it. */
static void prepare(const struct tracer *t, const char *dir)
{
	state_leave_out_self(dir);
	if (!t->tracing_on || (!t->on && !has_events(dir)))
		ftm_warn("%s: is %s, so nothing new will come; ftrace-mux enable %s switches it on",
			 t->name, tracer_state(t), t->name);
}

static int open_all(struct watch *w, struct tracer **chosen, size_t n)
{
	int ret = FTM_OK;
	size_t i;

	for (i = 0; !ret && i < n; i++) {
		ret = claim(chosen[i]->name);
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
	ret = choose(argc, argv, &ts, chosen, &n);
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

static int cmd_watch(int argc, char **argv)
{
	struct watch w = { .width = 8 };
	int c;

	while ((c = opt_next(argc, argv)) >= 0) {
		if (c == OPT_ONCE)
			w.once = true;
		else if (!parse_num(optarg, 1, 0x7fffffff, &w.left))
			return ftm_usage("--count %s: must be a positive number", optarg);
	}
	return c == OPT_DONE ? opt_result : run(&w, argc, argv);
}

static const struct ftm_opt opts[] = {
	{ OPT_ONCE, "once", NULL, "write what is in the buffers now, and end", NULL },
	{ 'c', "count", "N", "end after N events", NULL },
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
		"ftrace-mux watch --once opens\n",
	.run = cmd_watch,
};
