/* SPDX-License-Identifier: GPL-2.0 */
/* A line of the file trace, as the kernel writes it with its usual options. */
#ifndef FTM_TEXT_H
#define FTM_TEXT_H

#include "base/ftm.h"

struct text_event {
	int cpu, pid;			/* -1: not known, as with function_graph */
	int depth;			/* of function_graph; else -1 */
	long long ts, took;		/* ns; -1: not known */
	char *task, *event;		/* NULL: not known */
	char *function, *parent;
	char *info;			/* of an event that is no call */
};

/* False: the line has another form. */
bool text_parse(const char *line, struct text_event *e);
bool text_is_stack(const char *line);	/* belongs to the event before it */
json_t *text_json(const struct text_event *e, const char *tracer);
void text_free(struct text_event *e);

#endif
