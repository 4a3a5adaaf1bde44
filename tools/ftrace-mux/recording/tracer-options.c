// SPDX-License-Identifier: GPL-2.0
/*
 * What a recording has of a call besides its function: stack, arguments and
 * return value.  The kernel's tracers have options for them.
 */
#include <stdlib.h>
#include <string.h>
#include "recording/tracer-options.h"
#include "tracefs/tfs.h"

#define ARGS_CONFIG \
	"CONFIG_FUNCTION_TRACE_ARGS, which CONFIG_DEBUG_INFO_BTF brings"

/* Return values need none: function_graph records them if the kernel has funcgraph-retval. */
static const char *const names[TRACER_OPTIONS] = {
	"func_stack_trace", "func-args", "funcgraph-args",
};

static bool wants(const struct rec_tracer *t, size_t option)
{
	switch (option) {
	case 0:
		return t->stack;
	case 1:
		return t->args && !rec_tracer_is_graph(t);
	default:
		return t->args && rec_tracer_is_graph(t);
	}
}

static int check_kernel(const char *what, const char *option, const char *needs)
{
	char *path = tfs_path("options/%s", option);
	int ret = tfs_exists(path) ? FTM_OK : FTM_NOKERNEL;

	if (ret)
		ftm_err("%s: this kernel has no %s; it needs %s", what, path, needs);
	free(path);
	return ret;
}

static int check_stack(const struct rec_tracer *t)
{
	if (rec_tracer_is_graph(t))
		return ftm_usage("-t %s: stack traces need plugin=function", t->name);
	if (t->args)
		return ftm_usage("-t %s: a call has its stack or its arguments, not both",
				 t->name);
	if (strlist_has(&t->given, "*"))
		return ftm_usage("-t %s: stack traces of all functions hang the machine; name some",
				 t->name);
	return FTM_OK;
}

int tracer_options_check(const struct record *r, const struct rec_tracer *t)
{
	int ret = t->stack ? check_stack(t) : FTM_OK;

	if (!ret && t->retval && !rec_tracer_is_graph(t))
		ret = ftm_usage("-t %s: return values need plugin=function_graph", t->name);
	if (!ret && (t->retval || (r->retval && rec_tracer_is_graph(t))))
		ret = check_kernel("return values", "funcgraph-retval",
				   "CONFIG_FUNCTION_GRAPH_RETVAL");
	if (!ret && t->args)
		ret = check_kernel("arguments",
				   rec_tracer_is_graph(t) ? "funcgraph-args" : "func-args",
				   "Linux 6.15 or newer with " ARGS_CONFIG);
	return ret;
}

void tracer_options_argv(const struct rec_tracer *t, struct strlist *argv)
{
	size_t o;

	for (o = 0; o < TRACER_OPTIONS; o++) {
		if (!wants(t, o))
			continue;
		strlist_add(argv, "-O");
		strlist_add(argv, names[o]);
	}
}

void tracer_options_note(struct tracer_options *o)
{
	size_t i;

	for (i = 0; i < TRACER_OPTIONS; i++) {
		char *path = tfs_path("options/%s", names[i]);

		o->before[i] = tfs_read_line(path);
		free(path);
	}
}

static int set_one(const struct rec_tracer *t, const char *option)
{
	int ret = tfs_set(tfs_path("instances/%s/options/%s", t->name, option), "0");

	return ret ? ret : tfs_set(tfs_path("instances/%s/options/%s", t->name, option), "1");
}

/*
 * 6.12 has one flag for the tracers of all instances, and looks at it when one
 * starts.  So it is changed from 0 to 1 for each of ours.  The top level puts it
 * back; its own tracer does not notice.
 */
int tracer_options_set(const struct record *r, const struct tracer_options *o)
{
	int ret = FTM_OK;
	size_t i, k;

	for (k = 0; !ret && k < TRACER_OPTIONS; k++) {
		bool any = false;

		for (i = 0; !ret && i < r->n; i++) {
			if (!wants(&r->t[i], k))
				continue;
			any = true;
			ret = set_one(&r->t[i], names[k]);
		}
		if (any && o->before[k])
			tfs_set(tfs_path("options/%s", names[k]), o->before[k]);
	}
	return ret;
}

void tracer_options_free(struct tracer_options *o)
{
	size_t i;

	for (i = 0; i < TRACER_OPTIONS; i++)
		free(o->before[i]);
}
