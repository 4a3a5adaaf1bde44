// SPDX-License-Identifier: GPL-2.0
/* Making tracers: instances that are set up before they start. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <tracefs.h>
#include "model/below.h"
#include "model/filter.h"
#include "model/instance.h"
#include "term/term.h"
#include "tracefs/state.h"
#include "tracefs/tfs.h"

static void say_step(const char *path, const char *value)
{
	if (ftm.json)
		ftm_print_json(json_pack("{s:s, s:s?}", value ? "write" : "mkdir", path, "value",
					 value));
	else if (value)
		printf("%s <- %s\n", path, value);
	else
		printf("mkdir %s\n", path);
}

/* Do one step, or with --dry-run only print it, which libtracefs' functions cannot do. */
static int set(const struct setup *s, const char *file, const char *value)
{
	char *path = tfs_path("instances/%s/%s", s->name, file);
	int ret = FTM_OK;

	if (s->dry_run)
		say_step(path, value);
	else if (ftm_stop)
		ret = FTM_FAIL;
	else if (tfs_write(path, value))
		ret = tfs_fail("writing", path, errno);
	free(path);
	return ret;
}

static int set_list(const struct setup *s, const char *file, const struct strlist *l)
{
	char *text = strlist_join(l, " ");
	int ret = l->n ? set(s, file, text) : FTM_OK;

	free(text);
	return ret;
}

static int set_patterns(const struct setup *s, const char *file, const struct strlist *l)
{
	char *path;
	int ret;

	/* "*" is everything that is there now, nothing is everything for ever */
	if (!l->n || (l->n == 1 && !strcmp(l->v[0], "*") && !strstr(file, "notrace")))
		return FTM_OK;
	if (s->dry_run)
		return set_list(s, file, l);
	path = tfs_path("instances/%s/%s", s->name, file);
	ret = filter_change(path, l, FILTER_SET);
	free(path);
	return ret;
}

static int set_below(const struct setup *s)
{
	char *path;
	int ret;

	if (!s->below.n || s->dry_run)
		return set_list(s, "set_graph_function", &s->below);
	path = tfs_path("instances/%s/set_graph_function", s->name);
	ret = below_set(path, &s->below);
	free(path);
	return ret;
}

static int setup_steps(const struct setup *s)
{
	char kb[32];
	int ret = 0;

	snprintf(kb, sizeof(kb), "%ld", s->buffer_kb);
	if (s->buffer_kb)
		ret = set(s, "buffer_size_kb", kb);
	if (!ret)
		ret = set_patterns(s, "set_ftrace_filter", &s->filter);
	if (!ret)
		ret = set_patterns(s, "set_ftrace_notrace", &s->notrace);
	if (!ret)
		ret = set_below(s);
	if (!ret)
		ret = set_list(s, "set_ftrace_pid", &s->pids);
	if (!ret)
		ret = set_list(s, "set_ftrace_notrace_pid", &s->notrace_pids);
	if (!ret && s->stopped)
		ret = set(s, "tracing_on", "0");
	if (!ret && s->plugin)
		ret = set(s, "current_tracer", s->plugin);
	return ret;
}

int instance_create(const struct setup *s)
{
	struct tracefs_instance *inst;
	char *path = tfs_path("instances/%s", s->name);
	int ret = FTM_FAIL, err;

	if (instance_exists(s->name)) {
		ftm_err("%s: there is a tracer of this name already (%s)", s->name, path);
		goto out;
	}
	if (s->dry_run) {
		say_step(path, NULL);
		ret = setup_steps(s);
		goto out;
	}
	errno = 0;
	inst = tracefs_instance_create(s->name);
	err = errno ? errno : EINVAL;
	if (!inst) {
		ret = tfs_fail("making", path, err);
		goto out;
	}
	/* somebody else may have been quicker */
	ret = tracefs_instance_is_new(inst) ? FTM_OK : FTM_FAIL;
	tracefs_instance_free(inst);
	if (ret) {
		ftm_err("%s: there is a tracer of this name already (%s)", s->name, path);
		goto out;
	}
	if (state_add(s->name)) {
		rmdir(path);
		ret = FTM_FAIL;
		goto out;
	}
	progress_begin("setting up %s", s->name);
	ret = setup_steps(s);
	progress_end();
	if (ftm_stop)
		ftm_err("%s: interrupted; removed again", s->name);
	if (ret || ftm_stop) {
		instance_remove(s->name);
		state_forget(s->name);
		ret = ret ? ret : FTM_FAIL;
	}
out:
	free(path);
	return ret;
}

void instance_keep(const char *name)
{
	state_forget(name);
}

int instance_remove(const char *name)
{
	char *path = tfs_path("instances/%s", name);
	int ret;

	progress_begin("removing %s", path);
	ret = state_rmdir(name, 10);
	progress_end();
	if (ret)
		ret = tfs_fail("removing", path, errno);
	free(path);
	return ret;
}

/* tracefs_instance_exists() of 1.6 finds none below tracefs_set_tracing_dir(). */
bool instance_exists(const char *name)
{
	char *path = tfs_path("instances/%s", name);
	bool res = tfs_exists(path);

	free(path);
	return res;
}

bool plugin_valid(const char *plugin)
{
	return !strcmp(plugin, "function") || !strcmp(plugin, "function_graph");
}

bool plugin_ok(const char *plugin)
{
	bool res = false;
	char **list;
	size_t i;

	if (!plugin_valid(plugin)) {
		ftm_err("%s: an instance can run function or function_graph", plugin);
		return false;
	}
	list = tracefs_tracers(tfs_dir());
	for (i = 0; list && list[i] && !res; i++)
		res = !strcmp(list[i], plugin);
	tracefs_list_free(list);
	if (!res)
		ftm_err("%s/available_tracers: %s is not in it: kernel without CONFIG_%s",
			tfs_dir(), plugin, strcmp(plugin, "function") ? "FUNCTION_GRAPH_TRACER" :
			"FUNCTION_TRACER");
	return res;
}

void setup_free(struct setup *s)
{
	strlist_free(&s->filter);
	strlist_free(&s->notrace);
	strlist_free(&s->below);
	strlist_free(&s->pids);
	strlist_free(&s->notrace_pids);
}
