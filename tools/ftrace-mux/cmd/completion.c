// SPDX-License-Identifier: GPL-2.0
/* ftrace-mux completion bash|zsh|fish */
#include <getopt.h>
#include <string.h>
#include "cli/cli.h"

static int cmd_completion(int argc, char **argv)
{
	int ret = opt_plain(argc, argv, 1, 1);

	if (ret >= 0)
		return ret;
	if (!strcmp(argv[optind], "bash"))
		completion_bash();
	else if (!strcmp(argv[optind], "zsh"))
		completion_zsh();
	else if (!strcmp(argv[optind], "fish"))
		completion_fish();
	else
		return ftm_usage("completion %s: must be bash, zsh or fish", argv[optind]);
	return FTM_OK;
}

const struct ftm_cmd completion_command = {
	.name = "completion",
	.args = "bash|zsh|fish",
	.comp = "bash zsh fish",
	.help = "write a completion script",
	.opts = no_opts,
	.examples = "ftrace-mux completion bash > "
		    "~/.local/share/bash-completion/completions/ftrace-mux\n",
	.run = cmd_completion,
};
