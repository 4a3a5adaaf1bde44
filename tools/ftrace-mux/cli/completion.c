// SPDX-License-Identifier: GPL-2.0
/*
 * Completion scripts from the option table.
 *
 * Both call one function per kind of word: "@tracer" becomes
 * __ftrace_mux_tracer, which is written below; other words stand for
 * themselves.
 */
#include <string.h>
#include "cli/cli.h"

static const char bash_helpers[] =
	"__ftrace_mux_dir=${FTRACE_MUX_TRACING_DIR:-/sys/kernel/tracing}\n"
	"__ftrace_mux_tracer() {\n"
	"\tlocal all=$(ftrace-mux list --all --names 2>/dev/null | grep -v '^\\[')\n"
	"\tCOMPREPLY=( $(compgen -W \"$all\" -- \"$cur\") )\n"
	"}\n"
	"__ftrace_mux_instance() { COMPREPLY=( $(compgen -W \"$(ls \"$__ftrace_mux_dir/instances\" 2>/dev/null)\" -- \"$cur\") ); }\n"
	"__ftrace_mux_function() {\n"
	"\t# without a beginning there would be tens of thousands\n"
	"\t[[ -n $cur ]] && COMPREPLY=( $(grep -o \"^${cur//[^A-Za-z0-9_]/}[^ ]*\" \"$__ftrace_mux_dir/available_filter_functions\" 2>/dev/null) )\n"
	"}\n"
	"__ftrace_mux_file() { COMPREPLY=( $(compgen -f -- \"$cur\") ); compopt -o filenames 2>/dev/null; }\n"
	"__ftrace_mux_plugin() { COMPREPLY=( $(compgen -W 'function function_graph' -- \"$cur\") ); }\n"
	"__ftrace_mux_pid() {\n"
	"\tCOMPREPLY=( $(compgen -W \"$(cd /proc && echo [0-9]*)\" -- \"$cur\") )\n"
	"}\n";

static const char zsh_helpers[] =
	"__ftrace_mux_dir=${FTRACE_MUX_TRACING_DIR:-/sys/kernel/tracing}\n"
	"__ftrace_mux_tracer() { compadd -- ${(f)\"$(ftrace-mux list --all --names 2>/dev/null | grep -v '^\\[')\"} }\n"
	"__ftrace_mux_instance() { compadd -- $__ftrace_mux_dir/instances/*(N/:t) }\n"
	"__ftrace_mux_function() {\n"
	"\t[[ -n $PREFIX ]] && compadd -- ${(f)\"$(grep -o \"^${PREFIX//[^A-Za-z0-9_]/}[^ ]*\" $__ftrace_mux_dir/available_filter_functions 2>/dev/null)\"}\n"
	"}\n"
	"__ftrace_mux_file() { _files }\n"
	"__ftrace_mux_plugin() { compadd function function_graph }\n"
	"__ftrace_mux_pid() { _pids }\n";

static void bash_words(const char *comp, int skip)
{
	struct strlist words = { };
	char *w;

	strlist_split(&words, comp, " ");
	if (!strcmp(comp, "@command")) {
		fputs("COMPREPLY=( $(compgen -W \"$commands\" -- \"$cur\") )", stdout);
	} else if (comp[0] == '@') {
		w = words.v[(size_t)skip < words.n ? (size_t)skip : words.n - 1];
		printf("__ftrace_mux_%.*s", (int)strcspn(w + 1, "."), w + 1);
	} else {
		printf("COMPREPLY=( $(compgen -W '%s' -- \"$cur\") )", comp);
	}
	strlist_free(&words);
}

static void bash_option_names(const struct ftm_opt *o)
{
	for (; o->name; o++) {
		if (o->key < OPT_LONG)
			printf(" -%c", o->key);
		printf(" --%s", o->name);
	}
}

/* What follows an option that takes a value. */
static void bash_values(const char *cmd, const struct ftm_opt *o)
{
	for (; o->name; o++) {
		if (!o->arg)
			continue;
		printf("\t%s:--%s", cmd, o->name);
		if (o->key < OPT_LONG)
			printf("|%s:-%c", cmd, o->key);
		fputs(") ", stdout);
		if (o->comp) {
			bash_words(o->comp, 0);
			fputs("; ", stdout);
		}
		puts("return ;;");
	}
}

static void bash_arguments(const struct ftm_cmd *c)
{
	struct strlist words = { };

	strlist_split(&words, c->comp, " ");
	printf("\t%s) ", c->name);
	if (words.n > 1 && c->comp[0] == '@') {
		fputs("if ((nargs == 0)); then ", stdout);
		bash_words(c->comp, 0);
		fputs("; else ", stdout);
		bash_words(c->comp, 1);
		puts("; fi ;;");
	} else {
		bash_words(c->comp, 0);
		puts(" ;;");
	}
	strlist_free(&words);
}

void completion_bash(void)
{
	const struct ftm_cmd *c;

	puts("# bash completion for ftrace-mux; made by \"ftrace-mux completion bash\"");
	fputs(bash_helpers, stdout);
	puts("_ftrace_mux() {\n"
	     "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
	     "\tlocal i cmd= opts nargs=0");
	fputs("\tlocal commands='", stdout);
	for_each_cmd(c)
		printf("%s%s", c == *ftm_cmds ? "" : " ", c->name);
	puts("'\n"
	     "\tCOMPREPLY=()\n"
	     "\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
	     "\t\tcase ${COMP_WORDS[i]} in\n"
	     "\t\t--color) i=$((i + 1)) ;;\n"
	     "\t\t-*) ;;\n"
	     "\t\t*) if [[ -z $cmd ]]; then cmd=${COMP_WORDS[i]}; else nargs=$((nargs + 1)); fi ;;\n"
	     "\t\tesac\n"
	     "\tdone\n"
	     "\tcase $cmd:$prev in");
	fputs("\t*:--color) ", stdout);
	bash_words("auto yes no", 0);
	puts("; return ;;");
	for_each_cmd(c)
		bash_values(c->name, c->opts);
	puts("\tesac");
	fputs("\topts='", stdout);
	bash_option_names(ftm_global_opts);
	puts("'\n\tcase $cmd in");
	for_each_cmd(c) {
		if (!c->opts->name)
			continue;
		printf("\t%s) opts+='", c->name);
		bash_option_names(c->opts);
		puts("' ;;");
	}
	puts("\tesac\n"
	     "\tif [[ $cur == -* ]]; then\n"
	     "\t\tCOMPREPLY=( $(compgen -W \"$opts\" -- \"$cur\") )\n"
	     "\t\treturn\n"
	     "\tfi\n"
	     "\tcase $cmd in\n"
	     "\t'') COMPREPLY=( $(compgen -W \"$commands\" -- \"$cur\") ) ;;");
	for_each_cmd(c)
		if (c->comp)
			bash_arguments(c);
	puts("\tesac\n}\ncomplete -F _ftrace_mux ftrace-mux");
}

/* Inside '...' of _arguments: quotes, brackets and colons have a meaning. */
static void zsh_escape(const char *s)
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

static void zsh_action(const char *word)
{
	if (!strcmp(word, "@command"))
		fputs("($commands)", stdout);
	else if (*word == '@')
		printf("__ftrace_mux_%.*s", (int)strcspn(word + 1, "."), word + 1);
	else
		printf("(%s)", word);
}

static void zsh_options(const struct ftm_opt *o)
{
	for (; o->name; o++) {
		fputs(" \\\n\t\t", stdout);
		if (o->key < OPT_LONG)
			printf("'*'{-%c,--%s}'[", o->key, o->name);
		else
			printf("'*--%s[", o->name);
		zsh_escape(o->help);
		putchar(']');
		if (o->arg) {
			putchar(':');
			zsh_escape(o->arg);
			putchar(':');
			if (o->comp)
				zsh_action(o->comp);
		}
		putchar('\'');
	}
}

static void zsh_arguments(const struct ftm_cmd *c)
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
		zsh_action(c->comp);
		putchar('\'');
		return;
	}
	strlist_split(&words, c->comp, " ");
	for (i = 0; i < words.n; i++) {
		if (strstr(words.v[i], "..."))
			fputs(" \\\n\t\t'*:argument:", stdout);
		else
			printf(" \\\n\t\t'%zu:argument:", i + 1);
		zsh_action(words.v[i]);
		putchar('\'');
	}
	strlist_free(&words);
}

void completion_zsh(void)
{
	const struct ftm_cmd *c;

	puts("#compdef ftrace-mux\n"
	     "# zsh completion for ftrace-mux; made by \"ftrace-mux completion zsh\"");
	fputs(zsh_helpers, stdout);
	puts("_ftrace-mux() {\n"
	     "\tlocal curcontext=$curcontext state line\n"
	     "\tlocal -a commands described\n"
	     "\tcommands=(");
	for_each_cmd(c)
		printf("\t\t%s\n", c->name);
	puts("\t)\n\tdescribed=(");
	for_each_cmd(c) {
		printf("\t\t'%s:", c->name);
		zsh_escape(c->help);
		puts("'");
	}
	fputs("\t)\n\t_arguments -C", stdout);
	zsh_options(ftm_global_opts);
	puts(" \\\n\t\t'1:command:->command' \\\n\t\t'*::argument:->argument'\n"
	     "\tcase $state in\n"
	     "\tcommand) _describe command described; return ;;\n"
	     "\tesac\n"
	     "\tcase $words[1] in");
	for_each_cmd(c) {
		printf("\t%s) _arguments", c->name);
		zsh_options(c->opts);
		zsh_options(ftm_global_opts);
		zsh_arguments(c);
		puts(" ;;");
	}
	puts("\tesac\n}\n"
	     "if [[ $funcstack[1] == _ftrace-mux ]]; then _ftrace-mux \"$@\"; else compdef _ftrace-mux ftrace-mux; fi");
}
