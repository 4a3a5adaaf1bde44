// SPDX-License-Identifier: GPL-2.0
/* The events in a recording of trace-cmd, through its library, or in the buffers of tracers. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <trace-cmd.h>
#include <trace-seq.h>
#include "events/claim.h"
#include "events/mux-names.h"
#include "events/stream.h"
#include "recording/output.h"
#include "recording/trace-file.h"

struct buffer {
	char *name;
	struct tracecmd_input *handle;
	char *dir;			/* of a tracer */
};

struct trace_file {
	struct tracecmd_input *top;	/* NULL: tracers' buffers, read by the stream */
	struct stream *stream;
	struct tep_handle *tep;
	struct buffer *v;
	size_t n;
	unsigned long long start;
	char text[512];
	/* of the buffer that is being read */
	trace_fn fn;
	void *arg;
};

/* A name out of the file may be anything: here it is fit for a terminal and for JSON. */
static char *clean(char *name)
{
	json_t *utf8 = json_string(name);
	char *s;

	for (s = name; *s; s++)
		if ((unsigned char)*s < ' ' || *s == 0x7f || (!utf8 && *s & 0x80))
			*s = '?';
	json_decref(utf8);
	return name;
}

static const char *clean_text(struct trace_file *f, const char *name)
{
	snprintf(f->text, sizeof(f->text), "%s", name);
	return clean(f->text);
}

static void add_buffer(struct trace_file *f, const char *name, struct tracecmd_input *handle)
{
	unsigned long long ts = tracecmd_get_first_ts(handle);

	if (ts && ts < f->start)
		f->start = ts;
	/* the top level's is there even if nothing was to go to it */
	if (!ts && handle == f->top)
		return;
	f->v = xrealloc(f->v, (f->n + 1) * sizeof(*f->v));
	f->v[f->n++] = (struct buffer){ .name = clean(xstrdup(name)), .handle = handle };
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct buffer *)a)->name, ((const struct buffer *)b)->name);
}

struct trace_file *trace_file_open(const char *file)
{
	struct trace_file *f;
	int i;

	if (access(file, R_OK)) {
		ftm_err("%s: %s%s", file, strerror(errno),
			errno == ENOENT ? "; ftrace-mux record makes a recording" : "");
		return NULL;
	}
	if (!is_recording(file)) {
		ftm_err("%s: is not a recording of trace-cmd or ftrace-mux record", file);
		return NULL;
	}
	tracecmd_set_loglevel(ftm.verbose > 1 ? TEP_LOG_ALL : TEP_LOG_NONE);
	f = xcalloc(1, sizeof(*f));
	f->start = ~0ULL;
	f->top = tracecmd_open(file, 0);
	if (!f->top) {
		ftm_err("%s: libtracecmd cannot read it; is it complete? -vv says more", file);
		free(f);
		return NULL;
	}
	f->tep = tracecmd_get_tep(f->top);
	add_buffer(f, "trace", f->top);
	for (i = 0; i < tracecmd_buffer_instances(f->top); i++) {
		struct tracecmd_input *h = tracecmd_buffer_instance_handle(f->top, i);

		if (h)
			add_buffer(f, tracecmd_buffer_instance_name(f->top, i), h);
	}
	/* the file has them in an order of trace-cmd's own */
	qsort(f->v, f->n, sizeof(*f->v), by_name);
	return f;
}

static int add_live(struct trace_file *f, const struct tracer *t)
{
	int ret = stream_claim(t->name);

	f->v = xrealloc(f->v, (f->n + 1) * sizeof(*f->v));
	f->v[f->n++] = (struct buffer){ .name = clean(xstrdup(t->name)), .dir = tracer_dir(t) };
	return ret;
}

struct trace_file *trace_file_live(char **names, int n)
{
	struct trace_file *f = xcalloc(1, sizeof(*f));
	struct tracer **chosen;
	struct tracers ts;
	size_t count = 0, i;
	int ret = tracers_load(&ts);

	if (ret) {
		free(f);
		return NULL;
	}
	chosen = xcalloc(ts.n + n, sizeof(*chosen));
	ret = stream_choose(&ts, names, n, chosen, &count);
	for (i = 0; !ret && i < count; i++)
		ret = add_live(f, chosen[i]);
	free(chosen);
	tracers_free(&ts);
	f->stream = ret ? NULL : stream_new();
	if (!f->stream) {
		trace_file_close(f);
		return NULL;
	}
	f->tep = stream_tep(f->stream);
	mux_names_to_plugin();
	qsort(f->v, f->n, sizeof(*f->v), by_name);
	return f;
}

void trace_file_close(struct trace_file *f)
{
	size_t i;

	for (i = 0; i < f->n; i++) {
		if (f->v[i].handle != f->top)
			tracecmd_close(f->v[i].handle);
		free(f->v[i].name);
		free(f->v[i].dir);
	}
	if (f->top)
		tracecmd_close(f->top);
	if (f->stream)
		stream_free(f->stream);
	free(f->v);
	free(f);
}

size_t trace_file_buffers(const struct trace_file *f)
{
	return f->n;
}

const char *trace_file_name(const struct trace_file *f, size_t nr)
{
	return f->v[nr].name;
}

int trace_file_check(const struct trace_file *f, const char *file, const struct strlist *names)
{
	size_t i, k;

	for (i = 0; i < names->n; i++) {
		for (k = 0; k < f->n && strcmp(f->v[k].name, names->v[i]); k++)
			;
		if (k == f->n) {
			ftm_err("%s: has no tracer %s", file, names->v[i]);
			return FTM_FAIL;
		}
	}
	return FTM_OK;
}

static int one_record(struct tracecmd_input *handle, struct tep_record *record, int cpu, void *arg)
{
	struct trace_file *f = arg;
	struct trace_event e = {
		.cpu = cpu, .ts = record->ts - f->start, .lost = record->missed_events,
		.pid = tep_data_pid(f->tep, record), .record = record,
		.event = tep_find_event(f->tep, tep_data_type(f->tep, record)),
	};

	(void)handle;
	if (!e.event)
		return 0;
	call_decode(&e.call, e.event, record);
	return ftm_stop || !f->fn(f, &e, f->arg);
}

static bool one_event(const struct stream_event *s, void *arg)
{
	struct trace_file *f = arg;
	struct trace_event e = {
		.cpu = s->cpu, .ts = s->record->ts, .lost = s->lost, .event = s->event,
		.record = s->record,
	};
	struct func_event func;

	if (!s->event)
		return true;
	stream_decode(f->stream, s, &func);
	e.call = func.call;
	e.pid = func.pid;
	return f->fn(f, &e, f->arg);
}

void trace_file_read(struct trace_file *f, size_t nr, trace_fn fn, void *arg)
{
	f->fn = fn;
	f->arg = arg;
	if (f->stream) {
		stream_drop(f->stream);
		if (!stream_add(f->stream, f->v[nr].name, f->v[nr].dir))
			stream_read(f->stream, one_event, f, true);
		return;
	}
	tracecmd_iterate_events(f->v[nr].handle, NULL, 0, one_record, f);
}

const char *trace_file_symbol(struct trace_file *f, unsigned long long ip)
{
	const char *name = tep_find_function(f->tep, ip);

	if (name)
		return clean_text(f, name);
	snprintf(f->text, sizeof(f->text), "0x%llx", ip);
	return f->text;
}

/* Each CPU has its idle task, all with PID 0. */
const char *trace_file_task(struct trace_file *f, const struct trace_event *e)
{
	if (e->pid)
		return clean_text(f, tep_data_comm_from_pid(f->tep, e->pid));
	snprintf(f->text, sizeof(f->text), "swapper/%d", e->cpu);
	return f->text;
}

const char *trace_file_event(struct trace_file *f, const struct trace_event *e)
{
	char *name = xasprintf("%s:%s", e->event->system, e->event->name);

	clean_text(f, name);
	free(name);
	return f->text;
}

char *trace_file_text(struct trace_file *f, const struct trace_event *e)
{
	struct trace_seq s;
	char *text;

	trace_seq_init(&s);
	tep_print_event(f->tep, &s, e->record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&s);
	text = clean(xstrdup(s.buffer));
	trace_seq_destroy(&s);
	return text;
}

/* The words from the field @name to @n more or the end of the record. */
static size_t words(struct trace_file *f, const struct trace_event *e, const char *name,
		    size_t n, unsigned long long *values)
{
	struct tep_format_field *field = tep_find_field(e->event, name);
	size_t i, word = tep_get_long_size(f->tep);
	char *data = e->record->data;

	if (!field || (size_t)e->record->size < (size_t)field->offset)
		return 0;
	if (n > (e->record->size - field->offset) / word)
		n = (e->record->size - field->offset) / word;
	for (i = 0; i < n; i++)
		values[i] = tep_read_number(f->tep, data + field->offset + i * word, word);
	return n;
}

size_t trace_file_stack(struct trace_file *f, const struct trace_event *e,
			unsigned long long *ips, size_t max)
{
	size_t n = event_field(e->event, e->record, "size");

	return words(f, e, "caller", n < max ? n : max, ips);
}

void trace_file_args(struct trace_file *f, const struct trace_event *e, struct args *args)
{
	args->n = 0;
	if (e->call.kind == CALL_FUNCTION || e->call.kind == CALL_ENTER)
		args->n = words(f, e, "args", ARRAY_SIZE(args->v), args->v);
}
