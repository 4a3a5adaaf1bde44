// SPDX-License-Identifier: GPL-2.0
/*
 * The Chrome trace format: an array of objects, of which Perfetto's UI and
 * speedscope make one track for each "pid" and "tid".  Here these are a
 * tracer and a task.  Times are microseconds.
 */
#include "events/value.h"
#include "recording/export.h"

static void put(struct export *x, json_t *j)
{
	fputs(x->any ? ",\n" : "\n", stdout);
	x->any = true;
	json_dumpf(j, stdout, JSON_COMPACT | JSON_REAL_PRECISION(15));
	json_decref(j);
}

static double us(unsigned long long ns)
{
	return ns / 1000.0;
}

static json_t *new_event(const struct export *x, const struct task *t, const char *ph,
			 unsigned long long ts)
{
	return json_pack("{s:s, s:i, s:i, s:f}", "ph", ph, "pid", (int)x->nr + 1, "tid", t->id,
			 "ts", us(ts));
}

static void begin(struct export *x)
{
	(void)x;
	fputs("{\"traceEvents\":[", stdout);
}

/* What a process or a thread is called. */
static void put_name(struct export *x, const char *what, int tid, const char *name)
{
	put(x, json_pack("{s:s, s:i, s:s, s:i, s:i, s:{s:s}}", "ph", "M", "ts", 0, "name", what,
			 "pid", (int)x->nr + 1, "tid", tid, "args", "name", name));
}

static void tracer(struct export *x)
{
	put_name(x, "process_name", 0, x->tracer);
}

static void task(struct export *x, const struct task *t)
{
	put_name(x, "thread_name", t->id, t->name);
}

/* NULL: they were not recorded */
static json_t *arguments(const struct args *args)
{
	json_t *a = args->n ? json_array() : NULL;
	size_t i;

	for (i = 0; i < args->n; i++)
		json_array_append_new(a, value_json(args->v[i]));
	return a;
}

static void call(struct export *x, const struct task *t, const struct held *h,
		 const unsigned long long *ips, size_t n)
{
	json_t *j = new_event(x, t, "X", h->e.ts), *callers = json_array();
	size_t i;

	for (i = 1; i < n; i++)
		json_array_append_new(callers, json_string(trace_file_symbol(x->file, ips[i])));
	json_object_set_new(j, "dur", json_integer(0));
	json_object_set_new(j, "name", json_string(trace_file_symbol(x->file, h->e.call.ip)));
	json_object_set_new(j, "args", json_pack("{s:i, s:o, s:o*}", "cpu", h->e.cpu, "callers",
						 callers, "args", arguments(&h->args)));
	put(x, j);
}

static void enter(struct export *x, const struct task *t, const struct args *a)
{
	const struct frame *f = &t->v[t->n - 1];
	json_t *j = new_event(x, t, "B", f->ts), *args = arguments(a);

	json_object_set_new(j, "name", json_string(trace_file_symbol(x->file, f->ip)));
	if (args)
		json_object_set_new(j, "args", json_pack("{s:o}", "args", args));
	put(x, j);
}

static void leave(struct export *x, const struct task *t, unsigned long long ts,
		  const struct trace_event *e)
{
	json_t *j = new_event(x, t, "E", ts);

	json_object_set_new(j, "name",
			    json_string(trace_file_symbol(x->file, t->v[t->n - 1].ip)));
	if (e && e->call.has_retval)
		json_object_set_new(j, "args", json_pack("{s:o}", "retval",
							 value_json(e->call.retval)));
	put(x, j);
}

static void other(struct export *x, const struct task *t, const struct trace_event *e)
{
	json_t *j = new_event(x, t, "i", e->ts);
	char *text = trace_file_text(x->file, e);

	json_object_set_new(j, "s", json_string("t"));
	json_object_set_new(j, "name", json_string(trace_file_event(x->file, e)));
	json_object_set_new(j, "args", json_pack("{s:i, s:s*}", "cpu", e->cpu, "text", text));
	put(x, j);
	free(text);
}

static void end(struct export *x)
{
	(void)x;
	puts("\n]}");
}

const struct export_format export_chrome = {
	.begin = begin, .tracer = tracer, .task = task, .call = call, .enter = enter,
	.leave = leave, .other = other, .end = end,
};
