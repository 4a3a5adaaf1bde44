// SPDX-License-Identifier: GPL-2.0
/* ftrace-mux export [FILE]: a recording for the programs that draw it. */
#include <getopt.h>
#include <string.h>
#include "cli/cli.h"
#include "recording/export.h"
#include "recording/output.h"

static int set_format(struct export *x, const char *name)
{
	if (!strcmp(name, "chrome"))
		x->format = &export_chrome;
	else if (!strcmp(name, "folded"))
		x->format = &export_folded;
	else
		return ftm_usage("--format %s: must be chrome or folded", name);
	return FTM_OK;
}

static int parse(int argc, char **argv, struct export *x, struct strlist *tracers)
{
	int c, ret = FTM_OK;

	while (!ret && (c = opt_next(argc, argv)) >= 0) {
		switch (c) {
		case 'f':
			ret = set_format(x, optarg);
			break;
		case 't':
			strlist_add(tracers, optarg);
			break;
		case OPT_TIME:
			x->time = true;
			break;
		}
	}
	if (ret)
		return ret;
	if (c == OPT_DONE)
		return opt_result ? opt_result : -1;
	if (x->time && x->format != &export_folded)
		return ftm_usage("--time: is for --format folded; chrome has the times");
	return opt_args(argc, 0, 1);
}

static int cmd_export(int argc, char **argv)
{
	struct export x = { .format = &export_chrome };
	struct strlist tracers = { };
	const char *file = RECORDING;
	int ret = parse(argc, argv, &x, &tracers);

	if (!ret) {
		catch_signals();
		if (optind < argc)
			file = argv[optind];
		x.file = trace_file_open(file);
		ret = x.file ? trace_file_check(x.file, file, &tracers) : FTM_FAIL;
		if (!ret)
			export_run(&x, &tracers);
		if (!ret && ftm_stop)
			ret = FTM_FAIL;
		if (x.file)
			trace_file_close(x.file);
	}
	strlist_free(&tracers);
	return ret < 0 ? FTM_OK : ret;
}

static const struct ftm_opt opts[] = {
	{ 'f', "format", "FORMAT", "chrome (default: Perfetto, speedscope) or folded (flame graph)",
	  "chrome folded" },
	{ 't', "tracer", "NAME", "only this tracer; may be repeated", "@recorded" },
	{ OPT_TIME, "time", NULL, "folded: nanoseconds in each function instead of calls", NULL },
	OPTS_END
};

const struct ftm_cmd export_command = {
	.name = "export",
	.args = "[FILE]",
	.comp = "@file",
	.help = "write a recording for programs that draw it",
	.opts = opts,
	.examples =
		"ftrace-mux export > trace.json\n"
		"ftrace-mux export -f folded trace.dat | flamegraph.pl > trace.svg\n",
	.run = cmd_export,
};
