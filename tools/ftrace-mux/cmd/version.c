// SPDX-License-Identifier: GPL-2.0
/* ftrace-mux version: as --version. */
#include "cli/cli.h"

static int cmd_version(int argc, char **argv)
{
	int ret = opt_plain(argc, argv, 0, 0);

	if (ret >= 0)
		return ret;
	help_version(stdout);
	return FTM_OK;
}

const struct ftm_cmd version_command = {
	.name = "version",
	.args = "",
	.help = "show versions and what the kernel offers",
	.opts = no_opts,
	.examples = "ftrace-mux version\n",
	.run = cmd_version,
};
