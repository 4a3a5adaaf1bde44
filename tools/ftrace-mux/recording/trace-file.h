/* SPDX-License-Identifier: GPL-2.0 */
/* The events in a recording of trace-cmd or in the buffers of tracers, buffer by buffer. */
#ifndef FTM_TRACE_FILE_H
#define FTM_TRACE_FILE_H

#include "base/ftm.h"
#include "events/call.h"

struct trace_file;

struct trace_event {
	struct call call;
	int pid, cpu;
	unsigned long long ts;		/* ns since the first of the file; live: their clock */
	long lost;			/* events before this one; -1: some */
	struct tep_event *event;
	struct tep_record *record;
};

/* The registers that pass arguments, as a call of any function had them; none: not recorded. */
struct args {
	unsigned long long v[16];
	size_t n;
};

/* Returns false to end. */
typedef bool (*trace_fn)(struct trace_file *f, const struct trace_event *e, void *arg);

struct trace_file *trace_file_open(const char *file);	/* NULL: reported */
/* Opens what is in the buffers of these tracers, or of all that are on; reading takes it out. */
struct trace_file *trace_file_live(char **names, int n);	/* NULL: reported */
void trace_file_close(struct trace_file *f);
/* The tracers' buffers by name; "trace" is the top level's, if it has events. */
size_t trace_file_buffers(const struct trace_file *f);
const char *trace_file_name(const struct trace_file *f, size_t nr);
/* Are there buffers of these names?  Reports. */
int trace_file_check(const struct trace_file *f, const char *file, const struct strlist *names);
/* The events of one, in order of time; once for each buffer. */
void trace_file_read(struct trace_file *f, size_t nr, trace_fn fn, void *arg);

/* These are valid until the next call. */
const char *trace_file_symbol(struct trace_file *f, unsigned long long ip);
const char *trace_file_task(struct trace_file *f, const struct trace_event *e);
const char *trace_file_event(struct trace_file *f, const struct trace_event *e);
char *trace_file_text(struct trace_file *f, const struct trace_event *e);
/* The addresses of a CALL_STACK, the innermost first. */
size_t trace_file_stack(struct trace_file *f, const struct trace_event *e,
			unsigned long long *ips, size_t max);
void trace_file_args(struct trace_file *f, const struct trace_event *e, struct args *args);

#endif
