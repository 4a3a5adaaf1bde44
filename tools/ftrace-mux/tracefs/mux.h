/* SPDX-License-Identifier: GPL-2.0 */
/* What the kernel says of its multiplexer: function_mux. */
#ifndef FTM_MUX_H
#define FTM_MUX_H

#include "base/ftm.h"

/*
 * What programs do that do not know of the view: they write the filter of the
 * top level before they register.  Documentation/trace-cmd.rst has the commands.
 */
#define VIEW_PROGRAMS							\
	"trace-cmd record and start without -B, trace-cmd reset, "		\
	"perf ftrace -T and -G, functrace, funccount, funcgraph, funcslower, "	\
	"reset-ftrace"
#define VIEW_WARNING							\
	"the view is on: " VIEW_PROGRAMS " change the filter of the tracer "	\
	"that registered last and trace everything themselves; ftrace-mux view off"

#define MUX_MAX_SLOTS	8

enum slot_state { SLOT_FREE, SLOT_USED, SLOT_ZOMBIE };

struct mux_slot {
	enum slot_state state;
	char *name;		/* "[symbol]" for a user without a name */
};

struct mux_stub {		/* in use, and its set */
	long stub;
	long functions;		/* whose call sites call it */
	char flavour[8];	/* "args", "regs" or "group" */
	unsigned int mask;
	struct strlist tracers;	/* "+" before those without an ID */
};

struct mux_update {
	long redirects;
	long sites;
	long waits;
};

struct mux_share {		/* @functions functions have @users users */
	long users;
	long functions;
};

struct mux {
	long ids;		/* how many there are */
	bool view;
	char *dflt;
	struct mux_slot slots[MUX_MAX_SLOTS];
	int nslots;		/* 0: ftrace is dead, and what follows unknown */
	struct strlist without_id;
	struct mux_stub *stubs;
	size_t nstubs;
	long clean;		/* stubs that may get another set now */
	struct mux_share *shares;
	size_t nshares;
	struct mux_update last, all;
};

int mux_read(struct mux *m);		/* -1: not there, or not to be read */
void mux_parse(struct mux *m, char *text);
void mux_free(struct mux *m);
json_t *mux_stub_json(const struct mux_stub *s);

#endif
