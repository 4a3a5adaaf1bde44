// SPDX-License-Identifier: GPL-2.0
/* The commands by name, the options that all have, and how one starts. */
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"
#include "tracefs/state.h"
#include "tracefs/tfs.h"

const struct ftm_cmd *const *ftm_cmds;

const struct ftm_opt ftm_global_opts[] = {
	{ 'h', "help", NULL, "show this help and exit", NULL },
	{ 'V', "version", NULL, "show versions and what the kernel offers, and exit", NULL },
	{ 'j', "json", NULL, "write JSON; while a command runs: one object per line", NULL },
	{ OPT_PRETTY, "pretty", NULL, "write JSON, indented; an object takes several lines", NULL },
	{ 'q', "quiet", NULL, "no warnings, no progress", NULL },
	{ 'v', "verbose", NULL, "say more; twice: the libraries' messages too", NULL },
	{ OPT_COLOR, "color", "WHEN", "use colours: auto, yes or no", "auto yes no" },
	{ OPT_NO_PAGER, "no-pager", NULL, "do not pipe long output into a pager", NULL },
	OPTS_END
};

const struct ftm_opt no_opts[] = { OPTS_END };

static bool is_called(const struct ftm_cmd *c, const char *name)
{
	return !strcmp(c->name, name) || (c->alias && !strcmp(c->alias, name));
}

static void unknown(const char *name)
{
	const struct ftm_cmd *c;
	struct strlist all = { };
	const char *close;

	for_each_cmd(c)
		strlist_add(&all, c->name);
	close = strlist_closest(&all, name);
	if (close)
		ftm_usage("%s: no such command; did you mean %s?", name, close);
	else
		ftm_usage("%s: no such command", name);
	strlist_free(&all);
}

/* An exact name, else an unambiguous beginning of one; reports. */
const struct ftm_cmd *cmd_find(const char *name)
{
	const struct ftm_cmd *c, *found = NULL;
	struct strlist could = { };

	for_each_cmd(c) {
		if (is_called(c, name)) {
			strlist_free(&could);
			return c;
		}
		if (*name && !strncmp(c->name, name, strlen(name))) {
			strlist_add(&could, c->name);
			found = c;
		}
	}
	if (could.n > 1) {
		char *list = strlist_join(&could, ", ");

		ftm_usage("%s: could be %s", name, list);
		free(list);
		found = NULL;
	} else if (!found) {
		unknown(name);
	}
	strlist_free(&could);
	return found;
}

/* Prepare what a command needs. The command calls this after it has read its options. */
int cmd_start(void)
{
	int ret = tfs_init();

	if (ret)
		return ret;
	catch_signals();
	state_reap();
	return FTM_OK;
}
