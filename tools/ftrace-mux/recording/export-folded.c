// SPDX-License-Identifier: GPL-2.0
/*
 * Folded stacks, "tracer;task;outer;inner 12", as flamegraph.pl and
 * speedscope read them.
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include "recording/export.h"

struct count {
	char *stack;
	unsigned long long n;
};

static int by_stack(const void *a, const void *b)
{
	return strcmp(((const struct count *)a)->stack, ((const struct count *)b)->stack);
}

/* Takes @stack. */
static void add(struct export *x, char *stack, unsigned long long n)
{
	struct count want = { .stack = stack }, **found, *new;

	found = (struct count **)tfind(&want, &x->counts, by_stack);
	if (found) {
		(*found)->n += n;
		free(stack);
		return;
	}
	new = xcalloc(1, sizeof(*new));
	new->stack = stack;
	new->n = n;
	tsearch(new, &x->counts, by_stack);
}

/* A ';' in a name would begin another frame. */
static void add_frame(FILE *f, const char *name)
{
	for (; *name; name++)
		fputc(*name == ';' || *name == '\n' ? '_' : *name, f);
}

static FILE *open_stack(const struct export *x, const struct task *t, char **text, size_t *size)
{
	FILE *f = open_memstream(text, size);

	if (!f)
		abort();
	add_frame(f, x->tracer);
	fputc(';', f);
	add_frame(f, t->name);
	return f;
}

static void call(struct export *x, const struct task *t, const struct held *h,
		 const unsigned long long *ips, size_t n)
{
	char *text;
	size_t size;
	FILE *f;

	(void)h;
	if (x->time)
		return;
	f = open_stack(x, t, &text, &size);
	while (n--) {
		fputc(';', f);
		add_frame(f, trace_file_symbol(x->file, ips[n]));
	}
	fclose(f);
	add(x, text, 1);
}

static void add_graph(struct export *x, const struct task *t, unsigned long long n)
{
	char *text;
	size_t size, i;
	FILE *f = open_stack(x, t, &text, &size);

	for (i = 0; i < t->n; i++) {
		fputc(';', f);
		add_frame(f, trace_file_symbol(x->file, t->v[i].ip));
	}
	fclose(f);
	add(x, text, n);
}

static void enter(struct export *x, const struct task *t, const struct args *args)
{
	(void)args;
	if (!x->time)
		add_graph(x, t, 1);
}

/* The time in the function itself. */
static void leave(struct export *x, const struct task *t, unsigned long long ts,
		  const struct trace_event *e)
{
	const struct frame *f = &t->v[t->n - 1];

	(void)ts;
	(void)e;
	if (x->time)
		add_graph(x, t, f->took > f->inner ? f->took - f->inner : 0);
}

static void print(const void *node, VISIT which, void *arg)
{
	const struct count *c = *(const struct count *const *)node;

	(void)arg;
	if (which == postorder || which == leaf)
		printf("%s %llu\n", c->stack, c->n);
}

static void free_count(void *p)
{
	struct count *c = p;

	free(c->stack);
	free(c);
}

static void end(struct export *x)
{
	twalk_r(x->counts, print, NULL);
	tdestroy(x->counts, free_count);
	x->counts = NULL;
}

const struct export_format export_folded = {
	.call = call, .enter = enter, .leave = leave, .end = end,
};
