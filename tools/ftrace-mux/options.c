// SPDX-License-Identifier: GPL-2.0
/*
 * The one table of commands and options.  --help, the completions and the
 * test of the man pages are made from it; getopt_long() reads by it.
 *
 * Completion words: @tracer @instance @function @file @plugin @command @pid, or
 * the values themselves.  A trailing "..." repeats the last one.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include "ftm.h"

#define END { 0, NULL, NULL, NULL, NULL }

const struct ftm_opt ftm_global_opts[] = {
	{ 'h', "help", NULL, "show this help and exit", NULL },
	{ 'V', "version", NULL, "show versions and what the kernel offers, and exit", NULL },
	{ 'j', "json", NULL, "write JSON; streams: an object a line", NULL },
	{ OPT_PRETTY, "pretty", NULL, "write JSON, indented", NULL },
	{ 'q', "quiet", NULL, "no warnings, no progress", NULL },
	{ 'v', "verbose", NULL, "say more; twice: the libraries' messages too", NULL },
	{ OPT_COLOR, "color", "WHEN", "use colours: auto, yes or no", "auto yes no" },
	{ OPT_NO_PAGER, "no-pager", NULL, "do not pipe long output into a pager", NULL },
	END
};

static const struct ftm_opt no_opts[] = { END };

static const struct ftm_opt list_opts[] = {
	{ OPT_ALL, "all", NULL, "also tracers that are off, and internal users", NULL },
	{ OPT_NAMES, "names", NULL, "only the names, one per line", NULL },
	END
};

static const struct ftm_opt filter_opts[] = {
	{ OPT_APPEND, "append", NULL, "add the patterns to what is set", NULL },
	{ OPT_REMOVE, "remove", NULL, "take the patterns out of what is set", NULL },
	{ OPT_CLEAR, "clear", NULL, "empty it", NULL },
	{ OPT_FILE, "file", "FILE", "read patterns from FILE ('-': standard input)", "@file" },
	{ OPT_DRY_RUN, "dry-run", NULL, "change nothing, list the functions that match", NULL },
	END
};

static const struct ftm_opt add_opts[] = {
	{ 'p', "plugin", "PLUGIN", "function (default) or function_graph", "@plugin" },
	{ 'l', "filter", "PATTERN", "trace what matches; may be repeated", "@function" },
	{ 'n', "notrace", "PATTERN", "leave out what matches; may be repeated", "@function" },
	{ OPT_PID, "pid", "PID", "trace only this process; may be repeated", "@pid" },
	{ OPT_NOTRACE_PID, "notrace-pid", "PID", "leave out this process; may be repeated",
	  "@pid" },
	{ OPT_BUFFER, "buffer", "SIZE", "buffer per CPU, e.g. 512k or 4M", NULL },
	{ OPT_STOPPED, "stopped", NULL, "do not write to the buffer yet (tracing_on is 0)", NULL },
	{ OPT_DRY_RUN, "dry-run", NULL, "change nothing, say what would be written", NULL },
	END
};

static const struct ftm_opt enable_opts[] = {
	{ 'p', "plugin", "PLUGIN", "function or function_graph (default: as before)", "@plugin" },
	END
};

static const struct ftm_opt which_opts[] = {
	{ OPT_CALLERS, "callers", NULL, "list each caller in use, its tracers, its functions",
	  NULL },
	END
};

static const struct ftm_opt record_opts[] = {
	{ 't', "tracer", "NAME:PATTERN[,PATTERN...]", "a tracer of the recording; may be repeated",
	  NULL },
	{ 'o', "output", "FILE", "write to FILE instead of trace.dat", "@file" },
	{ 'p', "plugin", "PLUGIN", "function (default) or function_graph", "@plugin" },
	{ 'e', "event", "EVENT", "record this event too, in a buffer 'events'", NULL },
	{ OPT_BUFFER, "buffer", "SIZE", "buffer per CPU and tracer, e.g. 512k or 4M", NULL },
	{ OPT_DRY_RUN, "dry-run", NULL, "show the trace-cmd command, run nothing", NULL },
	END
};

static const struct ftm_opt watch_opts[] = {
	{ OPT_ONCE, "once", NULL, "write what is in the buffers now, and end", NULL },
	{ 'c', "count", "N", "end after N events", NULL },
	END
};

static const struct ftm_opt top_opts[] = {
	{ 'd', "delay", "SECONDS", "time between refreshes (default 1)", NULL },
	{ 'n', "iterations", "N", "end after N refreshes", NULL },
	{ OPT_FUNCTIONS, "functions", "N", "show the N busiest functions (default: fill, or 10)",
	  NULL },
	END
};

static const struct ftm_opt restore_opts[] = {
	{ OPT_DRY_RUN, "dry-run", NULL, "only check FILE against this kernel", NULL },
	END
};

#define CMD(n, args, comp, help, opts) { #n, args, comp, help, opts, cmd_##n }

const struct ftm_cmd ftm_cmds[] = {
	CMD(status, "", NULL, "does this kernel multiplex, and how it is doing", no_opts),
	CMD(list, "[NAME]", "@tracer", "the tracers with their filters", list_opts),
	CMD(default, "[NAME]", "@tracer", "show or set the default tracer", no_opts),
	CMD(filter, "NAME [PATTERN...]", "@tracer @function...",
	    "show or set which functions a tracer traces", filter_opts),
	CMD(notrace, "NAME [PATTERN...]", "@tracer @function...",
	    "show or set which functions a tracer leaves out", filter_opts),
	CMD(add, "NAME", NULL, "make a new tracer: an instance with its own buffer", add_opts),
	CMD(del, "NAME...", "@instance...", "remove tracers made by add", no_opts),
	CMD(enable, "NAME...", "@tracer...", "switch tracers on", enable_opts),
	CMD(disable, "NAME...", "@tracer...", "switch tracers off, keeping their filters", no_opts),
	CMD(which, "[FUNCTION...]", "@function...",
	    "which tracers are interested in a function, and what its call site calls",
	    which_opts),
	CMD(record, "[COMMAND [ARG...]]", "@command @file...",
	    "record with several tracers at once through trace-cmd", record_opts),
	CMD(watch, "[NAME...]", "@tracer...", "live: the events of tracers in order of time",
	    watch_opts),
	CMD(top, "[NAME...]", "@tracer...", "live: calls per second and the busiest functions",
	    top_opts),
	CMD(save, "[FILE]", "@file", "write all tracers and their filters as JSON", no_opts),
	CMD(restore, "FILE", "@file", "set up the tracers of a saved file", restore_opts),
	CMD(view, "[on|off]", "on off", "show or set the view of the top level's filter files",
	    no_opts),
	CMD(check, "", NULL, "have the kernel verify all masks and call sites", no_opts),
	CMD(completion, "bash|zsh", "bash zsh", "write a completion script", no_opts),
	CMD(help, "[COMMAND]", "@command", "help on a command", no_opts),
	{ NULL, NULL, NULL, NULL, NULL, NULL }
};

int opt_result;

static const struct ftm_cmd *current;

/* An exact name, else an unambiguous beginning of one; reports. */
const struct ftm_cmd *cmd_find(const char *name)
{
	const struct ftm_cmd *c, *found = NULL;
	struct strlist could = { };

	for (c = ftm_cmds; c->name; c++) {
		if (!strcmp(c->name, name)) {
			strlist_free(&could);
			return c;
		}
		if (*name && !strncmp(c->name, name, strlen(name))) {
			strlist_add(&could, c->name);
			found = c;
		}
	}
	if (could.n > 1) {
		char *list = strlist_join(&could, ", ");

		ftm_usage("%s: could be %s", name, list);
		free(list);
		found = NULL;
	} else if (!found) {
		ftm_usage("%s: no such command", name);
	}
	strlist_free(&could);
	return found;
}

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

/* OPT_END: it was a global option and getopt may go on. */
static int global_opt(int c)
{
	opt_result = FTM_OK;
	switch (c) {
	case 'h':
		if (current)
			help_command(current, stdout);
		else
			help_all(stdout);
		return OPT_DONE;
	case 'V':
		help_version(stdout);
		return OPT_DONE;
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

	/* behind a command's name options and arguments may be mixed */
	if (!current || current->run == cmd_record)
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
			return OPT_END;
		c = global_opt(c);
	} while (c == OPT_END);
	return c;
}

/* The number of arguments behind the options; reports. */
int opt_args(int argc, int min, int max)
{
	int n = argc - optind;

	if (n < min || (max >= 0 && n > max))
		return ftm_usage("%s: %s; usage: ftrace-mux %s %s", current->name,
				 n < min ? "argument missing" : "too many arguments",
				 current->name, current->args);
	return FTM_OK;
}

/* From now on, opt_next() reads @cmd's options; NULL: those before it. */
void opt_start(const struct ftm_cmd *cmd)
{
	current = cmd;
	optind = 0;
}

/* All of this for a command without options of its own; -1: go on. */
int opt_plain(int argc, char **argv, int min, int max)
{
	int ret;

	if (opt_next(argc, argv) == OPT_DONE)
		return opt_result;
	ret = opt_args(argc, min, max);
	return ret ? ret : -1;
}
