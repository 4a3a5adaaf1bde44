// SPDX-License-Identifier: GPL-2.0
/* ftrace-mux help [COMMAND] */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"
#include "term/term.h"

/* No pager for what fits the screen, even if the pager would end by itself. */
static int print(const struct ftm_cmd *cmd)
{
	size_t size, i;
	int lines = 1, rows, cols;
	char *text;
	FILE *f = open_memstream(&text, &size);

	if (!f) {
		ftm_err("%s", strerror(errno));
		return FTM_FAIL;
	}
	if (cmd)
		help_cmd(cmd, f);
	else
		help_all(f);
	fclose(f);
	for (i = 0; i < size; i++)
		lines += text[i] == '\n';
	term_size(&rows, &cols);
	if (lines > rows)
		pager_start();
	fputs(text, stdout);
	pager_end();
	free(text);
	return FTM_OK;
}

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
	return print(cmd);
}

const struct ftm_cmd help_command = {
	.name = "help",
	.args = "[COMMAND]",
	.comp = "@command",
	.help = "help on a command",
	.opts = no_opts,
	.examples = "ftrace-mux help record\n",
	.run = cmd_help,
};
