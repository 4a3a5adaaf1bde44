// SPDX-License-Identifier: GPL-2.0
/* ftrace-mux default [NAME] */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"
#include "model/tracer.h"
#include "tracefs/tfs.h"

static int show(void)
{
	const char *name = NULL;
	struct tracers ts;
	size_t i;
	int ret = tracers_load(&ts);

	if (ret)
		return ret;
	for (i = 0; i < ts.n; i++)
		if (ts.v[i].dflt)
			name = ts.v[i].name;
	/* with nothing registered the files go to this one */
	if (!name)
		name = "trace";
	if (ftm.json)
		ftm_print_json(json_pack("{s:s}", "default", name));
	else
		puts(name);
	tracers_free(&ts);
	return FTM_OK;
}

/* The kernel takes registered ones only, and says EINVAL for others. */
static int refused(const char *path, const char *name, int err)
{
	struct tracers ts;
	int ret;

	if (err != EINVAL)
		return tfs_fail("writing", path, err);
	ret = tracers_load(&ts);
	if (ret)
		return ret;
	if (tracers_find(&ts, name))
		ftm_err("%s: is not registered; ftrace-mux enable %s switches it on", name, name);
	tracers_free(&ts);
	return FTM_FAIL;
}

static int set(const char *name)
{
	int ret = tfs_need_mux("function_tracers");
	char *path;

	if (ret)
		return ret;
	path = tfs_path("function_tracers");
	if (tfs_write(path, name))
		ret = refused(path, name, errno);
	free(path);
	return ret;
}

static int cmd_default(int argc, char **argv)
{
	int ret = opt_plain(argc, argv, 0, 1);

	if (ret >= 0)
		return ret;
	ret = cmd_start();
	if (ret)
		return ret;
	return optind < argc ? set(argv[optind]) : show();
}

const struct ftm_cmd default_command = {
	.name = "default",
	.args = "[NAME]",
	.comp = "@tracer",
	.help = "show or set the default tracer",
	.opts = no_opts,
	.examples =
		"ftrace-mux default\n"
		"ftrace-mux default opens\n",
	.run = cmd_default,
};
