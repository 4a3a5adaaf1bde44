// SPDX-License-Identifier: GPL-2.0
/* ftrace-mux save [FILE]: an old FILE stays as it is unless all is written. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "snapshot.h"

static int save(json_t *snap, const char *file)
{
	char *tmp = xasprintf("%s.new-%d", file, (int)getpid());
	FILE *f = fopen(tmp, "wxe");
	int err = 0, ret = FTM_OK;

	if (!f) {
		err = errno;
	} else {
		errno = 0;
		if (json_dumpf(snap, f, JSON_INDENT(1)) || fputc('\n', f) == EOF ||
		    fflush(f) || fsync(fileno(f)))
			err = errno ? errno : EIO;
		if (fclose(f) && !err)
			err = errno;
		if (!err && rename(tmp, file))
			err = errno;
		if (err)
			unlink(tmp);
	}
	if (err) {
		ftm_err("%s: %s", file, strerror(err));
		ret = ftm_exit_errno(err);
	}
	free(tmp);
	return ret;
}

int cmd_save(int argc, char **argv)
{
	int ret = opt_plain(argc, argv, 0, 1);
	json_t *snap;

	if (ret >= 0)
		return ret;
	ret = cmd_start();
	if (ret)
		return ret;
	snap = snapshot_take();
	if (!snap)
		return FTM_FAIL;
	if (optind < argc && strcmp(argv[optind], "-")) {
		ret = save(snap, argv[optind]);
		json_decref(snap);
	} else {
		ftm.pretty |= !ftm.json;
		ftm_print_json(snap);
	}
	return ret;
}
