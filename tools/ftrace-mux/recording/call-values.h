/* SPDX-License-Identifier: GPL-2.0 */
/* What calls of some functions returned, or had as arguments: each value, and how often. */
#ifndef FTM_CALL_VALUES_H
#define FTM_CALL_VALUES_H

#include "recording/trace-file.h"

struct value_entry {
	unsigned long long ip, value;
	int arg;			/* from 1 on; 0: it was returned */
	long calls;
	unsigned long long total;	/* ns in calls that returned it */
	char *function;
};

struct values {
	const char *pattern;		/* of functions; set before values_read() */
	bool args;			/* their arguments, not what they returned */
	/* after it: by function, then by argument, the most frequent first */
	struct value_entry *v;
	size_t n;
	void *tree;
};

void values_read(struct values *w, struct trace_file *f, size_t nr);
/* The first @most of each function, or of each of its arguments; 0: all */
void values_print(const struct values *w, const char *tracer, long most);
json_t *values_json(const struct values *w, const char *tracer);
void values_free(struct values *w);

#endif
