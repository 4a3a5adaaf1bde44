// SPDX-License-Identifier: GPL-2.0
/* How deep the function_graph tracers of a recording follow calls: record --depth. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "recording/depth.h"
#include "tracefs/tfs.h"

/*
 * A tracer has its own depth, or the kernel has one for all of them.  Before
 * there is an instance to look at, the multiplexer tells.
 */
static bool own_depth(const char *name)
{
	char *dir = tfs_path("instances/%s", name);
	char *path = xasprintf("%s/max_graph_depth", dir), *mux = tfs_path("function_mux");
	bool own = tfs_exists(tfs_exists(dir) ? path : mux);

	free(mux);
	free(path);
	free(dir);
	return own;
}

/* Where the depth of @t goes; NULL if it has none. */
static char *depth_path(const struct record *r, const struct rec_tracer *t)
{
	if (!r->depth || !rec_tracer_is_graph(t))
		return NULL;
	return own_depth(t->name) ? tfs_path("instances/%s/max_graph_depth", t->name) :
		tfs_path("max_graph_depth");
}

void depth_say(const struct record *r)
{
	struct strlist said = { };
	size_t i;

	for (i = 0; i < r->n; i++) {
		char *path = depth_path(r, &r->t[i]);

		if (path && !strlist_has(&said, path)) {
			printf("%s <- %ld\n", path, r->depth);
			strlist_add(&said, path);
		}
		free(path);
	}
	strlist_free(&said);
}

int depth_set(const struct record *r)
{
	int ret = FTM_OK;
	char num[32];
	size_t i;

	snprintf(num, sizeof(num), "%ld", r->depth);
	for (i = 0; !ret && i < r->n; i++) {
		char *path = depth_path(r, &r->t[i]);

		if (path)
			ret = tfs_set(path, num);
	}
	return ret;
}

bool depth_is_shared(const struct record *r)
{
	bool shared = false;
	size_t i;

	for (i = 0; !shared && i < r->n; i++) {
		char *path = depth_path(r, &r->t[i]);

		shared = path && !own_depth(r->t[i].name);
		free(path);
	}
	return shared;
}
