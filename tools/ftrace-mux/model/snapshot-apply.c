// SPDX-License-Identifier: GPL-2.0
/* Setting up the tracers of a snapshot that was checked. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "model/below.h"
#include "model/filter.h"
#include "model/instance.h"
#include "model/snapshot.h"
#include "model/tracer.h"
#include "tracefs/state.h"
#include "tracefs/tfs.h"

static const char *str(json_t *t, const char *key)
{
	return json_string_value(json_object_get(t, key));
}

static void words(json_t *a, struct strlist *l)
{
	json_t *v;
	size_t i;

	json_array_foreach(a, i, v)
		strlist_add(l, json_string_value(v));
}

static bool same_lines(const struct tracers *ts, const struct tracer *t, bool notrace,
		       const struct strlist *want)
{
	struct strlist now = { };
	bool same = !tracer_read_filter(ts, t, notrace, &now) && now.n == want->n;
	size_t i;

	for (i = 0; same && i < want->n; i++)
		same = !strcmp(now.v[i], want->v[i]);
	strlist_free(&now);
	return same;
}

static int apply_filter(const struct tracers *ts, const struct tracer *t, json_t *j,
			bool notrace)
{
	json_t *a = json_object_get(j, notrace ? "notrace" : "filter");
	char *path = tracer_filter_file(ts, t, notrace);
	struct strlist l = { };
	int ret = FTM_OK;

	words(a, &l);
	if (path && json_is_array(a) && !same_lines(ts, t, notrace, &l))
		ret = l.n ? filter_restore(path, &l) : filter_clear(path);
	strlist_free(&l);
	free(path);
	return ret;
}

static int apply_pids(const char *dir, const char *file, json_t *a)
{
	struct strlist l = { };
	char *joined;
	int ret;

	if (!json_is_array(a))
		return FTM_OK;
	words(a, &l);
	joined = strlist_join(&l, " ");
	ret = tfs_set(xasprintf("%s/%s", dir, file), joined);
	free(joined);
	strlist_free(&l);
	return ret;
}

static int apply_buffer(const char *dir, json_t *kb)
{
	char *path = xasprintf("%s/buffer_size_kb", dir), num[32];

	snprintf(num, sizeof(num), "%lld", (long long)json_integer_value(kb));
	if (json_is_integer(kb) && tfs_read_long(path, 0) != json_integer_value(kb))
		return tfs_set(path, num);
	free(path);
	return FTM_OK;
}

/* A file without it is of a kernel that had it nowhere, or of an older version. */
static int apply_graph(const char *dir, json_t *a)
{
	char *path = xasprintf("%s/set_graph_function", dir);
	struct strlist want = { }, now = { };
	int ret = FTM_OK;

	words(a, &want);
	below_read(path, &now);
	if (json_is_array(a) && (want.n || now.n))
		ret = below_set(path, &want);
	strlist_free(&now);
	strlist_free(&want);
	free(path);
	return ret;
}

/* Everything but switching it on, which comes last. */
static int apply_settings(const struct tracers *ts, const struct tracer *t, json_t *j)
{
	char *dir = tracer_dir(t);
	int ret = FTM_OK;

	if (dir) {
		ret = apply_buffer(dir, json_object_get(j, "buffer_kb"));
		if (!ret)
			ret = apply_pids(dir, "set_ftrace_pid", json_object_get(j, "pids"));
		if (!ret)
			ret = apply_pids(dir, "set_ftrace_notrace_pid",
					 json_object_get(j, "notrace_pids"));
		if (!ret)
			ret = apply_graph(dir, json_object_get(j, "graph"));
		if (!ret && json_is_boolean(json_object_get(j, "tracing_on")))
			ret = tfs_set(xasprintf("%s/tracing_on", dir),
				      json_is_true(json_object_get(j, "tracing_on")) ? "1" : "0");
		free(dir);
	}
	if (!ret)
		ret = apply_filter(ts, t, j, false);
	if (!ret)
		ret = apply_filter(ts, t, j, true);
	return ret;
}

static int switch_on(const struct tracer *t, json_t *j)
{
	bool on = json_is_true(json_object_get(j, "on"));
	const char *plugin = str(j, "plugin");
	char *dir = tracer_dir(t);
	int ret = FTM_OK;

	if (dir && plugin && strcmp(plugin, t->plugin))
		ret = tfs_set(xasprintf("%s/current_tracer", dir), plugin);
	free(dir);
	if (t->kind == TRACER_PROFILE && on != t->on)
		ret = tfs_set(tfs_path("function_profile_enabled"), on ? "1" : "0");
	if (t->kind == TRACER_STACK && on != t->on)
		ret = tfs_set(xstrdup("/proc/sys/kernel/stack_tracer_enabled"), on ? "1" : "0");
	return ret;
}

/* Kinds that exist once are found by their kind: their name may have changed. */
static struct tracer *find(struct tracers *ts, json_t *j)
{
	const char *kind = str(j, "kind"), *inst = str(j, "instance");
	size_t i;

	for (i = 0; i < ts->n; i++) {
		struct tracer *t = &ts->v[i];

		if (strcmp(kind, tracer_kind_name(t->kind)))
			continue;
		if (t->kind == TRACER_INSTANCE ? inst && !strcmp(t->instance, inst) :
		    t->kind == TRACER_OTHER ? !strcmp(t->name, str(j, "name")) : true)
			return t;
	}
	return NULL;
}

static int apply_tracer(json_t *j)
{
	struct setup s = { .name = str(j, "instance") };
	struct tracers ts;
	struct tracer *t;
	int ret;

	if (s.name && !instance_exists(s.name)) {
		ret = instance_create(&s);
		if (ret)
			return ret;
	}
	ret = tracers_load(&ts);
	if (ret)
		return ret;
	t = find(&ts, j);
	if (!t) {
		ftm_warn("%s: is not there now; its owner in the kernel makes it", str(j, "name"));
	} else {
		/* the filter of one that is off may have no file before it is on */
		char *path = tracer_filter_file(&ts, t, false);

		if (path)
			ret = apply_settings(&ts, t, j);
		if (!ret)
			ret = switch_on(t, j);
		if (!path && !ret && json_is_true(json_object_get(j, "on"))) {
			tracers_free(&ts);
			ret = tracers_load(&ts);
			t = ret ? NULL : find(&ts, j);
			if (t)
				ret = apply_settings(&ts, t, j);
		}
		free(path);
	}
	tracers_free(&ts);
	return ret;
}

static int apply_all(json_t *snap)
{
	json_t *t, *view = json_object_get(snap, "view");
	char *path = tfs_path("function_tracers"), *opt = tfs_path("options/function-mux");
	bool mux = tfs_exists(path);
	int ret = FTM_OK;
	size_t i;

	json_array_foreach(json_object_get(snap, "tracers"), i, t)
		if (!ret && !ftm_stop)
			ret = apply_tracer(t);
	if (ftm_stop && !ret) {
		ftm_err("interrupted");
		ret = FTM_FAIL;
	}
	if (!ret && mux && json_is_boolean(view) && tfs_write(opt, json_is_true(view) ? "1" : "0"))
		ret = tfs_fail("writing", opt, errno);
	/* it may not be registered now: then the default of the kernel stays */
	if (!ret && mux && str(snap, "default") && tfs_write(path, str(snap, "default")))
		ftm_info("%s: cannot be the default now", str(snap, "default"));
	free(opt);
	free(path);
	return ret;
}

/* All or nothing: on failure what was there before is set up again. */
int snapshot_apply(json_t *snap)
{
	json_t *t, *before = snapshot_take();
	int ret, stop;
	size_t i;

	if (!before)
		return FTM_FAIL;
	ret = apply_all(snap);
	if (ret) {
		stop = ftm_stop;
		ftm_stop = 0;
		state_cleanup();
		if (apply_all(before))
			ftm_err("and the tracers as they were before could not be set up again");
		ftm_stop = stop;
	} else {
		json_array_foreach(json_object_get(snap, "tracers"), i, t)
			if (str(t, "instance"))
				instance_keep(str(t, "instance"));
	}
	json_decref(before);
	return ret;
}
