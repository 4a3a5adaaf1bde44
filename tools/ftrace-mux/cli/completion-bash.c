// SPDX-License-Identifier: GPL-2.0
/*
 * The completion for bash, from the commands' descriptions.
 *
 * A name in tracefs may be a command to a shell: what is offered is compared
 * and quoted as it is, and never handed to compgen -W, which expands it.
 */
#include <string.h>
#include "cli/cli.h"

static const char helpers[] =
	"__ftrace_mux_dir=${FTRACE_MUX_TRACING_DIR:-/sys/kernel/tracing}\n"
	"__ftrace_mux_words() {\n"
	"\tlocal word quoted\n"
	"\tfor word; do\n"
	"\t\tprintf -v quoted %q \"$word\"\n"
	"\t\tif [[ $word == \"$cur\"* || $quoted == \"$cur\"* ]]; then COMPREPLY+=( \"$quoted\" ); fi\n"
	"\tdone\n"
	"}\n"
	"__ftrace_mux_tracer() {\n"
	"\tlocal -a names\n"
	"\tmapfile -t names < <(ftrace-mux list --all --names 2>/dev/null | grep -v '^\\[')\n"
	"\t__ftrace_mux_words \"${names[@]}\"\n"
	"}\n"
	"__ftrace_mux_instance() {\n"
	"\tlocal dir\n"
	"\tfor dir in \"$__ftrace_mux_dir\"/instances/*/; do\n"
	"\t\tdir=${dir%/}\n"
	"\t\t[[ -d $dir ]] && __ftrace_mux_words \"${dir##*/}\"\n"
	"\tdone\n"
	"}\n"
	"__ftrace_mux_function() {\n"
	"\tlocal -a names\n"
	"\t# without a beginning there would be tens of thousands\n"
	"\t[[ -n $cur ]] || return\n"
	"\tmapfile -t names < <(grep -o \"^${cur//[^A-Za-z0-9_.]/}[^ ]*\" \"$__ftrace_mux_dir/available_filter_functions\" 2>/dev/null)\n"
	"\t__ftrace_mux_words \"${names[@]}\"\n"
	"}\n"
	"# NAME:PATTERN,PATTERN: the last pattern\n"
	"__ftrace_mux_spec() {\n"
	"\t[[ $cur == *:* ]] || return\n"
	"\tlocal before=${cur%\"${cur##*[:,]}\"}\n"
	"\tcur=${cur##*[:,]}\n"
	"\t__ftrace_mux_function\n"
	"\tCOMPREPLY=( \"${COMPREPLY[@]/#/$before}\" )\n"
	"\tcur=$before$cur\n"
	"}\n"
	"__ftrace_mux_event() {\n"
	"\tlocal -a names\n"
	"\tmapfile -t names < <(cat \"$__ftrace_mux_dir/available_events\" 2>/dev/null)\n"
	"\t__ftrace_mux_words \"${names[@]}\"\n"
	"}\n"
	"# the tracers in the recording that the line names\n"
	"__ftrace_mux_recorded() {\n"
	"\tlocal -a names\n"
	"\tlocal file\n"
	"\tfor file in \"${COMP_WORDS[@]:2}\" trace.dat; do\n"
	"\t\t[[ -f $file ]] || continue\n"
	"\t\tmapfile -t names < <(ftrace-mux report --names -- \"$file\" 2>/dev/null)\n"
	"\t\t__ftrace_mux_words \"${names[@]}\"\n"
	"\t\treturn\n"
	"\tdone\n"
	"}\n"
	"__ftrace_mux_file() { mapfile -t COMPREPLY < <(compgen -f -- \"$cur\"); compopt -o filenames 2>/dev/null; }\n"
	"__ftrace_mux_plugin() { __ftrace_mux_words function function_graph; }\n"
	"__ftrace_mux_command() { __ftrace_mux_words $commands; }\n"
	"# what a shell would run: programs of PATH, or with a slash files\n"
	"__ftrace_mux_program() {\n"
	"\tlocal dir file IFS=:\n"
	"\tif [[ $cur == */* ]]; then __ftrace_mux_file; return; fi\n"
	"\tfor dir in $PATH; do\n"
	"\t\tfor file in \"$dir/$cur\"*; do\n"
	"\t\t\t[[ -f $file && -x $file ]] && __ftrace_mux_words \"${file##*/}\"\n"
	"\t\tdone\n"
	"\tdone\n"
	"\tmapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- \"$cur\")\n"
	"}\n"
	"__ftrace_mux_pid() {\n"
	"\tlocal dir\n"
	"\tfor dir in /proc/[0-9]*; do __ftrace_mux_words \"${dir#/proc/}\"; done\n"
	"}\n";

/* The words of the command line; a colon ends none, though bash parts them there. */
static const char words[] =
	"\tlocal IFS=$' \\t\\n' i cmd= opts nargs=0 wrapped= cur prev\n"
	"\tlocal -a words=()\n"
	"\tfor ((i = 0; i <= COMP_CWORD; i++)); do\n"
	"\t\tif ((i > 1)) && [[ ${COMP_WORDS[i]} == :* || ${COMP_WORDS[i-1]} == *: ]]; then\n"
	"\t\t\twords[${#words[@]}-1]+=${COMP_WORDS[i]}\n"
	"\t\telse\n"
	"\t\t\twords+=( \"${COMP_WORDS[i]}\" )\n"
	"\t\tfi\n"
	"\tdone\n"
	"\tcur=${words[${#words[@]}-1]} prev=${words[${#words[@]}-2]}\n"
	"\tfor ((i = 1; i < ${#words[@]} - 1; i++)); do\n"
	"\t\tcase ${words[i]} in\n"
	"\t\t--) wrapped=$cmd ;;\n"
	"\t\t-*) if __ftrace_mux_takes \"$cmd:${words[i]}\"; then i=$((i + 1)); fi ;;\n"
	"\t\t*) if [[ -z $cmd ]]; then cmd=${words[i]}; else nargs=$((nargs + 1)); fi ;;\n"
	"\t\tesac\n"
	"\tdone\n";

/* The call that offers word @nr of @comp, or its words where they stand for themselves. */
static void offer(const char *comp, size_t nr)
{
	struct strlist l = { };
	const char *w;

	if (comp[0] != '@') {
		printf("__ftrace_mux_words %s", comp);
		return;
	}
	strlist_split(&l, comp, " ");
	w = l.v[nr < l.n ? nr : l.n - 1];
	printf("__ftrace_mux_%.*s", (int)strcspn(w + 1, "."), w + 1);
	strlist_free(&l);
}

static void option_names(const struct ftm_opt *o)
{
	for (; o->name; o++) {
		if (o->key < OPT_LONG)
			printf(" -%c", o->key);
		printf(" --%s", o->name);
	}
}

/* What follows an option that takes a value. */
static void values(const char *cmd, const struct ftm_opt *o)
{
	for (; o->name; o++) {
		if (!o->arg)
			continue;
		printf("\t%s:--%s", cmd, o->name);
		if (o->key < OPT_LONG)
			printf("|%s:-%c", cmd, o->key);
		fputs(") ", stdout);
		if (o->comp) {
			offer(o->comp, 0);
			fputs("; ", stdout);
		}
		puts("return ;;");
	}
}

static void arguments(const struct ftm_cmd *c)
{
	printf("\t%s) ", c->name);
	if (c->comp[0] == '@' && strchr(c->comp, ' ')) {
		fputs("if ((nargs == 0)); then ", stdout);
		offer(c->comp, 0);
		fputs("; else ", stdout);
		offer(c->comp, 1);
		puts("; fi ;;");
	} else {
		offer(c->comp, 0);
		puts(" ;;");
	}
}

/* Is $1, "COMMAND:OPTION", followed by a value? */
static void takes_function(void)
{
	const struct ftm_cmd *c;
	const struct ftm_opt *o;

	fputs("__ftrace_mux_takes() {\n\tcase $1 in\n\t*:--color", stdout);
	for_each_cmd(c) {
		for (o = c->opts; o->name; o++) {
			if (o->arg)
				printf("|%s:--%s", c->name, o->name);
			if (o->arg && o->key < OPT_LONG)
				printf("|%s:-%c", c->name, o->key);
		}
	}
	puts(") return 0 ;;\n\tesac\n\treturn 1\n}");
}

/* After its first argument, the options are those of another program. */
static void wrapping(void)
{
	const struct ftm_cmd *c;

	for_each_cmd(c)
		if (c->wraps)
			printf("\t[[ $cmd == %s ]] && ((nargs > 0)) && wrapped=$cmd\n", c->name);
}

static void offer_function(void)
{
	const struct ftm_cmd *c;

	puts("__ftrace_mux_offer() {");
	wrapping();
	puts("\tcase ${wrapped:+none}$cmd:$prev in");
	fputs("\t*:--color) ", stdout);
	offer("auto yes no", 0);
	puts("; return ;;");
	for_each_cmd(c)
		values(c->name, c->opts);
	puts("\tesac");
	fputs("\topts='", stdout);
	option_names(ftm_global_opts);
	puts("'\n\tcase $cmd in");
	for_each_cmd(c) {
		if (!c->opts->name)
			continue;
		printf("\t%s) opts+='", c->name);
		option_names(c->opts);
		puts("' ;;");
	}
	puts("\tesac\n"
	     "\tif [[ -z $wrapped && $cur == -* ]]; then\n"
	     "\t\t__ftrace_mux_words $opts\n"
	     "\t\treturn\n"
	     "\tfi\n"
	     "\tcase $cmd in\n"
	     "\t'') __ftrace_mux_command ;;");
	for_each_cmd(c)
		if (c->comp)
			arguments(c);
	puts("\tesac\n}");
}

void completion_bash(void)
{
	const struct ftm_cmd *c;

	puts("# bash completion for ftrace-mux; made by \"ftrace-mux completion bash\"");
	fputs(helpers, stdout);
	takes_function();
	offer_function();
	puts("_ftrace_mux() {");
	fputs("\tlocal commands='", stdout);
	for_each_cmd(c)
		printf("%s%s", c == *ftm_cmds ? "" : " ", c->name);
	puts("'");
	fputs(words, stdout);
	puts("\tCOMPREPLY=()\n"
	     "\t__ftrace_mux_offer\n"
	     "\t# readline replaces only what comes after the last colon\n"
	     "\tif [[ $cur == *:* && $COMP_WORDBREAKS == *:* ]]; then\n"
	     "\t\tCOMPREPLY=( \"${COMPREPLY[@]#\"${cur%\"${cur##*:}\"}\"}\" )\n"
	     "\tfi\n"
	     "}\ncomplete -F _ftrace_mux ftrace-mux");
}
