/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A command describes itself in a struct ftm_cmd.  --help, the completions and
 * the test of the man pages are made from it; getopt_long() reads by it.
 */
#ifndef FTM_CLI_H
#define FTM_CLI_H

#include "base/ftm.h"

struct ftm_opt {
	int key;		/* the short option, or >= OPT_LONG */
	const char *name;
	const char *arg;	/* NULL: takes none */
	const char *help;
	const char *comp;	/* how its value is completed */
};

/*
 * Completion words: @tracer @instance @function @file @plugin @command @pid
 * @program @event @spec (NAME:PATTERN,...) @recorded (the tracers of a recording), or the
 * values themselves.  A trailing "..." repeats the last one.
 */
struct ftm_cmd {
	const char *name;
	const char *alias;	/* another name that is taken for it; NULL */
	const char *args;
	const char *comp;	/* how its arguments are completed */
	const char *help;
	const char *examples;	/* one per line */
	const struct ftm_opt *opts;
	int (*run)(int argc, char **argv);
	bool wraps;		/* another program's options follow its arguments */
};

#define OPT_LONG	256
#define OPT_END		(-1)	/* all options are read: see optind */
#define OPT_DONE	(-2)	/* wrong usage or --help: return opt_result */
#define OPTS_END	{ 0, NULL, NULL, NULL, NULL }

extern const struct ftm_cmd *const *ftm_cmds;	/* main() sets it; ends with NULL */
#define for_each_cmd(c)	\
	for (const struct ftm_cmd *const *p_ = ftm_cmds; ((c) = *p_); p_++)

extern const struct ftm_opt ftm_global_opts[];
extern const struct ftm_opt no_opts[];
extern int opt_result;

const struct ftm_cmd *cmd_find(const char *name);
int cmd_start(void);				/* enum ftm_exit */
void opt_start(const struct ftm_cmd *cmd);
int opt_next(int argc, char **argv);
int opt_args(int argc, int min, int max);	/* enum ftm_exit */
int opt_plain(int argc, char **argv, int min, int max);
void help_cmd(const struct ftm_cmd *cmd, FILE *f);
void help_all(FILE *f);
void help_short(FILE *f);
void help_version(FILE *f);
void completion_bash(void);
void completion_zsh(void);
void completion_fish(void);

/* Keys of the long-only options; a key has one meaning in all commands. */
enum {
	OPT_PRETTY = OPT_LONG, OPT_COLOR, OPT_NO_PAGER,
	OPT_ALL, OPT_NAMES, OPT_CALLERS,
	OPT_APPEND, OPT_REMOVE, OPT_CLEAR, OPT_FILE, OPT_DRY_RUN,
	OPT_PID, OPT_NOTRACE_PID, OPT_BUFFER, OPT_STOPPED,
	OPT_FUNCTIONS, OPT_ONCE, OPT_BY, OPT_SORT, OPT_HISTOGRAM, OPT_OPENMETRICS,
	OPT_FORCE, OPT_FOLLOW, OPT_STACK, OPT_DEPTH, OPT_GRAPH, OPT_CPUS, OPT_CLOCK, OPT_DURATION,
	OPT_TIME, OPT_COMPRESS, OPT_FILTER, OPT_FUNCTION, OPT_PROCESS, OPT_LIVE, OPT_TO,
	OPT_ATTACH, OPT_ARGS, OPT_RETVAL,
};

#endif
