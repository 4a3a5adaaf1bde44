// SPDX-License-Identifier: GPL-2.0
/* The request that ftrace-mux record carries out: reading and checking it. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "model/event.h"
#include "model/below.h"
#include "model/filter.h"
#include "model/instance.h"
#include "model/name.h"
#include "recording/attach.h"
#include "recording/output.h"
#include "recording/recorder.h"
#include "recording/request.h"
#include "recording/tracer-options.h"
#include "tracefs/tfs.h"

#define CPU_WORDS	256	/* of 32 CPUs */

static int add_item(struct rec_tracer *t, const char *item)
{
	const char *value = strchr(item, '=');

	if (!strcmp(item, "stack")) {
		t->stack = true;
	} else if (!strcmp(item, "args")) {
		t->args = true;
	} else if (!strcmp(item, "retval")) {
		t->retval = true;
	} else if (!value) {
		strlist_add(&t->given, item);
	} else if (!strncmp(item, "plugin=", 7)) {
		free(t->plugin);
		t->plugin = xstrdup(value + 1);
		if (!plugin_valid(t->plugin))
			return ftm_usage("-t %s:%s: must be function or function_graph",
					 t->name, item);
	} else if (!strncmp(item, "notrace=", 8)) {
		return patterns_parse("notrace", value + 1, &t->given_not);
	} else if (!strncmp(item, "graph=", 6)) {
		return patterns_parse("graph", value + 1, &t->given_below);
	} else {
		return ftm_usage("-t %s:%s: must be a pattern, plugin=, notrace=, graph=, %s",
				 t->name, item, "stack, args or retval");
	}
	return FTM_OK;
}

/* NAME alone means all functions.  NAME: is an error: a variable that is not set. */
static int split_items(const char *spec, const char *text, struct strlist *items)
{
	strlist_split(items, text, ",");
	if (items->n)
		return FTM_OK;
	return ftm_usage("--tracer '%s': no pattern; '*' means all functions", spec);
}

int record_add_tracer(struct record *r, const char *spec)
{
	size_t len = strcspn(spec, ":"), i;
	struct strlist items = { };
	struct rec_tracer *t;
	int ret = FTM_OK;

	r->t = xrealloc(r->t, (r->n + 1) * sizeof(*t));
	t = &r->t[r->n++];
	memset(t, 0, sizeof(*t));
	t->name = xstrdup(spec);
	t->name[len] = '\0';
	if (spec[len])
		ret = split_items(spec, spec + len + 1, &items);
	for (i = 0; !ret && i < items.n; i++)
		ret = add_item(t, items.v[i]);
	strlist_free(&items);
	if (!t->given.n)
		strlist_add(&t->given, "*");
	return ret;
}

static void add_process(struct record *r, const char *pid, size_t threads)
{
	char *path = xasprintf("/proc/%s/comm", pid), *comm = tfs_read_line(path);
	char *text = xasprintf("%s (%s), %zu thread%s", pid, comm ? comm : "gone", threads,
			       threads == 1 ? "" : "s");

	strlist_add(&r->processes, text);
	free(text);
	free(comm);
	free(path);
}

/* Its threads: each is a task for ftrace. */
int record_add_pid(struct record *r, const char *pid)
{
	char *path = xasprintf("/proc/%s/task", pid);
	size_t before = r->pids.n;
	struct dirent *e;
	int ret = FTM_OK;
	long number;
	DIR *d = opendir(path);

	if (!parse_num(pid, 1, 4194304, &number)) {
		ret = ftm_usage("--pid %s: must be the number of a process", pid);
	} else if (!d) {
		ftm_err("--pid %s: no such process", pid);
		ret = FTM_FAIL;
	}
	while (d && (e = readdir(d)))
		if (*e->d_name != '.')
			strlist_add(&r->pids, e->d_name);
	if (d)
		closedir(d);
	if (!ret)
		add_process(r, pid, r->pids.n - before);
	free(path);
	return ret;
}

/* "0-2,5" becomes 27. */
int record_set_cpus(struct record *r, const char *list)
{
	unsigned int mask[CPU_WORDS] = { 0 };
	long most = sysconf(_SC_NPROCESSORS_CONF), a, b;
	const char *s = list;
	char *text = xstrdup("");
	int i;

	if (most > CPU_WORDS * 32)
		most = CPU_WORDS * 32;
	for (;;) {
		char *end;

		a = strtol(s, &end, 10);
		b = a;
		if (end != s && *end == '-') {
			s = end + 1;
			b = strtol(s, &end, 10);
		}
		if (end == s || (*end && *end != ',') || a < 0 || b < a || b >= most) {
			free(text);
			return ftm_usage("--cpus %s: must be CPUs from 0 to %ld, such as 0-2,5",
					 list, most - 1);
		}
		for (; a <= b; a++)
			mask[a / 32] |= 1U << (a % 32);
		if (!*end)
			break;
		s = end + 1;
	}
	for (i = (most - 1) / 32; i >= 0; i--) {
		char *more = xasprintf("%s%s%08x", text, *text ? "," : "", mask[i]);

		free(text);
		text = more;
	}
	free(r->cpus);
	r->cpus = text;
	return FTM_OK;
}

/* --graph is for the tracers of function_graph, graph= for one of them. */
static int check_below(const struct record *r, struct rec_tracer *t)
{
	bool graph = rec_tracer_is_graph(t);
	size_t k;

	if (t->given_below.n && !graph)
		return ftm_usage("-t %s: graph= needs plugin=function_graph", t->name);
	for (k = 0; graph && k < r->below.n; k++)
		strlist_add(&t->given_below, r->below.v[k]);
	return below_resolve(&t->given_below, &t->below);
}

/* Does this option change what some tracer records? */
static int check_graph(const struct record *r, const char *option)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		if (rec_tracer_is_graph(&r->t[i]))
			return FTM_OK;
	return ftm_usage("%s: no tracer has plugin function_graph", option);
}

/* Without a plugin of its own it has that of the recording, or the one that can do this. */
static void complete_tracer(const struct record *r, struct rec_tracer *t)
{
	bool graph = t->given_below.n || r->below.n || t->retval || r->retval;

	if (!t->plugin)
		t->plugin = xstrdup(below_plugin(r->plugin, graph));
	t->stack |= r->stack && !strcmp(t->plugin, "function");
	t->args |= r->args;
}

static int check_tracer(struct record *r, size_t nr)
{
	struct rec_tracer *t = &r->t[nr];
	int ret, no;
	size_t k;

	complete_tracer(r, t);
	if (!plugin_ok(t->plugin))
		return FTM_NOKERNEL;
	if (!tracer_name_ok(t->name))
		return FTM_USAGE;
	for (k = 0; k < nr; k++)
		if (!strcmp(t->name, r->t[k].name))
			return ftm_usage("-t %s: given twice", t->name);
	if (r->events.n && !strcmp(t->name, RECORD_EVENTS))
		return ftm_usage("-t %s: with -e this is the name of the events' buffer", t->name);
	ret = tracer_options_check(r, t);
	if (ret)
		return ret;
	if (instance_exists(t->name)) {
		ftm_err("%s: there is a tracer of this name already", t->name);
		return FTM_FAIL;
	}
	for (k = 0; k < r->notrace.n; k++)
		strlist_add(&t->given_not, r->notrace.v[k]);
	ret = patterns_resolve(&t->given, &t->patterns);
	no = patterns_resolve(&t->given_not, &t->notrace);
	ret = ret ? ret : no;
	no = check_below(r, t);
	return ret ? ret : no;
}

static int check_clock(const char *clock)
{
	char *path = tfs_path("trace_clock");
	char *text = tfs_read_line(path);
	struct strlist l = { };
	int ret = FTM_OK;

	strlist_split(&l, text ? text : "", " []");
	if (!strlist_has(&l, clock)) {
		char *known = strlist_join(&l, ", ");

		ret = ftm_usage("--clock %s: this kernel has %s", clock, known);
		free(known);
	}
	strlist_free(&l);
	free(text);
	free(path);
	return ret;
}

static int check_program(const char *name, const char *remedy)
{
	char *path = find_program(name);
	int ret = path ? FTM_OK : FTM_FAIL;

	if (!path)
		ftm_err("%s: %s", name, remedy);
	free(path);
	return ret;
}

/* The exit status of a shell: 127 for no such command, 126 for one that cannot be run. */
static int check_command(const char *name)
{
	bool there = strchr(name, '/') && !access(name, F_OK);
	char *path = find_program(name);

	if (path) {
		free(path);
		return FTM_OK;
	}
	ftm_err("%s: %s", name, there ? "is not executable" : "no such command");
	return there ? 126 : 127;
}

/* trace-cmd forgets the port after the first buffer, and connects for each. */
static int check_to(const struct record *r)
{
	const char *port = strrchr(r->to, ':');
	long n;

	if (!port || port == r->to || !parse_num(port + 1, 1, 65535, &n))
		return ftm_usage("--to %s: must be HOST:PORT, of trace-cmd listen -p PORT", r->to);
	if (r->output)
		return ftm_usage("--to: trace-cmd listen names the file, so not with --output");
	if (r->n > 1 || r->events.n)
		return ftm_usage("--to: trace-cmd sends one buffer, so one tracer and no --event");
	return FTM_OK;
}

static int check_output(struct record *r)
{
	if (r->to)
		return check_to(r);
	if (!r->output)
		r->output = RECORDING;
	return *r->output ? FTM_OK : ftm_usage("--output '': no file");
}

int record_check(struct record *r)
{
	int ret = check_output(r), one;
	size_t i;

	if (ret)
		return ret;
	if (r->follow && !r->command && !r->pids.n)
		return ftm_usage("--follow: needs a COMMAND or --pid");
	if (r->attach)
		ret = attach_check(r);
	for (i = 0; !r->attach && i < r->n; i++) {
		one = check_tracer(r, i);
		ret = ret ? ret : one;
	}
	if (!ret && r->below.n)
		ret = check_graph(r, "--graph");
	if (!ret && r->retval && !r->attach)
		ret = check_graph(r, "--retval");
	one = events_check(&r->events);
	ret = ret ? ret : one;
	if (!ret && r->clock)
		ret = check_clock(r->clock);
	if (!ret && !r->to)
		ret = output_check(r->output, r->force);
	if (ret || r->dry_run)
		return ret;
	ret = check_program("trace-cmd", "is not installed; apt-get install trace-cmd");
	if (!ret && r->command)
		ret = check_command(r->command[0]);
	return ret;
}

static void add_two(struct strlist *l, const char *option, const char *value)
{
	strlist_add(l, option);
	strlist_add(l, value);
}

/* Add the options of one buffer, which is an instance. */
static void buffer_argv(const struct record *r, const char *name, pid_t command,
			struct strlist *l)
{
	char num[32];
	size_t i;

	add_two(l, "-B", name);
	if (r->buffer_kb) {
		snprintf(num, sizeof(num), "%ld", r->buffer_kb);
		add_two(l, "-b", num);
	}
	if (r->clock)
		add_two(l, "-C", r->clock);
	if (r->cpus)
		add_two(l, "-M", r->cpus);
	for (i = 0; i < r->pids.n; i++)
		add_two(l, "-P", r->pids.v[i]);
	if (r->follow && r->command && !r->dry_run) {
		snprintf(num, sizeof(num), "%d", (int)command);
		add_two(l, "-P", num);
	}
	if (r->follow)
		strlist_add(l, "-c");
}

static void tracer_argv(const struct rec_tracer *t, struct strlist *l)
{
	size_t i;

	if (t->clock)
		add_two(l, "-C", t->clock);
	add_two(l, "-p", t->attached ? "nop" : t->plugin);
	for (i = 0; i < t->patterns.n; i++)
		if (t->patterns.n > 1 || strcmp(t->patterns.v[i], "*"))
			add_two(l, "-l", t->patterns.v[i]);
	for (i = 0; i < t->notrace.n; i++)
		add_two(l, "-n", t->notrace.v[i]);
}

/*
 * trace-cmd reads the formats of a thousand events, each twice, unless some event
 * is named.  After -v it is switched off: only its format is recorded.  Those of
 * the tracers are in each recording.  A -B after -v would remove an instance.
 */
static void one_format_argv(struct strlist *l)
{
	char *path = tfs_path("events/sched/sched_process_exit");

	if (tfs_exists(path))
		strlist_split(l, "-v -e sched:sched_process_exit", " ");
	free(path);
}

static bool has_events(const struct record *r)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		if (r->t[i].has_events)
			return true;
	return r->events.n;
}

void record_argv(const struct record *r, const char *output, pid_t command, struct strlist *l)
{
	size_t i;

	/*
	 * -k: the instances go away as a whole.  Without it trace-cmd empties
	 * their filters first, for which all functions are patched and back.
	 */
	strlist_split(l, "trace-cmd record -k", " ");
	if (ftm.verbose < 1)
		strlist_add(l, "-q");
	if (r->to)
		add_two(l, "-N", r->to);
	else
		add_two(l, "-o", output);
	if (!r->compress)
		add_two(l, "--compression", "none");
	if (r->follow && r->command && r->dry_run)
		strlist_add(l, "-F");
	for (i = 0; i < r->events.n; i++) {
		if (!i)
			buffer_argv(r, RECORD_EVENTS, command, l);
		add_two(l, "-e", r->events.v[i]);
	}
	for (i = 0; i < r->n; i++) {
		buffer_argv(r, r->t[i].name, command, l);
		tracer_argv(&r->t[i], l);
		if (r->dry_run)
			tracer_options_argv(&r->t[i], l);
		if (i + 1 == r->n && !has_events(r))
			one_format_argv(l);
	}
}

void record_free(struct record *r)
{
	size_t i;

	for (i = 0; i < r->n; i++) {
		struct rec_tracer *t = &r->t[i];

		free(t->name);
		free(t->plugin);
		free(t->clock);
		strlist_free(&t->given);
		strlist_free(&t->given_not);
		strlist_free(&t->given_below);
		strlist_free(&t->patterns);
		strlist_free(&t->notrace);
		strlist_free(&t->below);
	}
	free(r->t);
	free(r->cpus);
	strlist_free(&r->events);
	strlist_free(&r->notrace);
	strlist_free(&r->below);
	strlist_free(&r->pids);
	strlist_free(&r->processes);
	stand_in_free(&r->stand_ins);
}
