// SPDX-License-Identifier: GPL-2.0
/* All tracers as JSON: taking and checking.  Applying is in snapshot-apply.c. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include "model/below.h"
#include "model/filter.h"
#include "model/instance.h"
#include "model/snapshot.h"
#include "model/name.h"
#include "model/tracer.h"
#include "tracefs/funcs.h"
#include "tracefs/tfs.h"

static json_t *lines_json(const struct strlist *l)
{
	json_t *a = json_array();
	size_t i;

	for (i = 0; i < l->n; i++)
		json_array_append_new(a, json_string(l->v[i]));
	return a;
}

static json_t *filter_json(const struct tracers *ts, const struct tracer *t, bool notrace)
{
	struct strlist l = { };
	json_t *a;

	if (tracer_read_filter(ts, t, notrace, &l))
		return json_null();
	a = lines_json(&l);
	strlist_free(&l);
	return a;
}

static json_t *pids_json(const struct tracer *t, bool notrace)
{
	struct strlist l = { };
	json_t *a;

	tracer_read_pids(t, notrace, &l);
	a = lines_json(&l);
	strlist_free(&l);
	return a;
}

/* The functions that its function_graph begins at; null: the kernel has no such file. */
static json_t *graph_json(const char *dir)
{
	char *path = xasprintf("%s/set_graph_function", dir);
	struct strlist l = { };
	json_t *a = below_read(path, &l) ? json_null() : lines_json(&l);

	strlist_free(&l);
	free(path);
	return a;
}

/* Only a size that somebody has set: "7 (expanded: 1408)" and "X" are not. */
static json_t *buffer_json(const char *dir)
{
	char *path = xasprintf("%s/buffer_size_kb", dir);
	long kb = tfs_read_long(path, 0);

	free(path);
	return kb > 0 ? json_integer(kb) : json_null();
}

static json_t *tracer_json(const struct tracers *ts, const struct tracer *t)
{
	json_t *j = json_pack("{s:s, s:s, s:b, s:o, s:o}", "name", t->name, "kind",
			      tracer_kind_name(t->kind), "on", t->on, "filter",
			      filter_json(ts, t, false), "notrace", filter_json(ts, t, true));
	char *dir = tracer_dir(t);

	if (t->instance)
		json_object_set_new(j, "instance", json_string(t->instance));
	if (dir) {
		json_object_set_new(j, "plugin", json_string(t->plugin));
		json_object_set_new(j, "tracing_on", json_boolean(t->tracing_on));
		json_object_set_new(j, "pids", pids_json(t, false));
		json_object_set_new(j, "notrace_pids", pids_json(t, true));
		json_object_set_new(j, "graph", graph_json(dir));
		json_object_set_new(j, "buffer_kb", buffer_json(dir));
	}
	free(dir);
	return j;
}

json_t *snapshot_take(void)
{
	json_t *snap, *a = json_array();
	const char *dflt = NULL;
	struct tracers ts;
	struct utsname u;
	char *path;
	size_t i;

	if (tracers_load(&ts)) {
		json_decref(a);
		return NULL;
	}
	uname(&u);
	for (i = 0; i < ts.n; i++) {
		json_array_append_new(a, tracer_json(&ts, &ts.v[i]));
		if (ts.v[i].dflt)
			dflt = ts.v[i].name;
	}
	snap = json_pack("{s:i, s:s, s:o}", "ftrace-mux", SNAPSHOT_VERSION, "kernel", u.release,
			 "tracers", a);
	if (ts.mux) {
		path = tfs_path("options/function-mux");
		json_object_set_new(snap, "view", json_boolean(tfs_read_long(path, 0)));
		json_object_set_new(snap, "default", json_string(dflt ? dflt : "trace"));
		free(path);
	}
	tracers_free(&ts);
	return snap;
}

static bool is_strings(json_t *a)
{
	json_t *v;
	size_t i;

	if (!a || json_is_null(a))
		return true;
	if (!json_is_array(a))
		return false;
	json_array_foreach(a, i, v)
		if (!json_is_string(v) || strpbrk(json_string_value(v), "\n#!"))
			return false;
	return true;
}

/* Every function must be there; what waits for a module need not be. */
static int check_functions(json_t *a, const char *file, const char *name)
{
	int bad = 0;
	json_t *v;
	size_t i;

	json_array_foreach(a, i, v) {
		char *func = xstrdup(json_string_value(v));

		func[strcspn(func, " ")] = '\0';
		if (!strchr(func, ':') && !funcs_has(func)) {
			if (!bad++)
				ftm_err("%s: %s: this kernel cannot trace %s%s", file, name, func,
					strchr(json_string_value(v), '[') ?
					"; is its module loaded?" : "");
		}
		free(func);
	}
	if (bad > 1)
		ftm_err("%s: %s: and %d more functions", file, name, bad - 1);
	return bad;
}

static int check_pids(json_t *a)
{
	json_t *v;
	size_t i;
	long pid;

	json_array_foreach(a, i, v)
		if (!parse_num(json_string_value(v), 0, 4194304, &pid))
			return 1;
	return 0;
}

static int check_tracer(json_t *t, const char *file)
{
	const char *name = json_string_value(json_object_get(t, "name"));
	const char *kind = json_string_value(json_object_get(t, "kind"));
	const char *plugin = json_string_value(json_object_get(t, "plugin"));
	const char *inst = json_string_value(json_object_get(t, "instance"));
	static const char *const arrays[] = { "filter", "notrace", "graph", "pids",
					      "notrace_pids" };
	json_t *kb = json_object_get(t, "buffer_kb");
	size_t i;

	if (!name || !kind) {
		ftm_err("%s: a tracer without name or kind", file);
		return 1;
	}
	for (i = 0; i < ARRAY_SIZE(arrays); i++)
		if (!is_strings(json_object_get(t, arrays[i]))) {
			ftm_err("%s: %s: %s: not a list of words", file, name, arrays[i]);
			return 1;
		}
	if (!strcmp(kind, "instance") && (!inst || !plugin || strchr(inst, '/') || *inst == '.')) {
		ftm_err("%s: %s: no valid instance or plugin", file, name);
		return 1;
	}
	if (!strcmp(kind, "instance") && !instance_exists(inst) && !tracer_name_ok(inst))
		return 1;
	if (plugin && strcmp(plugin, "nop") && !strcmp(kind, "instance") && !plugin_ok(plugin))
		return 1;
	if ((kb && !json_is_null(kb) && json_integer_value(kb) < 1) ||
	    check_pids(json_object_get(t, "pids")) ||
	    check_pids(json_object_get(t, "notrace_pids"))) {
		ftm_err("%s: %s: no valid pids or buffer_kb", file, name);
		return 1;
	}
	return check_functions(json_object_get(t, "filter"), file, name) ||
	       check_functions(json_object_get(t, "notrace"), file, name) ||
	       check_functions(json_object_get(t, "graph"), file, name);
}

int snapshot_check(json_t *snap, const char *file)
{
	json_t *t, *list = json_object_get(snap, "tracers");
	int bad = 0, ret;
	size_t i;

	if (json_integer_value(json_object_get(snap, "ftrace-mux")) != SNAPSHOT_VERSION ||
	    !json_is_array(list)) {
		ftm_err("%s: is not a file of ftrace-mux save (version %d)", file,
			SNAPSHOT_VERSION);
		return FTM_FAIL;
	}
	ret = funcs_load();
	if (ret)
		return ret;
	json_array_foreach(list, i, t)
		bad += check_tracer(t, file) != 0;
	return bad ? FTM_FAIL : FTM_OK;
}
