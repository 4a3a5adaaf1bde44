/* SPDX-License-Identifier: GPL-2.0 */
/* Events of several buffers, merged in order of time. */
#ifndef FTM_STREAM_H
#define FTM_STREAM_H

#include "base/ftm.h"
#include "events/call.h"

struct stream;

struct stream_event {
	const char *tracer;
	int cpu;
	long lost;		/* before this one; -1: some, not known how many */
	struct tep_event *event;	/* NULL: only lost ones are told */
	struct tep_record *record;
};

struct stream *stream_new(void);		/* NULL: reported */
struct tep_handle *stream_tep(struct stream *s);
/* @dir is the tracing directory of the instance that @tracer writes to. */
int stream_add(struct stream *s, const char *tracer, const char *dir);
void stream_drop(struct stream *s);		/* all that were added */
/* Hands over what is there; returns the number of events, -1: stopped. */
long stream_read(struct stream *s, bool (*fn)(const struct stream_event *e, void *arg),
		 void *arg, bool all);
void stream_free(struct stream *s);

struct func_event {
	const char *task;
	int pid;
	struct call call;
};

void stream_decode(struct stream *s, const struct stream_event *e, struct func_event *f);

#endif
