// SPDX-License-Identifier: GPL-2.0
/* The functions that a function_graph tracer begins at: set_graph_function, for --graph. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include "model/below.h"
#include "model/filter.h"
#include "tracefs/tfs.h"

const char *below_plugin(const char *plugin, bool any)
{
	if (plugin)
		return plugin;
	return any ? "function_graph" : "function";
}

int below_resolve(const struct strlist *in, struct strlist *out)
{
	size_t i;

	for (i = 0; i < in->n; i++)
		if (strchr(in->v[i], ':'))
			return ftm_usage("--graph %s: name functions, not a module", in->v[i]);
	return in->n ? patterns_resolve(in, out) : FTM_OK;
}

/* The kernel prints "name [module]", and reads the name only. */
int below_set(const char *path, const struct strlist *functions)
{
	struct strlist words = { };
	int ret = FTM_OK;
	size_t i;

	if (!tfs_exists(path)) {
		ftm_err("--graph: %s: this kernel has it at the top level only", path);
		return FTM_NOKERNEL;
	}
	for (i = 0; i < functions->n; i++) {
		char *word = xstrdup(functions->v[i]);

		word[strcspn(word, " ")] = '\0';
		strlist_add(&words, word);
		free(word);
	}
	if (filter_write_words(path, &words, "", O_TRUNC))
		ret = tfs_fail("writing", path, errno);
	strlist_free(&words);
	return ret;
}

int below_read(const char *path, struct strlist *functions)
{
	char *text = tfs_read(path);
	struct strlist lines = { };
	size_t i;

	if (!text)
		return -1;
	strlist_split(&lines, text, "\n");
	for (i = 0; i < lines.n; i++)
		if (lines.v[i][0] != '#')
			strlist_add(functions, lines.v[i]);
	strlist_free(&lines);
	free(text);
	return 0;
}
