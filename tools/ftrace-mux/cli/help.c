// SPDX-License-Identifier: GPL-2.0
/* --help and --version, from the option table. */
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>
#include "cli/cli.h"

static void print_opts(const struct ftm_opt *o, FILE *f)
{
	for (; o->name; o++) {
		char left[80];
		int n = 0;

		if (o->key < OPT_LONG)
			n = snprintf(left, sizeof(left), "  -%c, --%s", o->key, o->name);
		else
			n = snprintf(left, sizeof(left), "      --%s", o->name);
		if (o->arg)
			snprintf(left + n, sizeof(left) - n, " %s", o->arg);
		if (strlen(left) > 27)
			fprintf(f, "%s\n%-28s%s\n", left, "", o->help);
		else
			fprintf(f, "%-28s%s\n", left, o->help);
	}
}

static void print_exit_codes(FILE *f)
{
	fputs("\nExit status: 0 ok, 1 failed, 2 wrong usage, 3 not in this kernel, "
	      "4 no permission\n", f);
}

void help_cmd(const struct ftm_cmd *cmd, FILE *f)
{
	const char *line;
	size_t len;

	fprintf(f, "Usage: ftrace-mux %s [OPTION...]%s%s\n\n%s\n", cmd->name,
		*cmd->args ? " " : "", cmd->args, cmd->help);
	if (cmd->alias)
		fprintf(f, "Also called %s.\n", cmd->alias);
	if (cmd->opts->name) {
		fputs("\nOptions:\n", f);
		print_opts(cmd->opts, f);
	}
	fputs("\nGlobal options:\n", f);
	print_opts(ftm_global_opts, f);
	print_exit_codes(f);
	fprintf(f, "See also: man ftrace-mux-%s\n\nExamples:\n", cmd->name);
	for (line = cmd->examples; *line; line += len + 1) {
		len = strcspn(line, "\n");
		fprintf(f, "  %.*s\n", (int)len, line);
	}
}

/* For somebody who gave no command: their names, in lines that fit. */
void help_short(FILE *f)
{
	const struct ftm_cmd *c;
	size_t at = 0;

	fputs("Usage: ftrace-mux [OPTION...] COMMAND [ARG...]\n\nCommands:", f);
	for_each_cmd(c) {
		if (!at || at + 1 + strlen(c->name) > 76)
			at = fprintf(f, "\n ") - 1;
		at += fprintf(f, " %s", c->name);
	}
	fputs("\n\nftrace-mux help lists them, ftrace-mux COMMAND --help describes one.\n", f);
}

void help_all(FILE *f)
{
	const struct ftm_cmd *c;

	fputs("Usage: ftrace-mux [OPTION...] COMMAND [ARG...]\n\n"
	      "Manage the function tracers of this kernel.\n\nCommands:\n", f);
	for_each_cmd(c)
		fprintf(f, "  %-12s%s\n", c->name, c->help);
	fputs("\nA command may be shortened as long as it is unambiguous.\n\nGlobal options:\n", f);
	print_opts(ftm_global_opts, f);
	print_exit_codes(f);
	fputs("See also: ftrace-mux COMMAND --help, man ftrace-mux\n\nExamples:\n"
	      "  ftrace-mux add opens -l vfs_open\n  ftrace-mux watch opens\n"
	      "  ftrace-mux which vfs_open\n", f);
}

/* The libraries do not tell their versions, but their files are named so. */
static void library_version(const char *symbol, char *buf, size_t size)
{
	void *addr = dlsym(RTLD_DEFAULT, symbol);
	char target[256];
	const char *ver;
	Dl_info info;
	ssize_t n;

	snprintf(buf, size, "unknown");
	if (!addr || !dladdr(addr, &info))
		return;
	n = readlink(info.dli_fname, target, sizeof(target) - 1);
	target[n < 0 ? 0 : n] = '\0';
	ver = strstr(n < 0 ? info.dli_fname : target, ".so.");
	if (ver)
		snprintf(buf, size, "%s", ver + 4);
}

void help_version(FILE *f)
{
	const char *kernel = access("/sys/kernel/tracing/function_mux", F_OK) ?
		"not present" : "present";
	char tfs[64], tep[64];

	library_version("tracefs_tracing_dir", tfs, sizeof(tfs));
	library_version("tep_alloc", tep, sizeof(tep));
	if (ftm.json)
		ftm_print_json(json_pack("{s:s, s:s, s:s, s:s, s:s}", "version", FTM_VERSION,
					 "libtracefs", tfs, "libtraceevent", tep,
					 "libjansson", JANSSON_VERSION, "kernel", kernel));
	else
		fprintf(f, "ftrace-mux %s\nlibtracefs %s\nlibtraceevent %s\nlibjansson %s\n"
			"kernel multiplexer: %s\n", FTM_VERSION, tfs, tep, JANSSON_VERSION, kernel);
}
