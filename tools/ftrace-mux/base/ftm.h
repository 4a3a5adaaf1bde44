/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What all parts of ftrace-mux use.
 *
 * The folders are layers, from below: base, term, tracefs, model, events,
 * recording, cli, cmd.  A file includes headers of its own folder and of those
 * below it.  It calls what is above only through a function that was
 * registered with it (atexit(), ftm_before_message).
 *
 * Functions return an enum ftm_exit value where the caller passes the result
 * on to the shell, otherwise 0 or -1 with errno set.  The function that finds an error
 * reports it with ftm_err() once; callers only clean up.
 */
#ifndef FTM_H
#define FTM_H

#include <signal.h>
#include <stdarg.h>
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

enum ftm_color { COLOR_AUTO, COLOR_YES, COLOR_NO };

/* What the global options say; the defaults are all zero. */
struct ftm_globals {
	bool json;
	bool pretty;
	bool no_pager;
	int verbose;		/* -1 = quiet */
	enum ftm_color color;
	const char *command;	/* the running one; NULL: none yet */
};

extern struct ftm_globals ftm;

/* ---- mem.c: memory; without it the program ends, and what atexit() knows is done ---- */

void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t size);
char *xstrdup(const char *s);
char *xasprintf(const char *fmt, ...) __printf(1, 2);
char *xvasprintf(const char *fmt, va_list ap) __printf(1, 0);

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

/* closest.c: the word that looks most like @word; NULL: none does */
const char *strlist_closest(const struct strlist *l, const char *word);

/* ---- msg.c: messages and colours ---- */

extern void (*ftm_before_message)(void);	/* clears what is on the line; may be NULL */

/* "ftrace-mux: MESSAGE" on stderr; with --json also {"error":...} on stdout */
void ftm_err(const char *fmt, ...) __printf(1, 2);
void ftm_warn(const char *fmt, ...) __printf(1, 2);	/* not with -q */
void ftm_note(const char *fmt, ...) __printf(1, 2);	/* not with -q */
void ftm_info(const char *fmt, ...) __printf(1, 2);	/* with -v */
int ftm_usage(const char *fmt, ...) __printf(1, 2);	/* returns FTM_USAGE */
int ftm_exit_errno(int err);
void ftm_print_json(json_t *j);			/* steals the reference */
bool ftm_use_color(void);
const char *clr(const char *name);		/* "bold", "red", ...; "" if off */
bool parse_num(const char *s, long min, long max, long *res);

/* ---- stdout.c: standard output that a signal can end ---- */

void ftm_open_stdout(void);
int ftm_close_stdout(int ret);		/* returns @ret, or an error of its own */

/* ---- signals.c ---- */

extern volatile sig_atomic_t ftm_stop;		/* number of the signal */
extern volatile sig_atomic_t ftm_pipe;		/* nobody reads what we write */

void catch_signals(void);

#endif
