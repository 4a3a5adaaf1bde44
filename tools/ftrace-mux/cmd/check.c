// SPDX-License-Identifier: GPL-2.0
/* ftrace-mux check: the kernel's sanity pass. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"
#include "term/term.h"
#include "tracefs/tfs.h"

static int print(char *text)
{
	struct strlist lines = { };
	json_t *bad = json_array();
	bool ok = !strncmp(text, "ok", 2);
	size_t i;

	strlist_split(&lines, text, "\n");
	for (i = 0; i < lines.n; i++) {
		if (!strncmp(lines.v[i], "violation: ", 11))
			json_array_append_new(bad, json_string(lines.v[i] + 11));
		if (!ftm.json)
			printf("%s%s%s\n", clr(ok ? "green" : "red"), lines.v[i], clr("off"));
	}
	if (ftm.json)
		ftm_print_json(json_pack("{s:b, s:s, s:o}", "ok", ok, "text",
					 lines.n ? lines.v[0] : "", "violations", bad));
	else
		json_decref(bad);
	if (!ok)
		ftm_err("function_mux_check: the kernel found violations; please report them");
	strlist_free(&lines);
	return ok ? FTM_OK : FTM_FAIL;
}

static int cmd_check(int argc, char **argv)
{
	int ret = opt_plain(argc, argv, 0, 0);
	char *path, *text;

	if (ret >= 0)
		return ret;
	ret = cmd_start();
	if (!ret)
		ret = tfs_need_mux("function_mux_check");
	if (ret)
		return ret;
	path = tfs_path("function_mux_check");
	progress_begin("checking");
	text = tfs_read(path);
	progress_end();
	ret = text ? print(text) : tfs_fail("reading", path, errno);
	free(text);
	free(path);
	return ret;
}

const struct ftm_cmd check_command = {
	.name = "check",
	.args = "",
	.help = "have the kernel verify all masks and call sites",
	.opts = no_opts,
	.examples = "ftrace-mux check\n",
	.run = cmd_check,
};
