// SPDX-License-Identifier: GPL-2.0
/*
 * The completion for zsh, from the commands' descriptions.  compadd quotes what
 * it inserts, and what a parameter holds is not expanded again.
 */
#include <string.h>
#include "cli/cli.h"

static const char helpers[] =
	"__ftrace_mux_dir=${FTRACE_MUX_TRACING_DIR:-/sys/kernel/tracing}\n"
	"__ftrace_mux_tracer() { compadd -- ${(f)\"$(ftrace-mux list --all --names 2>/dev/null | grep -v '^\\[')\"} }\n"
	"__ftrace_mux_instance() { compadd -- $__ftrace_mux_dir/instances/*(N/:t) }\n"
	"__ftrace_mux_function() {\n"
	"\t[[ -n $PREFIX ]] && compadd -- ${(f)\"$(grep -o \"^${PREFIX//[^A-Za-z0-9_.]/}[^ ]*\" $__ftrace_mux_dir/available_filter_functions 2>/dev/null)\"}\n"
	"}\n"
	"__ftrace_mux_spec() { compset -P '*[:,]' && __ftrace_mux_function }\n"
	"__ftrace_mux_event() { compadd -- ${(f)\"$(cat $__ftrace_mux_dir/available_events 2>/dev/null)\"} }\n"
	"# the tracers in the recording that the line names\n"
	"__ftrace_mux_recorded() {\n"
	"\tlocal file\n"
	"\tfor file in ${(Q)words[2,-1]} trace.dat; do\n"
	"\t\t[[ -f $file ]] || continue\n"
	"\t\tcompadd -- ${(f)\"$(ftrace-mux report --names -- $file 2>/dev/null)\"}\n"
	"\t\treturn\n"
	"\tdone\n"
	"}\n"
	"__ftrace_mux_file() { _files }\n"
	"__ftrace_mux_plugin() { compadd function function_graph }\n"
	"__ftrace_mux_program() { _alternative 'programs:program:_command_names -e' 'files:file:_files' }\n"
	"__ftrace_mux_pid() { _pids }\n";

/* Inside '...' of _arguments: quotes, brackets and colons have a meaning. */
static void escape(const char *s)
{
	for (; *s; s++) {
		if (*s == '\'')
			fputs("'\\''", stdout);
		else if (strchr("[]:\\", *s))
			printf("\\%c", *s);
		else
			putchar(*s);
	}
}

static void action(const char *word)
{
	if (!strcmp(word, "@command"))
		fputs("($ours)", stdout);
	else if (*word == '@')
		printf("__ftrace_mux_%.*s", (int)strcspn(word + 1, "."), word + 1);
	else
		printf("(%s)", word);
}

static void options(const struct ftm_opt *o)
{
	for (; o->name; o++) {
		fputs(" \\\n\t\t", stdout);
		if (o->key < OPT_LONG)
			printf("'*'{-%c,--%s}'[", o->key, o->name);
		else
			printf("'*--%s[", o->name);
		escape(o->help);
		putchar(']');
		if (o->arg) {
			putchar(':');
			escape(o->arg);
			putchar(':');
			if (o->comp)
				action(o->comp);
		}
		putchar('\'');
	}
}

static void arguments(const struct ftm_cmd *c)
{
	struct strlist words = { };
	size_t i;

	if (!c->comp) {
		/* it takes some, but nothing can be offered */
		if (*c->args)
			fputs(" \\\n\t\t'*:argument: '", stdout);
		return;
	}
	if (c->comp[0] != '@') {
		fputs(" \\\n\t\t'1:value:", stdout);
		action(c->comp);
		putchar('\'');
		return;
	}
	strlist_split(&words, c->comp, " ");
	for (i = 0; i < words.n; i++) {
		if (strstr(words.v[i], "..."))
			fputs(" \\\n\t\t'*:argument:", stdout);
		else
			printf(" \\\n\t\t'%zu:argument:", i + 1);
		action(words.v[i]);
		putchar('\'');
	}
	strlist_free(&words);
}

void completion_zsh(void)
{
	const struct ftm_cmd *c;

	puts("#compdef ftrace-mux\n"
	     "# zsh completion for ftrace-mux; made by \"ftrace-mux completion zsh\"");
	fputs(helpers, stdout);
	puts("_ftrace-mux() {\n"
	     "\tlocal curcontext=$curcontext state line\n"
	     "\t# not $commands, which are the programs\n"
	     "\tlocal -a ours described\n"
	     "\tours=(");
	for_each_cmd(c)
		printf("\t\t%s\n", c->name);
	puts("\t)\n\tdescribed=(");
	for_each_cmd(c) {
		printf("\t\t'%s:", c->name);
		escape(c->help);
		puts("'");
	}
	fputs("\t)\n\t_arguments -C", stdout);
	options(ftm_global_opts);
	puts(" \\\n\t\t'1:command:->command' \\\n\t\t'*::argument:->argument'\n"
	     "\tcase $state in\n"
	     "\tcommand) _describe command described; return ;;\n"
	     "\tesac\n"
	     "\tcase $words[1] in");
	for_each_cmd(c) {
		printf("\t%s) _arguments%s", c->name, c->wraps ? " -A '-*'" : "");
		options(c->opts);
		options(ftm_global_opts);
		arguments(c);
		puts(" ;;");
	}
	puts("\tesac\n}\n"
	     "if [[ $funcstack[1] == _ftrace-mux ]]; then _ftrace-mux \"$@\"; else compdef _ftrace-mux ftrace-mux; fi");
}
