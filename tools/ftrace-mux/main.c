// SPDX-License-Identifier: GPL-2.0
/* ftrace-mux: manage the function tracers of a kernel. */
#include <getopt.h>
#include <locale.h>
#include "cli/cli.h"
#include "cmd/commands.h"
#include "term/term.h"

static int run(const struct ftm_cmd *cmd, int argc, char **argv)
{
	int ret;

	opt_start(cmd);
	ret = cmd->run(argc, argv);
	progress_end();
	return ret;
}

int main(int argc, char **argv)
{
	const struct ftm_cmd *cmd;
	int c, at;

	ftm_open_stdout();
	setlocale(LC_CTYPE, "");
	ftm_cmds = commands;
	opt_start(NULL);
	do {
		c = opt_next(argc, argv);
	} while (c >= 0);
	if (c == OPT_DONE)
		return ftm_close_stdout(opt_result);
	if (optind >= argc) {
		if (ftm.json)
			ftm_usage("no command given");
		else
			help_short(stderr);
		return FTM_USAGE;
	}
	at = optind;
	cmd = cmd_find(argv[at]);
	if (!cmd)
		return ftm_close_stdout(FTM_USAGE);
	return ftm_close_stdout(run(cmd, argc - at, argv + at));
}
