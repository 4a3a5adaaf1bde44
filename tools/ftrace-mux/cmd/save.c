// SPDX-License-Identifier: GPL-2.0
/* ftrace-mux save [FILE]: an old FILE stays as it is unless all is written. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "cli/cli.h"
#include "model/snapshot.h"

static int write_to(json_t *snap, FILE *f)
{
	int err = 0;

	errno = 0;
	if (json_dumpf(snap, f, JSON_INDENT(1)) || fputc('\n', f) == EOF || fflush(f) ||
	    (fsync(fileno(f)) && errno != EINVAL && errno != EROFS))
		err = errno ? errno : EIO;
	if (fclose(f) && !err)
		err = errno;
	return err;
}

static int save(json_t *snap, const char *file)
{
	char *tmp = xasprintf("%s.new-%d", file, (int)getpid());
	int err = 0, ret = FTM_OK;
	struct stat st;
	bool direct;
	FILE *f;

	/* a pipe or a device is written to, not replaced; nor is a link */
	direct = !lstat(file, &st) && !S_ISREG(st.st_mode);
	f = direct ? fopen(file, "we") : fopen(tmp, "wxe");
	if (f)
		err = write_to(snap, f);
	else
		err = errno;
	if (!err && !direct && rename(tmp, file))
		err = errno;
	if (err) {
		if (f && !direct)
			unlink(tmp);
		ftm_err("%s: %s", file, strerror(err));
		ret = ftm_exit_errno(err);
	}
	free(tmp);
	return ret;
}

static int cmd_save(int argc, char **argv)
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

const struct ftm_cmd save_command = {
	.name = "save",
	.args = "[FILE]",
	.comp = "@file",
	.help = "write all tracers and their filters as JSON",
	.opts = no_opts,
	.examples = "ftrace-mux save tracers.json\n",
	.run = cmd_save,
};
