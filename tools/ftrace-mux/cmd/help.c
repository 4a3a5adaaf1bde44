// SPDX-License-Identifier: GPL-2.0
/* ftrace-mux help [COMMAND] */
#include <getopt.h>
#include "cli/cli.h"
#include "term/term.h"

static int cmd_help(int argc, char **argv)
{
	const struct ftm_cmd *cmd = NULL;
	int ret = opt_plain(argc, argv, 0, 1);

	if (ret >= 0)
		return ret;
	if (optind < argc) {
		cmd = cmd_find(argv[optind]);
		if (!cmd)
			return FTM_USAGE;
	}
	pager_start();
	if (cmd)
		help_cmd(cmd, stdout);
	else
		help_all(stdout);
	pager_end();
	return FTM_OK;
}

const struct ftm_cmd help_command = {
	.name = "help",
	.args = "[COMMAND]",
	.comp = "@command",
	.help = "help on a command",
	.opts = no_opts,
	.run = cmd_help,
};
