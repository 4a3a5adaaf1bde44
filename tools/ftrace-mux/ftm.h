/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Definitions shared by all parts of ftrace-mux.
 *
 * Functions return an enum ftm_exit value where the caller passes the result
 * on to the shell, otherwise 0 or -1 with errno set.  Whoever finds an error
 * reports it with ftm_err() once; callers only clean up.
 */
#ifndef FTM_H
#define FTM_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>
#include <jansson.h>

#define FTM_VERSION	"1.0"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define __printf(a, b)	__attribute__((format(printf, a, b)))

enum ftm_exit {
	FTM_OK		= 0,
	FTM_FAIL	= 1,
	FTM_USAGE	= 2,
	FTM_NOKERNEL	= 3,	/* the kernel lacks the feature */
	FTM_NOPERM	= 4,
};

/* What the global options say; the defaults are all zero. */
struct ftm_globals {
	bool json;
	bool pretty;
	bool no_pager;
	int verbose;		/* -1 = quiet */
	int color;		/* enum ftm_color */
};

enum ftm_color { COLOR_AUTO, COLOR_YES, COLOR_NO };

extern struct ftm_globals ftm;

/* ---- strlist.c: growing lists of strings ---- */

struct strlist {
	char **v;
	size_t n;
};

void strlist_add(struct strlist *l, const char *s);
void strlist_addn(struct strlist *l, const char *s, size_t len);
void strlist_sort(struct strlist *l);
bool strlist_has(const struct strlist *l, const char *s);
bool strlist_has_sorted(const struct strlist *l, const char *s);
void strlist_remove(struct strlist *l, const char *s);
void strlist_split(struct strlist *l, const char *s, const char *delim);
char *strlist_join(const struct strlist *l, const char *sep);
void strlist_free(struct strlist *l);

/* ---- util.c: memory, messages, colours ---- */

void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t size);
char *xstrdup(const char *s);
char *xasprintf(const char *fmt, ...) __printf(1, 2);

/* "ftrace-mux: MESSAGE" on stderr; with --json also {"error":...} on stdout */
void ftm_err(const char *fmt, ...) __printf(1, 2);
void ftm_warn(const char *fmt, ...) __printf(1, 2);	/* not with -q */
void ftm_info(const char *fmt, ...) __printf(1, 2);	/* with -v */
int ftm_usage(const char *fmt, ...) __printf(1, 2);	/* returns FTM_USAGE */
int ftm_exit_errno(int err);
void ftm_print_json(json_t *j);			/* steals the reference */
bool ftm_use_color(void);
const char *clr(const char *name);		/* "bold", "red", ...; "" if off */
int ftm_close_stdout(int ret);
bool parse_num(const char *s, long min, long max, long *res);

/* ---- term.c: progress, pager, size of the terminal ---- */

void progress_begin(const char *fmt, ...) __printf(1, 2);
void progress_end(void);
void pager_start(void);
void pager_end(void);
void term_size(int *rows, int *cols);

/* ---- table.c: columns as wide as their contents ---- */

struct table;

struct table *table_new(const char *const *head, int ncols);
void table_row(struct table *t, ...);		/* ncols strings, NULL = "-" */
void table_print(struct table *t);		/* prints and frees */
void table_free(struct table *t);

/* ---- tfs.c: the tracing directory ---- */

int tfs_init(void);				/* enum ftm_exit */
const char *tfs_dir(void);
char *tfs_path(const char *fmt, ...) __printf(1, 2);
char *tfs_read(const char *path);		/* whole file, NULL and errno */
char *tfs_read_line(const char *path);		/* first line, trimmed */
long tfs_read_long(const char *path, long dflt);
int tfs_write(const char *path, const char *s);		/* truncates */
int tfs_append(const char *path, const char *s);
bool tfs_exists(const char *path);
char *tfs_error_log(const char *dir);		/* last entry or NULL */
int tfs_fail(const char *what, const char *path, int err);
int tfs_set(char *path, const char *value);	/* reports, frees @path */
int tfs_need_mux(const char *file);

/* ---- state.c: what must not outlive this process ---- */

extern volatile sig_atomic_t ftm_stop;		/* number of the signal */
extern volatile sig_atomic_t ftm_pipe;		/* nobody reads what we write */

void state_catch_signals(void);
void state_reap(void);
int state_add(const char *instance);
void state_forget(const char *instance);
void state_cleanup(void);
const char *state_dir(void);
int state_make_dir(void);

/* ---- options.c, help.c, completion.c ---- */

struct ftm_opt {
	int key;		/* the short option, or >= OPT_LONG */
	const char *name;
	const char *arg;	/* NULL: takes none */
	const char *help;
	const char *comp;	/* how its value is completed: completion.c */
};

struct ftm_cmd {
	const char *name;
	const char *args;
	const char *comp;	/* how its arguments are completed */
	const char *help;
	const struct ftm_opt *opts;
	int (*run)(int argc, char **argv);
};

#define OPT_LONG	256
#define OPT_END		(-1)	/* no more options: see optind */
#define OPT_DONE	(-2)	/* wrong usage or --help: return opt_result */

extern const struct ftm_opt ftm_global_opts[];
extern const struct ftm_cmd ftm_cmds[];
extern int opt_result;

const struct ftm_cmd *cmd_find(const char *name);
void opt_start(const struct ftm_cmd *cmd);
int opt_next(int argc, char **argv);
int opt_args(int argc, int min, int max);	/* enum ftm_exit */
int opt_plain(int argc, char **argv, int min, int max);
int cmd_start(void);				/* enum ftm_exit */
void help_command(const struct ftm_cmd *cmd, FILE *f);
void help_all(FILE *f);
void help_version(FILE *f);

/* Keys of the long-only options; a key has one meaning in all commands. */
enum {
	OPT_PRETTY = OPT_LONG, OPT_COLOR, OPT_NO_PAGER,
	OPT_ALL, OPT_NAMES, OPT_CALLERS,
	OPT_APPEND, OPT_REMOVE, OPT_CLEAR, OPT_FILE, OPT_DRY_RUN,
	OPT_PID, OPT_NOTRACE_PID, OPT_BUFFER, OPT_STOPPED,
	OPT_FUNCTIONS, OPT_ONCE,
};

#define CMD_LIST(X)							\
	X(status) X(list) X(default) X(filter) X(notrace) X(add) X(del)	\
	X(enable) X(disable) X(which) X(record) X(watch) X(top)		\
	X(save) X(restore) X(view) X(check) X(completion) X(help)

#define X(n) int cmd_##n(int argc, char **argv);
CMD_LIST(X)
#undef X

#endif
