// SPDX-License-Identifier: GPL-2.0
/*
 * What top knows, as Prometheus' node_exporter collects it from a text file.
 *
 * Counters end in _total and are those of the kernel, which begin again when a
 * tracer or its buffer does.  Units are seconds.
 */
#include <stdlib.h>
#include <string.h>
#include "events/metrics.h"
#include "tracefs/tfs.h"

static struct profile_func *profile_find(struct profile *p, const char *name)
{
	size_t i;

	for (i = 0; i < p->n; i++)
		if (!strcmp(p->v[i].name, name))
			return &p->v[i];
	p->v = xrealloc(p->v, (p->n + 1) * sizeof(*p->v));
	p->v[p->n] = (struct profile_func){ .name = xstrdup(name) };
	return &p->v[p->n++];
}

/* "  vfs_read      12    345.678 us      28.806 us ..." */
static void add_line(struct profile *p, const char *line)
{
	unsigned long long calls;
	struct profile_func *f;
	char name[512];
	double us = 0;

	if (sscanf(line, " %511s %llu %lf us", name, &calls, &us) < 2)
		return;
	f = profile_find(p, name);
	f->calls += calls;
	f->seconds += us / 1e6;
}

static int longer(const void *a, const void *b)
{
	const struct profile_func *x = a, *y = b;

	if (x->seconds != y->seconds)
		return x->seconds < y->seconds ? 1 : -1;
	return x->calls < y->calls ? 1 : -1;
}

void profile_read(struct profile *p)
{
	char *enabled = tfs_path("function_profile_enabled");
	bool on = tfs_read_long(enabled, 0) > 0;
	int cpu;

	memset(p, 0, sizeof(*p));
	for (cpu = 0; on; cpu++) {
		char *path = tfs_path("trace_stat/function%d", cpu), *text = tfs_read(path);
		char *line, *save = NULL;

		free(path);
		if (!text)
			break;
		for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
			add_line(p, line);
		free(text);
	}
	if (p->n)
		qsort(p->v, p->n, sizeof(*p->v), longer);
	free(enabled);
}

void profile_free(struct profile *p)
{
	while (p->n)
		free(p->v[--p->n].name);
	free(p->v);
}

static void head(const char *name, const char *type, const char *help)
{
	printf("# HELP ftrace_mux_%s %s\n# TYPE ftrace_mux_%s %s\n", name, help, name, type);
}

/* In a label, these three have a meaning. */
static void label(const char *key, const char *value)
{
	printf("%s=\"", key);
	for (; *value; value++) {
		if (*value == '\n')
			fputs("\\n", stdout);
		else
			printf("%s%c", *value == '"' || *value == '\\' ? "\\" : "", *value);
	}
	putchar('"');
}

static void of_tracer(const char *name, const char *tracer)
{
	printf("ftrace_mux_%s{", name);
	label("tracer", tracer);
	fputs("} ", stdout);
}

static void print_tracers(const struct top *top)
{
	size_t i;

	head("tracer_calls_total", "counter", "Calls that a tracer has written to its buffer.");
	for (i = 0; i < top->n; i++) {
		if (!top->t[i].dir)
			continue;
		of_tracer("tracer_calls_total", top->t[i].name);
		/* function_graph writes an entry and a return */
		printf("%llu\n", top->t[i].written / (top->t[i].graph ? 2 : 1));
	}
	head("tracer_lost_events_total", "counter", "Events that were overwritten or dropped.");
	for (i = 0; i < top->n; i++) {
		if (!top->t[i].dir)
			continue;
		of_tracer("tracer_lost_events_total", top->t[i].name);
		printf("%llu\n", top->t[i].lost);
	}
	head("tracer_functions", "gauge", "Functions that a tracer traces.");
	for (i = 0; i < top->n; i++) {
		of_tracer("tracer_functions", top->t[i].name);
		printf("%ld\n", top->t[i].functions);
	}
}

static void print_functions(const struct top *top, struct top_func *const *f, size_t n,
			    double seconds)
{
	size_t i, k;

	head("function_calls_per_second", "gauge", "Calls of the busiest functions, by tracer.");
	for (i = 0; i < n; i++) {
		for (k = 0; k < top->n; k++) {
			if (!((f[i]->mask >> k) & 1))
				continue;
			fputs("ftrace_mux_function_calls_per_second{", stdout);
			label("tracer", top->t[k].name);
			putchar(',');
			label("function", f[i]->name);
			printf("} %.15g\n", f[i]->count / seconds);
		}
	}
}

static void print_profile(const struct profile *p, size_t max)
{
	size_t i, n = p->n < max ? p->n : max;

	head("profile_calls_total", "counter", "Calls that the function profiler has counted.");
	for (i = 0; i < n; i++) {
		fputs("ftrace_mux_profile_calls_total{", stdout);
		label("function", p->v[i].name);
		printf("} %llu\n", p->v[i].calls);
	}
	head("profile_seconds_total", "counter", "Time in these functions, with what they call.");
	for (i = 0; i < n; i++) {
		fputs("ftrace_mux_profile_seconds_total{", stdout);
		label("function", p->v[i].name);
		printf("} %.9f\n", p->v[i].seconds);
	}
}

void metrics_print(const struct top *top, struct top_func *const *f, size_t n, size_t max,
		   double seconds, const struct profile *p)
{
	print_tracers(top);
	if (n)
		print_functions(top, f, n, seconds);
	if (p->n)
		print_profile(p, max);
}
