// SPDX-License-Identifier: GPL-2.0
/*
 * The completion for fish, from the commands' descriptions.  What a command
 * substitution gives is offered line by line and not expanded again.
 */
#include <string.h>
#include "cli/cli.h"

static const char helpers[] =
	"set -q FTRACE_MUX_TRACING_DIR; and set -g __ftrace_mux_dir $FTRACE_MUX_TRACING_DIR; or set -g __ftrace_mux_dir /sys/kernel/tracing\n"
	"function __ftrace_mux_tracer; ftrace-mux list --all --names 2>/dev/null | string match -rv '^\\[|^$'; end\n"
	"function __ftrace_mux_instance; path basename $__ftrace_mux_dir/instances/*/; end\n"
	"function __ftrace_mux_function\n"
	"\tset -l cur (string replace -ar '[^A-Za-z0-9_.]' '' -- (commandline -ct))\n"
	"\ttest -n \"$cur\"; and grep -o \"^$cur\"'[^ ]*' $__ftrace_mux_dir/available_filter_functions 2>/dev/null\n"
	"end\n"
	"function __ftrace_mux_spec\n"
	"\tset -l parts (string match -r '^(.*[:,])(.*)$' -- (commandline -ct)); or return\n"
	"\tset -l cur (string replace -ar '[^A-Za-z0-9_.]' '' -- $parts[3])\n"
	"\ttest -n \"$cur\"; and grep -o \"^$cur\"'[^ ]*' $__ftrace_mux_dir/available_filter_functions 2>/dev/null | string replace -r '^' $parts[2]\n"
	"end\n"
	"function __ftrace_mux_event; cat $__ftrace_mux_dir/available_events 2>/dev/null; end\n"
	"# the tracers in the recording that the line names\n"
	"function __ftrace_mux_recorded\n"
	"\tfor file in (commandline -op)[3..-1] trace.dat\n"
	"\t\ttest -f \"$file\"; or continue\n"
	"\t\tftrace-mux report --names -- $file 2>/dev/null\n"
	"\t\treturn\n"
	"\tend\n"
	"end\n"
	"function __ftrace_mux_plugin; printf '%s\\n' function function_graph; end\n"
	"# what follows is a command line of its own\n"
	"function __ftrace_mux_program\n"
	"\tset -l cur (commandline -ct)\n"
	"\tstring match -q '*/*' -- $cur; and return\n"
	"\tfor dir in $PATH\n"
	"\t\tset -l files $dir/$cur*\n"
	"\t\tpath filter -fx -- $files | path basename\n"
	"\tend\n"
	"end\n"
	"function __ftrace_mux_pid; __fish_complete_pids; end\n"
	"function __ftrace_mux_no_command; not __fish_seen_subcommand_from $__ftrace_mux_commands; end\n"
	"function __ftrace_mux_args\n"
	"\tset -l n -2\n"
	"\tset -l skip\n"
	"\tset -l cmd\n"
	"\tfor word in (commandline -opc)\n"
	"\t\tif test -n \"$skip\"; set skip; continue; end\n"
	"\t\tif string match -q -- '-*' $word; __ftrace_mux_takes $cmd:$word; and set skip yes; continue; end\n"
	"\t\tset n (math $n + 1)\n"
	"\t\ttest $n = 0; and set cmd $word\n"
	"\tend\n"
	"\techo $n\n"
	"end\n";

/* Inside '...': a quote and a backslash have a meaning. */
static void escape(const char *s)
{
	for (; *s; s++)
		printf("%s%c", *s == '\'' || *s == '\\' ? "\\" : "", *s);
}

static void action(const char *word, bool value)
{
	if (!strncmp(word, "@file", 5))
		fputs(" -F", stdout);
	else if (!strcmp(word, "@program"))
		fputs(" -F -a '(__ftrace_mux_program)'", stdout);
	else if (!strcmp(word, "@command"))
		printf("%s -a \"$__ftrace_mux_commands\"", value ? "" : " -f");
	else if (*word == '@')
		printf("%s -a '(__ftrace_mux_%.*s)'", value ? "" : " -f",
		       (int)strcspn(word + 1, "."), word + 1);
	else
		printf("%s -a '%s'", value ? "" : " -f", word);
}

static void options(const char *cmd, const struct ftm_opt *o)
{
	for (; o->name; o++) {
		fputs("complete -c ftrace-mux", stdout);
		if (cmd)
			printf(" -n '__fish_seen_subcommand_from %s'", cmd);
		if (o->key < OPT_LONG)
			printf(" -s %c", o->key);
		printf(" -l %s -d '", o->name);
		escape(o->help);
		putchar('\'');
		if (o->arg) {
			fputs(" -r", stdout);
			if (!o->comp || strcmp(o->comp, "@file"))
				fputs(" -f", stdout);
			if (o->comp)
				action(o->comp, true);
		}
		putchar('\n');
	}
}

static void arguments(const struct ftm_cmd *c)
{
	struct strlist l = { };
	size_t i;

	if (c->comp[0] == '@')
		strlist_split(&l, c->comp, " ");
	else
		strlist_add(&l, c->comp);
	for (i = 0; i < l.n; i++) {
		printf("complete -c ftrace-mux -n '__fish_seen_subcommand_from %s", c->name);
		if (l.n > 1)
			printf("; and test (__ftrace_mux_args) -%s %zu",
			       i + 1 < l.n ? "eq" : "ge", i);
		putchar('\'');
		action(l.v[i], false);
		putchar('\n');
	}
	strlist_free(&l);
}

/* Is $argv[1], "COMMAND:OPTION", followed by a value? */
static void takes_function(void)
{
	const struct ftm_cmd *c;
	const struct ftm_opt *o;

	fputs("function __ftrace_mux_takes\n\tcontains -- $argv[1] :--color", stdout);
	for_each_cmd(c) {
		printf(" %s:--color", c->name);
		for (o = c->opts; o->name; o++) {
			if (o->arg)
				printf(" %s:--%s", c->name, o->name);
			if (o->arg && o->key < OPT_LONG)
				printf(" %s:-%c", c->name, o->key);
		}
	}
	puts("\nend");
}

void completion_fish(void)
{
	const struct ftm_cmd *c;

	puts("# fish completion for ftrace-mux; made by \"ftrace-mux completion fish\"");
	fputs(helpers, stdout);
	takes_function();
	fputs("set -g __ftrace_mux_commands", stdout);
	for_each_cmd(c)
		printf(" %s", c->name);
	puts("\ncomplete -c ftrace-mux -f");
	options(NULL, ftm_global_opts);
	for_each_cmd(c) {
		printf("complete -c ftrace-mux -n __ftrace_mux_no_command -a %s -d '", c->name);
		escape(c->help);
		puts("'");
		options(c->name, c->opts);
		if (c->comp)
			arguments(c);
	}
}
