/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The two processes of a recording: trace-cmd, and the command that is
 * recorded.
 *
 * trace-cmd records while a shell runs.  The shell says when it has been
 * started, and then waits for the end of a pipe that we hold: it ends with us,
 * however we end.  The command waits for another pipe before it begins, so that
 * its PID is known when the tracers are set up.
 */
#ifndef FTM_RECORDER_H
#define FTM_RECORDER_H

#include "recording/stand-in.h"

struct recorder {
	pid_t pid;
	int stop;
};

struct command {
	pid_t pid;		/* 0: none */
	int go;
	int status;		/* when it has ended */
};

char *find_program(const char *name);	/* as execvp() does; NULL */

/* Adds the command that trace-cmd runs to @argv.  It writes @value to @path at the end. */
void recorder_shell(struct strlist *argv, const char *value, const char *path);
/* With @s it records from those; reports */
int recorder_start(struct recorder *r, const struct strlist *argv, const struct stand_ins *s);
int recorder_stop(struct recorder *r);	/* trace-cmd's exit status */

int command_make(struct command *c, char **argv);	/* reports */
void command_go(struct command *c);
void command_wait(struct command *c);
void command_cancel(struct command *c);

/* Until the command or trace-cmd ends, a signal comes, or @seconds are over (0: never). */
void record_wait(const struct recorder *r, const struct command *c, double seconds);

#endif
