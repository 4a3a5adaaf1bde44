// SPDX-License-Identifier: GPL-2.0
/* Histograms as text and as JSON. */
#include <stdlib.h>
#include <string.h>
#include "recording/histogram.h"
#include "term/bar.h"

#define BAR		20
#define BAR_TIMED	10	/* next to seven columns */
#define BAR_LATENCY	BAR_MAX

struct column {
	const char *head;
	unsigned long long (*value)(const struct hist_entry *x);
};

static unsigned long long total(const struct hist_entry *x)
{
	return x->total;
}

static unsigned long long self(const struct hist_entry *x)
{
	return x->self;
}

static unsigned long long avg(const struct hist_entry *x)
{
	return x->returns ? x->total / x->returns : 0;
}

static unsigned long long p50(const struct hist_entry *x)
{
	return hist_percentile(x, 50);
}

static unsigned long long p99(const struct hist_entry *x)
{
	return hist_percentile(x, 99);
}

static unsigned long long longest(const struct hist_entry *x)
{
	return hist_percentile(x, 100);
}

/* In the order of enum hist_sort, which begins with calls. */
static const struct column columns[] = {
	{ "TOTAL", total }, { "SELF", self }, { "AVG", avg }, { "P50", p50 }, { "P99", p99 },
	{ "MAX", longest },
};

/* By process, thread or CPU only SELF is shown: TOTAL would count time twice. */
static bool has_column(const struct histogram *h, size_t i)
{
	return h->timed && (h->by == BY_FUNCTION || columns[i].value == self);
}

static unsigned long long weight(const struct histogram *h, const struct hist_entry *x)
{
	return h->sort > SORT_CALLS ? columns[h->sort - SORT_TOTAL].value(x) :
		(unsigned long long)x->calls;
}

static void print_entry(const struct histogram *h, const struct hist_entry *x)
{
	unsigned long long most = weight(h, &h->v[0]);
	char buf[32];
	size_t i;

	printf("%*ld ", h->timed ? 8 : 10, x->calls);
	for (i = 0; i < ARRAY_SIZE(columns); i++)
		if (has_column(h, i))
			printf("%8s ", !x->returns ? "-" :
			       duration(columns[i].value(x), buf, sizeof(buf)));
	bar_print(most ? (double)weight(h, x) / most : 0, h->timed ? BAR_TIMED : BAR);
	printf(" %s\n", x->name);
}

static void print_head(const struct histogram *h)
{
	size_t i;

	printf("%*s ", h->timed ? 8 : 10, h->functions ? "CALLS" : "COUNT");
	for (i = 0; i < ARRAY_SIZE(columns); i++)
		if (has_column(h, i))
			printf("%8s ", columns[i].head);
	printf(" %*s  %s\n", h->timed ? BAR_TIMED : BAR, "",
	       h->by == BY_FUNCTION && !h->functions ? "EVENT" : by_titles[h->by]);
}

static void print_lost(const struct histogram *h)
{
	bool much = h->lost_unknown || is_much_lost(h->lost, h->found);

	printf("%s%s%ld lost%s\n", much ? clr("yellow") : "", h->lost_unknown ? "at least " : "",
	       h->lost, much ? clr("off") : "");
	if (much)
		printf("%sa larger buffer loses fewer: ftrace-mux %s --buffer%s\n",
		       clr("yellow"), h->live ? "add" : "record", clr("off"));
}

/* "1 function", "2 CPUs" */
static void print_kinds(const struct histogram *h)
{
	static const char *const one[] = { "function", "process", "thread", "CPU" };
	static const char *const many[] = { "functions", "processes", "threads", "CPUs" };

	if (h->by == BY_FUNCTION && !h->functions)
		printf("%zu kind%s", h->n, h->n == 1 ? "" : "s");
	else
		printf("%zu %s", h->n, h->n == 1 ? one[h->by] : many[h->by]);
}

void histogram_print(const struct histogram *h, const char *name, long most)
{
	size_t i;
	long rest = 0;

	if (!h->n) {
		printf("%s%s%s: no events\n", clr("bold"), name, clr("off"));
		return;
	}
	printf("%s%s%s: %ld %s of ", clr("bold"), name, clr("off"), h->calls,
	       h->functions ? "calls" : "events");
	print_kinds(h);
	printf(" in %.6f s, ", (h->last - h->first) / 1e9);
	print_lost(h);
	print_head(h);
	for (i = 0; i < h->n && (!most || i < (size_t)most); i++)
		print_entry(h, &h->v[i]);
	for (; i < h->n; i++)
		rest += h->v[i].calls;
	if (most && h->n > (size_t)most)
		printf("%*ld  of %zu others; --functions 0 shows all\n", h->timed ? 8 : 10, rest,
		       h->n - most);
}

static json_t *entry_json(const struct histogram *h, const struct hist_entry *x)
{
	json_t *j = json_pack("{s:s, s:I}", "name", x->name, "calls", (json_int_t)x->calls);

	if (h->timed && h->by == BY_FUNCTION)
		json_object_update_new(j, json_pack("{s:I, s:I, s:I, s:I, s:I}",
						    "ns", (json_int_t)x->total,
						    "self_ns", (json_int_t)x->self,
						    "p50_ns", (json_int_t)p50(x),
						    "p99_ns", (json_int_t)p99(x),
						    "max_ns", (json_int_t)longest(x)));
	else if (h->timed)
		json_object_set_new(j, "self_ns", json_integer(x->self));
	return j;
}

json_t *histogram_json(const struct histogram *h, const char *name)
{
	static const char *const keys[] = { "functions", "processes", "threads", "cpus" };
	json_t *a = json_array();
	size_t i;

	for (i = 0; i < h->n; i++)
		json_array_append_new(a, entry_json(h, &h->v[i]));
	return json_pack("{s:s, s:I, s:I, s:b, s:f, s:o}", "name", name,
			 "calls", (json_int_t)h->calls, "lost", (json_int_t)h->lost,
			 "lost_unknown", h->lost_unknown, "seconds", (h->last - h->first) / 1e9,
			 keys[h->by], a);
}

/* Bucket @b has what took from 2^@b ns on and less than twice that; 0 also has 0. */
static int bucket_of(unsigned long long ns)
{
	return ns > 1 ? 63 - __builtin_clzll(ns) : 0;
}

/* Their ends: times are in order.  Returns the first index after those of @b. */
static size_t bucket_end(const struct hist_entry *x, size_t i, int b)
{
	while (i < x->returns && bucket_of(x->took[i]) <= b)
		i++;
	return i;
}

void latency_print(const struct hist_entry *x, const char *tracer)
{
	int b, first = bucket_of(x->took[0]), last = bucket_of(x->took[x->returns - 1]);
	char from[32], to[32];
	size_t i, end, most = 0;

	for (b = first, i = 0; b <= last; b++, i = end) {
		end = bucket_end(x, i, b);
		most = end - i > most ? end - i : most;
	}
	printf("%s%s%s: %s, %zu calls\n%8s %8s %10s\n", clr("bold"), tracer, clr("off"), x->name,
	       x->returns, "FROM", "TO", "CALLS");
	for (b = first, i = 0; b <= last; b++, i = end) {
		end = bucket_end(x, i, b);
		printf("%8s %8s %10zu ", duration(b ? 1ULL << b : 0, from, sizeof(from)),
		       duration(2ULL << b, to, sizeof(to)), end - i);
		bar_print((double)(end - i) / most, BAR_LATENCY);
		putchar('\n');
	}
}

json_t *latency_json(const struct hist_entry *x)
{
	int b, first = bucket_of(x->took[0]), last = bucket_of(x->took[x->returns - 1]);
	json_t *a = json_array();
	size_t i, end;

	for (b = first, i = 0; b <= last; b++, i = end) {
		end = bucket_end(x, i, b);
		json_array_append_new(a, json_pack("{s:I, s:I, s:I}",
						   "from_ns", (json_int_t)(b ? 1LL << b : 0),
						   "to_ns", (json_int_t)(2LL << b),
						   "calls", (json_int_t)(end - i)));
	}
	return a;
}
