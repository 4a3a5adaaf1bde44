// SPDX-License-Identifier: GPL-2.0
/* ftrace-mux notrace NAME [PATTERN...]: as filter, for set_ftrace_notrace. */
#include "cmd-filter.h"
#include "ftm.h"

int cmd_notrace(int argc, char **argv)
{
	return filter_command(argc, argv, true);
}
