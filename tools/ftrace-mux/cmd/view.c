// SPDX-License-Identifier: GPL-2.0
/*
 * ftrace-mux view [on|off]: the option function-mux, which libtracefs does
 * not know by number.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"
#include "tracefs/mux.h"
#include "tracefs/tfs.h"

static int cmd_view(int argc, char **argv)
{
	int ret = opt_plain(argc, argv, 0, 1);
	char *path;
	bool on;

	if (ret >= 0)
		return ret;
	if (optind < argc && strcmp(argv[optind], "on") && strcmp(argv[optind], "off"))
		return ftm_usage("view %s: must be on or off", argv[optind]);
	ret = cmd_start();
	if (!ret)
		ret = tfs_need_mux("options/function-mux");
	if (ret)
		return ret;
	path = tfs_path("options/function-mux");
	if (optind < argc) {
		on = !strcmp(argv[optind], "on");
		if (tfs_write(path, on ? "1" : "0"))
			ret = tfs_fail("writing", path, errno);
		else if (on)
			ftm_warn(VIEW_WARNING);
	} else {
		on = tfs_read_long(path, 0);
		if (ftm.json)
			ftm_print_json(json_pack("{s:b}", "view", on));
		else
			puts(on ? "on" : "off");
	}
	free(path);
	return ret;
}

const struct ftm_cmd view_command = {
	.name = "view",
	.args = "[on|off]",
	.comp = "on off",
	.help = "show or set the view of the top level's filter files",
	.opts = no_opts,
	.examples =
		"ftrace-mux view\n"
		"ftrace-mux view off\n",
	.run = cmd_view,
};
