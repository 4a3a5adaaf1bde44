// SPDX-License-Identifier: GPL-2.0
/* ftrace-mux restore FILE: checked first, applied as a whole or not at all. */
#include <errno.h>
#include <getopt.h>
#include <string.h>
#include "cli/cli.h"
#include "model/snapshot.h"

static json_t *load(const char *file, int *ret)
{
	bool in = !strcmp(file, "-");
	FILE *f = in ? stdin : fopen(file, "re");
	json_error_t err;
	json_t *snap;

	if (!f) {
		ftm_err("%s: %s", file, strerror(errno));
		*ret = ftm_exit_errno(errno);
		return NULL;
	}
	snap = json_loadf(f, JSON_REJECT_DUPLICATES, &err);
	if (!in)
		fclose(f);
	if (!snap) {
		ftm_err("%s: line %d: %s", file, err.line, err.text);
		*ret = FTM_FAIL;
	}
	return snap;
}

static int cmd_restore(int argc, char **argv)
{
	bool dry_run = false;
	json_t *snap;
	int c, ret;

	while ((c = opt_next(argc, argv)) >= 0)
		dry_run = true;
	if (c == OPT_DONE)
		return opt_result;
	ret = opt_args(argc, 1, 1);
	if (!ret)
		ret = cmd_start();
	if (ret)
		return ret;
	snap = load(argv[optind], &ret);
	if (!snap)
		return ret;
	ret = snapshot_check(snap, argv[optind]);
	if (ret)
		ftm_err("%s: refused; nothing changed", argv[optind]);
	else if (!dry_run)
		ret = snapshot_apply(snap);
	json_decref(snap);
	return ret;
}

static const struct ftm_opt opts[] = {
	{ OPT_DRY_RUN, "dry-run", NULL, "only check FILE against this kernel", NULL },
	OPTS_END
};

const struct ftm_cmd restore_command = {
	.name = "restore",
	.args = "FILE",
	.comp = "@file",
	.help = "set up the tracers of a saved file",
	.opts = opts,
	.examples =
		"ftrace-mux restore --dry-run tracers.json\n"
		"ftrace-mux restore tracers.json\n",
	.run = cmd_restore,
};
