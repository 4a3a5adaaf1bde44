// SPDX-License-Identifier: GPL-2.0
/* Options by the tables of the commands, through getopt_long(). */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"

int opt_result;

static const struct ftm_cmd *current;
static bool version;		/* is asked for */

static size_t add_opts_to(struct option *o, char **str, const struct ftm_opt *opts)
{
	size_t n = 0;

	for (; opts->name; opts++) {
		o[n].name = opts->name;
		o[n].has_arg = opts->arg ? required_argument : no_argument;
		o[n].flag = NULL;
		o[n++].val = opts->key;
		if (opts->key < OPT_LONG) {
			*(*str)++ = opts->key;
			if (opts->arg)
				*(*str)++ = ':';
		}
	}
	return n;
}

static int set_color(const char *when)
{
	if (!strcmp(when, "auto"))
		ftm.color = COLOR_AUTO;
	else if (!strcmp(when, "yes") || !strcmp(when, "always"))
		ftm.color = COLOR_YES;
	else if (!strcmp(when, "no") || !strcmp(when, "never"))
		ftm.color = COLOR_NO;
	else
		return ftm_usage("--color %s: must be auto, yes or no", when);
	return FTM_OK;
}

/* OPT_END: it was a global option and getopt may continue. */
static int global_opt(int c)
{
	opt_result = FTM_OK;
	switch (c) {
	case 'h':
		if (current)
			help_cmd(current, stdout);
		else
			help_all(stdout);
		return OPT_DONE;
	case 'V':
		/* at the end: -j may follow */
		version = true;
		return OPT_END;
	case OPT_PRETTY:
		ftm.pretty = true;
		/* fall through */
	case 'j':
		ftm.json = true;
		return OPT_END;
	case 'q':
		ftm.verbose = -1;
		return OPT_END;
	case 'v':
		ftm.verbose = ftm.verbose < 0 ? 1 : ftm.verbose + 1;
		return OPT_END;
	case OPT_COLOR:
		opt_result = set_color(optarg);
		return opt_result ? OPT_DONE : OPT_END;
	case OPT_NO_PAGER:
		ftm.no_pager = true;
		return OPT_END;
	default:
		return c;
	}
}

static int bad_option(char **argv, const char *why)
{
	char shrt[3] = { '-', optopt };
	const char *arg = optopt > 0 && optopt < OPT_LONG ? shrt : argv[optind - 1];

	opt_result = ftm_usage("%s%s%s: %s", current ? current->name : "",
			       current ? " " : "", arg, why);
	return OPT_DONE;
}

static int say_version(void)
{
	opt_result = FTM_OK;
	help_version(stdout);
	return OPT_DONE;
}

/*
 * The next option of the running command, which does not see global ones.
 * Before the command's name: none but those.
 */
int opt_next(int argc, char **argv)
{
	struct option o[32];
	char str[64], *s = str;
	size_t n = 0;
	int c;

	/* after a command's name, options and arguments may be mixed */
	if (!current || current->wraps)
		*s++ = '+';
	*s++ = ':';
	if (current)
		n = add_opts_to(o, &s, current->opts);
	n += add_opts_to(o + n, &s, ftm_global_opts);
	*s = '\0';
	memset(&o[n], 0, sizeof(o[n]));
	opterr = 0;
	do {
		c = getopt_long(argc, argv, str, o, NULL);
		if (c == '?' || c == ':')
			return bad_option(argv, c == ':' ? "needs a value" :
					  "unknown or ambiguous option");
		if (c < 0)
			return version ? say_version() : OPT_END;
		c = global_opt(c);
	} while (c == OPT_END);
	return c;
}

/* The number of arguments after the options; reports. */
int opt_args(int argc, int min, int max)
{
	int n = argc - optind;

	if (n < min || (max >= 0 && n > max))
		return ftm_usage("%s: %s; usage: ftrace-mux %s [OPTION...]%s%s, such as %.*s",
				 current->name,
				 n < min ? "argument missing" : "too many arguments",
				 current->name, *current->args ? " " : "", current->args,
				 (int)strcspn(current->examples, "\n"), current->examples);
	return FTM_OK;
}

/* A number of seconds, such as 0.5; reports. */
/* From now on, opt_next() reads @cmd's options; NULL: those before it. */
void opt_start(const struct ftm_cmd *cmd)
{
	current = cmd;
	ftm.command = cmd ? cmd->name : NULL;
	optind = 0;
}

/* All of this for a command that has no options; -1: continue. */
int opt_plain(int argc, char **argv, int min, int max)
{
	int ret;

	if (opt_next(argc, argv) == OPT_DONE)
		return opt_result;
	ret = opt_args(argc, min, max);
	return ret ? ret : -1;
}
