// SPDX-License-Identifier: GPL-2.0
/*
 * The tracers of this kernel.
 *
 * A multiplexing kernel names those that are registered in function_tracers
 * and gives each a directory tracers/NAME.  Instances that trace no functions
 * at the moment, and everything on a stock kernel, are found where they are
 * switched on and off.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include "model/name.h"
#include "model/tracer.h"
#include "tracefs/funcs.h"
#include "tracefs/mux.h"
#include "tracefs/tfs.h"

#define STACK_SYSCTL	"/proc/sys/kernel/stack_tracer_enabled"

static struct tracer *add(struct tracers *ts, const char *name, enum tracer_kind kind)
{
	struct tracer *t;

	ts->v = xrealloc(ts->v, (ts->n + 1) * sizeof(*t));
	t = &ts->v[ts->n++];
	memset(t, 0, sizeof(*t));
	t->name = xstrdup(name);
	t->base = kind == TRACER_INSTANCE ? tracer_name_in_kernel(name) : xstrdup(name);
	t->kind = kind;
	t->tracing_on = -1;
	t->id = ID_NONE;
	t->functions = -1;
	return t;
}

static bool traces_functions(const char *plugin)
{
	static const char *const others[] = {
		"nop", "blk", "hwlat", "osnoise", "timerlat", "mmiotrace", "branch",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(others); i++)
		if (!strcmp(plugin, others[i]))
			return false;
	return true;
}

/* The name a tracer of the top level has while @plugin is its tracer. */
static const char *top_name(const char *plugin)
{
	if (!strcmp(plugin, "function") || !traces_functions(plugin))
		return "trace";
	if (!strcmp(plugin, "function_graph"))
		return "trace_graph";
	return plugin;
}

static char *read_file(const char *fmt, const char *arg)
{
	char *rel = xasprintf(fmt, arg);
	char *path = tfs_path("%s", rel);
	char *s = tfs_read_line(path);

	free(path);
	free(rel);
	return s;
}

static bool read_flag(const char *fmt, const char *arg)
{
	char *s = read_file(fmt, arg);
	bool res = s && *s == '1';

	free(s);
	return res;
}

static void add_top(struct tracers *ts)
{
	char *plugin = read_file("%s", "current_tracer");
	char *path = tfs_path("function_profile_enabled");
	struct tracer *t = add(ts, top_name(plugin ? plugin : "nop"), TRACER_TOP);

	t->plugin = plugin ? plugin : xstrdup("nop");
	t->on = traces_functions(t->plugin);
	t->tracing_on = read_flag("%s", "tracing_on");
	if (tfs_exists(path)) {
		t = add(ts, "trace_profile", TRACER_PROFILE);
		t->on = read_flag("%s", "function_profile_enabled");
	}
	free(path);
	path = tfs_path("stack_trace_filter");
	if (tfs_exists(path)) {
		t = add(ts, "trace_stack", TRACER_STACK);
		t->on = tfs_read_long(STACK_SYSCTL, 0) > 0;
	}
	free(path);
}

/* t2 before t10 */
static int by_number(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

static int add_instances(struct tracers *ts)
{
	struct strlist names = { };
	char **list;
	size_t i;

	errno = 0;
	list = tracefs_instances(NULL);
	if (!list && errno)
		return -1;
	for (i = 0; list && list[i]; i++)
		strlist_add(&names, list[i]);
	tracefs_list_free(list);
	if (names.n)
		qsort(names.v, names.n, sizeof(*names.v), by_number);
	for (i = 0; i < names.n; i++) {
		char *plugin = read_file("instances/%s/current_tracer", names.v[i]);
		struct tracer *t;

		if (!plugin)	/* it has just gone, or is no instance */
			continue;
		t = add(ts, names.v[i], TRACER_INSTANCE);
		t->instance = xstrdup(names.v[i]);
		t->plugin = plugin;
		t->on = traces_functions(plugin);
		t->tracing_on = read_flag("instances/%s/tracing_on", names.v[i]);
	}
	strlist_free(&names);
	return 0;
}

/*
 * The tracer with the name @name.  Names are looked up longest first: where instances
 * "trace" and "trace-2" exist, "trace-2-2" can only be the latter, and
 * "trace-2" is then left for the former.
 */
static struct tracer *match_name(struct tracers *ts, size_t nr_known, const char *name,
				 const bool *claimed)
{
	struct tracer *best = NULL;
	size_t i;

	for (i = 0; i < nr_known; i++) {
		struct tracer *t = &ts->v[i];

		if (claimed[i] || !t->on)
			continue;
		if (!strcmp(t->base, name))
			return t;
		if (t->kind == TRACER_INSTANCE && tracer_name_is_renamed(name, t->base) &&
		    (!best || strlen(t->base) > strlen(best->base)))
			best = t;
	}
	return best;
}

static int longer_first(const void *a, const void *b)
{
	size_t la = strlen(*(char *const *)a), lb = strlen(*(char *const *)b);

	return la < lb ? 1 : la > lb ? -1 : strcmp(*(char *const *)a, *(char *const *)b);
}

static void read_mux_attrs(struct tracer *t)
{
	char *id = read_file("tracers/%s/id", t->name);
	char *path = tfs_path("tracers/%s/functions", t->name);
	long nr;

	t->on = true;
	if (id && parse_num(id, 0, MUX_MAX_SLOTS - 1, &nr))	/* else "none" */
		t->id = nr;
	t->functions = tfs_read_long(path, -1);
	free(path);
	free(id);
}

/* Gives the tracers found so far the names and IDs the kernel knows them by. */
static void apply_registered(struct tracers *ts, struct strlist *names, const char *dflt)
{
	size_t known = ts->n, i, k;
	bool *claimed = xcalloc(known, sizeof(*claimed));

	for (k = 0; k < known; k++)
		ts->v[k].on = ts->v[k].on || ts->v[k].kind != TRACER_INSTANCE;
	qsort(names->v, names->n, sizeof(*names->v), longer_first);
	for (i = 0; i < names->n; i++) {
		struct tracer *t = match_name(ts, known, names->v[i], claimed);

		if (t) {
			claimed[t - ts->v] = true;
			free(t->name);
			t->name = xstrdup(names->v[i]);
		} else {
			t = add(ts, names->v[i], TRACER_OTHER);
		}
		read_mux_attrs(t);
	}
	for (k = 0; k < known; k++)
		ts->v[k].on = claimed[k];
	for (i = 0; i < ts->n; i++)
		ts->v[i].dflt = dflt && !strcmp(dflt, ts->v[i].name);
	free(claimed);
}

static void load_mux(struct tracers *ts, char *text)
{
	struct strlist names = { }, lines = { };
	char *dflt = NULL;
	size_t i;

	strlist_split(&lines, text, "\n");
	for (i = 0; i < lines.n; i++) {
		bool star = lines.v[i][0] == '*';

		if (star && !dflt)
			dflt = xstrdup(lines.v[i] + 1);
		strlist_add(&names, lines.v[i] + star);
	}
	if (!dflt) {
		struct mux m;

		if (!mux_read(&m))
			dflt = xstrdup(m.dflt ? m.dflt : "trace");
		mux_free(&m);
	}
	apply_registered(ts, &names, dflt);
	strlist_free(&names);
	strlist_free(&lines);
	free(dflt);
}

int tracers_load(struct tracers *ts)
{
	char *path, *text;

	memset(ts, 0, sizeof(*ts));
	add_top(ts);
	path = tfs_path("instances");
	if (add_instances(ts) && errno != ENOENT) {
		int ret = tfs_fail("reading", path, errno);

		free(path);
		return ret;
	}
	free(path);
	path = tfs_path("function_tracers");
	text = tfs_read(path);
	free(path);
	ts->mux = text;
	if (text)
		load_mux(ts, text);
	else
		ts->v[0].dflt = true;
	free(text);
	return FTM_OK;
}

static void add_internal(struct tracers *ts, const char *name, int id)
{
	struct tracer *t;

	if (*name != '[')
		return;
	t = add(ts, name, TRACER_INTERNAL);
	t->on = true;
	t->id = id;
}

/* Adds the users without a name: those the kernel shows as "[symbol]". */
void tracers_load_internal(struct tracers *ts)
{
	struct mux m;
	size_t i;

	if (mux_read(&m))
		return;
	for (i = 0; i < (size_t)m.nslots; i++)
		if (m.slots[i].state == SLOT_USED)
			add_internal(ts, m.slots[i].name, i);
	for (i = 0; i < m.without_id.n; i++)
		add_internal(ts, m.without_id.v[i], ID_NONE);
	mux_free(&m);
}

void tracers_free(struct tracers *ts)
{
	size_t i;

	for (i = 0; i < ts->n; i++) {
		free(ts->v[i].name);
		free(ts->v[i].base);
		free(ts->v[i].instance);
		free(ts->v[i].plugin);
	}
	free(ts->v);
	memset(ts, 0, sizeof(*ts));
}

static struct tracer *lookup(const struct tracers *ts, const char *name)
{
	size_t i;

	for (i = 0; i < ts->n; i++)
		if (!strcmp(ts->v[i].name, name))
			return &ts->v[i];
	for (i = 0; i < ts->n; i++)
		if (ts->v[i].instance && !strcmp(ts->v[i].instance, name))
			return &ts->v[i];
	if (!strcmp(name, "trace"))	/* while the top level runs another one */
		return &ts->v[0];
	return NULL;
}

bool tracers_has(const struct tracers *ts, const char *name)
{
	return lookup(ts, name);
}

/* By the name the kernel uses, else by the instance's; reports. */
struct tracer *tracers_find(struct tracers *ts, const char *name)
{
	struct tracer *t = lookup(ts, name);
	struct strlist names = { };
	const char *close;
	size_t i;

	if (t)
		return t;
	for (i = 0; i < ts->n; i++)
		strlist_add(&names, ts->v[i].name);
	close = strlist_closest(&names, name);
	if (close)
		ftm_err("%s: no such tracer; did you mean %s?", name, close);
	else
		ftm_err("%s: no such tracer; see ftrace-mux list --all", name);
	strlist_free(&names);
	return NULL;
}

const char *tracer_kind_name(enum tracer_kind kind)
{
	static const char *const names[] = {
		"top", "profile", "stack", "instance", "other", "internal",
	};

	return names[kind];
}

const char *tracer_state(const struct tracer *t)
{
	if (!t->on)
		return "off";
	return t->tracing_on ? "on" : "stopped";
}

bool tracer_has_buffer(const struct tracer *t)
{
	return t->kind == TRACER_TOP || t->kind == TRACER_INSTANCE;
}

char *tracer_dir(const struct tracer *t)
{
	if (t->kind == TRACER_TOP)
		return xstrdup(tfs_dir());
	if (t->kind == TRACER_INSTANCE)
		return tfs_path("instances/%s", t->instance);
	return NULL;
}

bool tracer_has_events(const char *dir)
{
	char *path = xasprintf("%s/set_event", dir), *first = tfs_read_line(path);
	bool res = first && *first;

	free(first);
	free(path);
	return res;
}

/*
 * The directory with set_ftrace_filter and set_ftrace_notrace of @t.  The
 * files of the top level go to the default tracer, which need not be @t.
 */
char *tracer_filter_dir(const struct tracers *ts, const struct tracer *t)
{
	char *path = tfs_path("tracers/%s", t->name);

	if (ts->mux && tfs_exists(path))
		return path;
	free(path);
	if (t->kind == TRACER_INSTANCE)
		return tfs_path("instances/%s", t->instance);
	if (t->kind == TRACER_TOP && (!ts->mux || t->dflt))
		return xstrdup(tfs_dir());
	if (t->kind == TRACER_PROFILE && !ts->mux)
		return xstrdup(tfs_dir());
	return NULL;
}

char *tracer_filter_file(const struct tracers *ts, const struct tracer *t, bool notrace)
{
	char *dir = tracer_filter_dir(ts, t), *res;

	if (!dir && t->kind == TRACER_STACK && !notrace)
		return tfs_path("stack_trace_filter");
	if (!dir)
		return NULL;
	res = xasprintf("%s/%s", dir, notrace ? "set_ftrace_notrace" : "set_ftrace_filter");
	free(dir);
	return res;
}

/*
 * The lines of the filter without comments; an empty list means all functions
 * (of a notrace: none).  A line of the RFC's view cannot be met here: views
 * concern the top level's files, and those are read only when @t's own do not
 * exist.
 */
int tracer_read_filter(const struct tracers *ts, const struct tracer *t,
		       bool notrace, struct strlist *l)
{
	char *path = tracer_filter_file(ts, t, notrace);
	char *text = path ? tfs_read(path) : NULL;
	struct strlist lines = { };
	size_t i;

	free(path);
	if (!text)
		return -1;
	strlist_split(&lines, text, "\n");
	for (i = 0; i < lines.n; i++)
		if (lines.v[i][0] != '#' && lines.v[i][0] != '[')
			strlist_add(l, lines.v[i]);
	strlist_free(&lines);
	free(text);
	return 0;
}

/* Fills in the number of functions where the kernel does not say it. */
void tracer_count(struct tracers *ts, struct tracer *t)
{
	struct strlist f = { }, no = { };

	if (t->functions >= 0 || t->kind == TRACER_INTERNAL || t->kind == TRACER_OTHER)
		return;
	if (!tracer_read_filter(ts, t, false, &f)) {
		tracer_read_filter(ts, t, true, &no);
		t->functions = funcs_count(&f, &no);
	}
	strlist_free(&f);
	strlist_free(&no);
}

/* "no pid", or one number per line */
void tracer_read_pids(const struct tracer *t, bool notrace, struct strlist *l)
{
	char *dir = tracer_dir(t), *path, *text;

	if (!dir)
		return;
	path = xasprintf("%s/%s", dir, notrace ? "set_ftrace_notrace_pid" : "set_ftrace_pid");
	text = tfs_read(path);
	if (text && *text >= '0' && *text <= '9')
		strlist_split(l, text, "\n ");
	free(text);
	free(path);
	free(dir);
}
