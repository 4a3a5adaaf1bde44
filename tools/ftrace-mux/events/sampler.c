// SPDX-License-Identifier: GPL-2.0
/*
 * The rates that top shows, and the instance that samples functions for it.
 *
 * The statistics of a tracer's buffer say how many events it has written.
 * Reading them takes nothing out of the buffer.  Which functions these were is
 * seen by a separate instance, whose filter is the union of those of the
 * watched tracers: one more tracer, however many are watched.
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "events/sampler.h"
#include "model/default.h"
#include "model/filter.h"
#include "model/instance.h"
#include "tracefs/state.h"
#include "tracefs/tfs.h"

#define SAMPLE_PREFIX	"ftrace-mux-top-"
#define UNION_MAX	4000	/* functions; more are filtered here */

const char *const top_sort_names[TOP_SORTS] = { "calls", "name" };

/* All events written to the buffers in @dir, and those lost; libtracefs reads them from 1.8 on. */
static unsigned long long written(const char *dir, unsigned long long *lost)
{
	unsigned long long sum = 0;
	int cpu;

	*lost = 0;

	for (cpu = 0; cpu < 4096; cpu++) {
		char *path = xasprintf("%s/per_cpu/cpu%d/stats", dir, cpu);
		char *text = tfs_read(path), *line, *save = NULL;
		unsigned long long n;

		free(path);
		if (!text)
			break;
		for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
			bool kept = sscanf(line, "entries: %llu", &n) == 1 ||
				    sscanf(line, "read events: %llu", &n) == 1;
			bool gone = sscanf(line, "overrun: %llu", &n) == 1 ||
				    sscanf(line, "dropped events: %llu", &n) == 1;

			sum += kept || gone ? n : 0;
			*lost += gone ? n : 0;
		}
		free(text);
	}
	return sum;
}

static void free_tracer(struct top_tracer *t)
{
	free(t->name);
	free(t->state);
	free(t->dir);
	selection_free(&t->selected);
	memset(t, 0, sizeof(*t));
}

static void add_tracer(struct top *top, struct tracers *ts, struct tracer *t)
{
	struct top_tracer *tt;

	if (top->n == TOP_MAX_TRACERS)
		return;
	tt = &top->t[top->n++];
	memset(tt, 0, sizeof(*tt));
	tracer_count(ts, t);
	tt->name = xstrdup(t->name);
	tt->state = xstrdup(tracer_state(t));
	tt->dir = tracer_dir(t);
	if (tt->dir)
		state_leave_out_self(tt->dir);
	tt->on = t->on && t->tracing_on;
	tt->graph = t->plugin && !strcmp(t->plugin, "function_graph");
	tt->functions = t->functions;
	selection_load(&tt->selected, ts, t);
}

static char *signature(const struct top *top)
{
	struct strlist l = { };
	size_t i, k;
	char *res;

	for (i = 0; i < top->n; i++) {
		const struct top_tracer *t = &top->t[i];
		const struct selection *s = &t->selected;

		strlist_add(&l, t->name);
		strlist_add(&l, t->on ? "on" : "off");
		strlist_add(&l, s->all ? "*" : "");
		for (k = 0; k < s->filter.n; k++)
			strlist_add(&l, s->filter.v[k]);
		strlist_add(&l, "!");
		for (k = 0; k < s->notrace.n; k++)
			strlist_add(&l, s->notrace.v[k]);
	}
	res = strlist_join(&l, "\n");
	strlist_free(&l);
	return res;
}

static void forget(struct top_table *t)
{
	size_t i;

	for (i = 0; i < t->size; i++)
		free(t->v[i].name);
	free(t->v);
	memset(t, 0, sizeof(*t));
}

static bool wanted(const struct tracer *t, char **names, int nr_names)
{
	int i;

	if (t->instance && !strncmp(t->instance, SAMPLE_PREFIX, strlen(SAMPLE_PREFIX)))
		return false;
	for (i = 0; i < nr_names; i++)
		if (!strcmp(names[i], t->name) || (t->instance && !strcmp(names[i], t->instance)))
			return true;
	return !nr_names && t->on;
}

/* The tracers as they are now; keeps the counts of those that were there. */
int top_load(struct top *top, char **names, int nr_names)
{
	struct top old = *top;
	struct tracers ts;
	char *sig;
	size_t i, k;
	int ret = tracers_load(&ts);

	if (ret)
		return ret;
	top->n = 0;
	for (i = 0; i < ts.n; i++)
		if (wanted(&ts.v[i], names, nr_names))
			add_tracer(top, &ts, &ts.v[i]);
	tracers_free(&ts);
	for (i = 0; i < top->n; i++) {
		struct top_tracer *t = &top->t[i];

		for (k = 0; k < old.n && strcmp(old.t[k].name, t->name); k++)
			;
		if (k < old.n)
			t->written = old.t[k].written;
		else if (t->dir)
			t->written = written(t->dir, &t->lost);
		if (k < old.n)
			t->rate = old.t[k].rate;
	}
	for (k = 0; k < old.n; k++)
		free_tracer(&old.t[k]);
	sig = signature(top);
	if (!top->signature || strcmp(sig, top->signature)) {
		free(top->signature);
		top->signature = sig;
		ret = top_sample(top);
	} else {
		free(sig);
	}
	return ret;
}

static int set_filter(const char *dir, const struct strlist *functions)
{
	char *path = xasprintf("%s/set_ftrace_filter", dir);
	int ret = functions->n ? filter_restore(path, functions) : filter_clear(path);

	free(path);
	return ret;
}

/* The readers are opened last: then the kernel no longer lets its tracer be set. */
static int create_sample(struct top *top, struct strlist *functions)
{
	struct setup s = { .stopped = true };
	char *dir, *dflt = default_get(), pid[16];
	int ret;

	top->sample = xasprintf("%s%d", SAMPLE_PREFIX, (int)getpid());
	s.name = top->sample;
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	/* or it would mostly see itself reading */
	strlist_add(&s.notrace_pids, pid);
	ret = instance_create(&s);
	strlist_free(&s.notrace_pids);
	dir = tfs_path("instances/%s", top->sample);
	if (!ret && functions->n)
		ret = set_filter(dir, functions);
	if (!ret)
		ret = tfs_set(xasprintf("%s/current_tracer", dir), "function");
	default_put_back(dflt);
	free(dflt);
	if (!ret) {
		top->stream = stream_new();
		ret = top->stream ? stream_add(top->stream, top->sample, dir) : FTM_FAIL;
	}
	free(dir);
	return ret;
}

/* All functions that the tracers trace; an empty list stands for all functions. */
static bool union_of(const struct top *top, struct strlist *uniq)
{
	bool any = false, everything = false;
	struct strlist all = { };
	size_t i, k;

	for (i = 0; i < top->n; i++) {
		const struct top_tracer *t = &top->t[i];

		any |= t->on;
		everything |= t->on && t->selected.all;
		for (k = 0; t->on && k < t->selected.filter.n; k++)
			strlist_add(&all, t->selected.filter.v[k]);
	}
	strlist_sort(&all);
	for (i = 0; i < all.n && !everything; i++)
		if (!i || strcmp(all.v[i], all.v[i - 1]))
			strlist_add(uniq, all.v[i]);
	strlist_free(&all);
	if (uniq->n > UNION_MAX)
		strlist_free(uniq);
	return any;
}

/* Makes the sample trace what the tracers trace now. */
int top_sample(struct top *top)
{
	struct strlist functions = { };
	bool any = union_of(top, &functions);
	char *dir;
	int ret;

	forget(&top->functions);
	forget(&top->callers);
	if (!top->sample) {
		ret = create_sample(top, &functions);
	} else {
		dir = tfs_path("instances/%s", top->sample);
		ret = set_filter(dir, &functions);
		free(dir);
	}
	if (!ret)
		ret = tfs_set(tfs_path("instances/%s/tracing_on", top->sample), any ? "1" : "0");
	strlist_free(&functions);
	return ret;
}

static void grow(struct top_table *t)
{
	struct top_func *old = t->v;
	size_t i, k, size = t->size;

	t->size = size ? size * 2 : 1024;
	t->v = xcalloc(t->size, sizeof(*t->v));
	for (i = 0; i < size; i++) {
		if (!old[i].key)
			continue;
		for (k = (old[i].key >> 4) & (t->size - 1); t->v[k].key;)
			k = (k + 1) & (t->size - 1);
		t->v[k] = old[i];
	}
	free(old);
}

/* The entry of @key, and of @name where different names may have one key; new: without a name. */
static struct top_func *lookup(struct top_table *t, unsigned long long key, const char *name)
{
	size_t k;

	if (t->n * 2 >= t->size)
		grow(t);
	for (k = (key >> 4) & (t->size - 1); t->v[k].key;) {
		if (t->v[k].key == key && (!name || !strcmp(t->v[k].name, name)))
			return &t->v[k];
		k = (k + 1) & (t->size - 1);
	}
	t->n++;
	t->v[k].key = key;
	return &t->v[k];
}

static struct top_func *function(struct top *top, unsigned long long ip)
{
	struct top_func *f = lookup(&top->functions, ip, NULL);
	const char *name;
	size_t i;

	if (f->name)
		return f;
	name = tep_find_function(stream_tep(top->stream), ip);
	f->name = name ? xstrdup(name) : xasprintf("0x%llx", ip);
	for (i = 0; i < top->n; i++)
		if (top->t[i].on && selection_has(&top->t[i].selected, f->name))
			f->mask |= 1ULL << i;
	return f;
}

static char *caller_name(enum by by, const struct stream_event *e, const struct func_event *f)
{
	if (by == BY_CPU)
		return xasprintf("%d", e->cpu);
	if (!f->pid)
		return by == BY_THREAD ? xasprintf("swapper/%d", e->cpu) : xstrdup("swapper");
	if (by == BY_THREAD)
		return xasprintf("%s-%d", f->task, f->pid);
	return xstrdup(f->task);
}

static void count_caller(struct top *top, const struct stream_event *e, unsigned long long mask)
{
	unsigned long long key = 5381;
	struct func_event f;
	struct top_func *x;
	char *name, *s;

	stream_decode(top->stream, e, &f);
	name = caller_name(top->by, e, &f);
	for (s = name; *s; s++)
		key = key * 33 + (unsigned char)*s;
	x = lookup(&top->callers, key ? key : 1, name);
	if (x->name)
		free(name);
	else
		x->name = name;
	x->mask |= mask;
	x->count++;
}

static bool count(const struct stream_event *e, void *arg)
{
	struct top *top = arg;
	struct top_func *f;
	struct call c;
	size_t i;

	if (e->lost) {
		top->lossy = true;
		top->lost += e->lost > 0 ? e->lost : 0;
	}
	if (!e->event)
		return true;
	call_decode(&c, e->event, e->record);
	if (c.kind != CALL_FUNCTION || !c.ip)
		return true;
	f = function(top, c.ip);
	f->count++;
	if (top->by && f->mask)
		count_caller(top, e, f->mask);
	for (i = 0; i < top->n; i++)
		top->t[i].counted += (f->mask >> i) & 1;
	return true;
}

void top_collect(struct top *top)
{
	if (top->stream)
		stream_read(top->stream, count, top, false);
}

/* The buffer's own count where there is one, else what the sample saw. */
void top_rates(struct top *top, double seconds)
{
	size_t i;

	for (i = 0; i < top->n; i++) {
		struct top_tracer *t = &top->t[i];
		unsigned long long now, n = t->counted;

		if (t->dir) {
			now = written(t->dir, &t->lost);
			n = now > t->written ? now - t->written : 0;
			/* entry and return */
			n = t->graph ? n / 2 : n;
			t->written = now;
		}
		t->rate = n / seconds;
	}
}

static int by_name(const void *a, const void *b)
{
	const struct top_func *x = *(struct top_func *const *)a;
	const struct top_func *y = *(struct top_func *const *)b;

	return strverscmp(x->name, y->name);
}

static int busier(const void *a, const void *b)
{
	const struct top_func *x = *(struct top_func *const *)a;
	const struct top_func *y = *(struct top_func *const *)b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return by_name(a, b);
}

/* Part of the name will do, or a pattern for all of it. */
static bool matches(const char *filter, const char *name)
{
	return !filter || strstr(name, filter) || !fnmatch(filter, name, 0);
}

/* Find the entries with calls in this interval that are first in the order of top->sort. */
size_t top_busiest(struct top *top, struct top_func **res, size_t max)
{
	struct top_table *t = top->by ? &top->callers : &top->functions;
	struct top_func **all = xcalloc(t->n, sizeof(*all));
	size_t i, n = 0;

	for (i = 0; i < t->size; i++)
		if (t->v[i].key && t->v[i].count && t->v[i].mask &&
		    matches(top->filter, t->v[i].name))
			all[n++] = &t->v[i];
	qsort(all, n, sizeof(*all), top->sort == TOP_NAME ? by_name : busier);
	if (n > max)
		n = max;
	memcpy(res, all, n * sizeof(*all));
	free(all);
	return n;
}

void top_count_by(struct top *top, enum by by)
{
	forget(&top->callers);
	top->by = by;
}

/* A new interval begins. */
void top_next(struct top *top)
{
	size_t i;

	for (i = 0; i < top->functions.size; i++)
		top->functions.v[i].count = 0;
	/* tasks come and go: each interval begins without any */
	forget(&top->callers);
	for (i = 0; i < top->n; i++)
		top->t[i].counted = 0;
	top->lost = 0;
	top->lossy = false;
}

void top_free(struct top *top)
{
	size_t i;

	for (i = 0; i < top->n; i++)
		free_tracer(&top->t[i]);
	forget(&top->functions);
	forget(&top->callers);
	free(top->filter);
	if (top->stream)
		stream_free(top->stream);
	free(top->sample);
	free(top->signature);
}
