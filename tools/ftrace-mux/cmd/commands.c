// SPDX-License-Identifier: GPL-2.0
/* All commands, in the order of --help. */
#include "cli/cli.h"
#include "cmd/commands.h"

#define COMMANDS(X)							\
	X(status) X(list) X(default) X(filter) X(notrace) X(add) X(del)	\
	X(enable) X(disable) X(start) X(stop) X(clear) X(show)		\
	X(which) X(record) X(report) X(export) X(watch) X(top)		\
	X(save) X(restore) X(view) X(check) X(completion) X(version) X(help)

#define X(n) extern const struct ftm_cmd n##_command;
COMMANDS(X)
#undef X

#define X(n) &n##_command,
const struct ftm_cmd *const commands[] = { COMMANDS(X) NULL };
#undef X
