/* SPDX-License-Identifier: GPL-2.0 */
/* What the kernel says of its multiplexer: function_mux. */
#ifndef FTM_MUX_H
#define FTM_MUX_H

#include "base/ftm.h"

/* What programs do that do not know of the view. */
#define VIEW_WARNING							\
	"the view is on: programs that write the top-level filter before "	\
	"they register (trace-cmd -l, -n and reset, perf ftrace -T, "		\
	"functrace, funccount) change the filter of whoever registered last "	\
	"and trace everything themselves; ftrace-mux view off"

#define MUX_MAX_SLOTS	8

enum slot_state { SLOT_FREE, SLOT_USED, SLOT_ZOMBIE };

struct mux_slot {
	enum slot_state state;
	char *name;		/* "[symbol]" for a user without a name */
};

struct mux_caller {
	unsigned int mask;
	bool regs;
	long functions;
	struct strlist tracers;
};

struct mux_share {		/* @functions functions have @users users */
	long users;
	long functions;
};

struct mux {
	long bits;		/* IDs, the overflow lane included */
	bool view;
	char *dflt;
	struct mux_slot slots[MUX_MAX_SLOTS];
	int nslots;
	struct strlist overflow;
	struct mux_caller *callers;
	size_t ncallers;
	struct mux_share *shares;
	size_t nshares;
};

int mux_read(struct mux *m);		/* -1: not there, or not to be read */
void mux_parse(struct mux *m, char *text);
void mux_free(struct mux *m);
json_t *mux_caller_json(const struct mux_caller *c);

#endif
