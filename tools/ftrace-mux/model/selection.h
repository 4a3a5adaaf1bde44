/* SPDX-License-Identifier: GPL-2.0 */
/* The functions that a tracer's filters select. */
#ifndef FTM_SELECTION_H
#define FTM_SELECTION_H

#include "model/tracer.h"

struct selection {
	struct strlist filter, notrace;	/* sorted names */
	bool known;			/* the filter could be read */
	bool all;			/* it is empty */
};

void selection_load(struct selection *s, const struct tracers *ts, const struct tracer *t);
bool selection_has(const struct selection *s, const char *function);
void selection_free(struct selection *s);

#endif
