// SPDX-License-Identifier: GPL-2.0
/* What report computes and prints, of events that stand here instead of in a recording. */
#include <stdlib.h>
#include <string.h>
#include "events/value.h"
#include "recording/call-values.h"
#include "recording/histogram.h"

static int nr, bad;

#define CHECK(cond) check(cond, #cond, __LINE__)

static void check(bool good, const char *text, int line)
{
	nr++;
	bad += !good;
	fprintf(stderr, "%sok %d - histogram.c:%d %s\n", good ? "" : "not ", nr, line, text);
}

enum { A = 0x100, B = 0x200, C = 0x300 };

#define ENTER(p, f, t)		{ .call = { .kind = CALL_ENTER, .ip = f }, .pid = p, .ts = t }
#define LEAVE(p, f, t, ns)	{ .call = { .kind = CALL_LEAVE, .ip = f, .took = ns },	\
				  .pid = p, .ts = t }
#define RETURN(p, f, ns, v)	{ .call = { .kind = CALL_LEAVE, .ip = f, .took = ns, .retval = v, \
					    .has_retval = true }, .pid = p }

/*
 * Task 7: A calls B twice, B calls C once; then C alone.  Task 8: B, at the same
 * time; the end of one C is lost, as is the begin of an A.
 */
static const struct trace_event events[] = {
	ENTER(7, A, 0), ENTER(7, B, 100), ENTER(8, B, 150), ENTER(7, C, 200),
	LEAVE(7, C, 500, 300), LEAVE(7, B, 1100, 1000), ENTER(7, B, 1200),
	LEAVE(7, B, 3200, 2000), LEAVE(8, B, 3300, 3150), LEAVE(7, A, 10000, 10000),
	ENTER(8, B, 11000), ENTER(8, C, 11100), LEAVE(8, B, 15000, 4000),
	/* the end of a C below a B that A called is lost: both are A's */
	ENTER(9, A, 16000), ENTER(9, B, 16001), ENTER(9, C, 16002), LEAVE(9, B, 16100, 90),
	LEAVE(9, A, 16200, 190),
	ENTER(7, C, 20000), LEAVE(7, C, 20001, 1), LEAVE(8, A, 21000, 50),
	{ .call = { .kind = CALL_ENTER, .ip = C }, .pid = 0, .cpu = 1, .ts = 22000 },
	{ .call = { .kind = CALL_LEAVE, .ip = C, .took = 4 }, .pid = 0, .cpu = 1, .ts = 22004,
	  .lost = 3 },
};

static const struct trace_event returns[] = {
	ENTER(7, A, 0), RETURN(7, A, 100, 5), RETURN(7, A, 300, 5), RETURN(7, A, 20, 0xfffffffe),
	RETURN(7, B, 1, -2ULL), RETURN(7, A, 30, 0xffff888000000000), RETURN(7, A, 40, 5),
	/* recorded by a kernel that has none */
	LEAVE(7, A, 50, 60),
};

void trace_file_read(struct trace_file *f, size_t buffer, trace_fn fn, void *arg)
{
	const struct trace_event *v = buffer ? returns : events;
	size_t n = buffer ? ARRAY_SIZE(returns) : ARRAY_SIZE(events), i;

	for (i = 0; i < n; i++)
		fn(f, &v[i], arg);
}

/* Each call has two: where it is, and its number */
void trace_file_args(struct trace_file *f, const struct trace_event *e, struct args *args)
{
	(void)f;
	args->v[0] = e->call.ip;
	args->v[1] = e - events;
	args->n = e->call.kind == CALL_ENTER ? 2 : 0;
}

const char *trace_file_symbol(struct trace_file *f, unsigned long long ip)
{
	(void)f;
	return ip == A ? "a" : ip == B ? "b" : "c";
}

const char *trace_file_task(struct trace_file *f, const struct trace_event *e)
{
	(void)f;
	return e->pid ? "cat" : "swapper/1";
}

const char *trace_file_event(struct trace_file *f, const struct trace_event *e)
{
	(void)f;
	(void)e;
	return "event";
}

static void read_by(struct histogram *h, enum by kind, enum hist_sort sort)
{
	memset(h, 0, sizeof(*h));
	h->by = kind;
	h->sort = sort;
	histogram_read(h, NULL, 0);
}

static void test_functions(void)
{
	struct hist_entry *a, *b, *c;
	struct histogram h;

	read_by(&h, BY_FUNCTION, SORT_DEFAULT);
	a = histogram_find(&h, "a");
	b = histogram_find(&h, "b");
	c = histogram_find(&h, "c");
	CHECK(h.n == 3 && a && b && c && !histogram_find(&h, "d"));
	CHECK(a->calls == 2 && b->calls == 5 && c->calls == 5);
	CHECK(a->returns == 3 && b->returns == 5 && c->returns == 3);
	CHECK(a->total == 10240 && b->total == 10240 && c->total == 305);
	/* A without its two B; the first B without its C; C has nobody below it */
	CHECK(a->self == 10000 - 3000 + 50 + 190 - 90);
	CHECK(b->self == 1000 - 300 + 2000 + 3150 + 4000 + 90);
	CHECK(c->self == 305);
	CHECK(hist_percentile(b, 60) == 2000 && hist_percentile(b, 61) == 3150);
	CHECK(hist_percentile(b, 50) == 2000 && hist_percentile(b, 99) == 4000);
	CHECK(hist_percentile(b, 100) == 4000 && hist_percentile(b, 0) == 90);
	CHECK(h.lost == 3 && h.calls == 12 && h.timed && h.functions);
	CHECK(!strcmp(h.v[0].name, "b") && !strcmp(h.v[1].name, "a"));
	histogram_free(&h);
}

static const char *first_by(enum hist_sort sort)
{
	struct histogram h;
	const char *res;

	read_by(&h, BY_FUNCTION, sort);
	res = h.v[0].name[0] == 'a' ? "a" : h.v[0].name[0] == 'b' ? "b" : "c";
	histogram_free(&h);
	return res;
}

static void test_sort(void)
{
	CHECK(!strcmp(first_by(SORT_CALLS), "b") && !strcmp(first_by(SORT_TOTAL), "b"));
	CHECK(!strcmp(first_by(SORT_SELF), "b") && !strcmp(first_by(SORT_AVG), "a"));
	CHECK(!strcmp(first_by(SORT_P50), "b") && !strcmp(first_by(SORT_P99), "a"));
	CHECK(!strcmp(first_by(SORT_MAX), "a"));
	CHECK(!strcmp(hist_sort_names[SORT_SELF - SORT_CALLS], "self"));
	CHECK(!strcmp(hist_sort_names[SORT_MAX - SORT_CALLS], "max"));
}

static void test_who(void)
{
	struct histogram h;

	read_by(&h, BY_PROCESS, SORT_DEFAULT);
	CHECK(h.n == 2 && histogram_find(&h, "cat")->calls == 11);
	/* nothing twice: A, the two B of the other task, C alone, and what came without a begin */
	CHECK(histogram_find(&h, "cat")->self == 10000 + 3150 + 4000 + 190 + 1 + 50);
	CHECK(histogram_find(&h, "swapper")->self == 4);
	histogram_free(&h);
	read_by(&h, BY_THREAD, SORT_CALLS);
	CHECK(h.n == 4 && histogram_find(&h, "cat-7")->calls == 5);
	CHECK(histogram_find(&h, "cat-8")->calls == 3 && histogram_find(&h, "swapper/1-0"));
	CHECK(!strcmp(h.v[0].name, "cat-7"));
	histogram_free(&h);
	read_by(&h, BY_CPU, SORT_DEFAULT);
	CHECK(h.n == 2 && histogram_find(&h, "0")->calls == 11);
	CHECK(histogram_find(&h, "1")->calls == 1);
	histogram_free(&h);
}

/* What @fn prints */
static char *printed(void (*fn)(const struct histogram *h), const struct histogram *h)
{
	FILE *out = stdout;
	char *text;
	size_t size;

	stdout = open_memstream(&text, &size);
	fn(h);
	fclose(stdout);
	stdout = out;
	return text;
}

static void print(const struct histogram *h)
{
	histogram_print(h, "g", 2);
}

static void print_latency(const struct histogram *h)
{
	latency_print(histogram_find(h, "c"), "g");
}

static void test_text(void)
{
	struct histogram h;
	char *text;

	read_by(&h, BY_FUNCTION, SORT_DEFAULT);
	text = printed(print, &h);
	CHECK(strstr(text, "g: 12 calls of 3 functions in 0.000022 s, 3 lost\n"
		     "a larger buffer loses fewer: ftrace-mux record --buffer\n"));
	CHECK(strstr(text, "\n   CALLS    TOTAL     SELF      AVG      P50      P99      MAX "));
	CHECK(strstr(text, "\n       5   10.2us   9.94us   2.05us   2.00us   4.00us   4.00us "
		     "|##########| b\n"));
	CHECK(strstr(text, "\n       5  of 1 others; --functions 0 shows all\n"));
	free(text);
	text = printed(print_latency, &h);
	CHECK(strstr(text, "\n     0ns      2ns          1 |#"));
	CHECK(strstr(text, "\n     2ns      4ns          0 |"));
	CHECK(strstr(text, "\n     4ns      8ns          1 |"));
	CHECK(strstr(text, "\n   256ns    512ns          1 |"));
	free(text);
	histogram_free(&h);
	read_by(&h, BY_PROCESS, SORT_DEFAULT);
	text = printed(print, &h);
	CHECK(strstr(text, "g: 12 calls of 2 processes in"));
	CHECK(strstr(text, "\n      11   17.4us |##########| cat\n"));
	free(text);
	histogram_free(&h);
}

static void test_json(void)
{
	struct histogram h;
	json_t *j, *b;

	read_by(&h, BY_FUNCTION, SORT_DEFAULT);
	j = histogram_json(&h, "g");
	b = json_array_get(json_object_get(j, "functions"), 0);
	CHECK(json_integer_value(json_object_get(b, "ns")) == 10240);
	CHECK(json_integer_value(json_object_get(b, "self_ns")) == 9940);
	CHECK(json_integer_value(json_object_get(b, "p50_ns")) == 2000);
	CHECK(json_integer_value(json_object_get(b, "max_ns")) == 4000);
	json_decref(j);
	j = latency_json(histogram_find(&h, "c"));
	CHECK(json_array_size(j) == 9);
	CHECK(json_integer_value(json_object_get(json_array_get(j, 8), "from_ns")) == 256);
	json_decref(j);
	histogram_free(&h);
	read_by(&h, BY_THREAD, SORT_DEFAULT);
	j = histogram_json(&h, "g");
	CHECK(json_array_size(json_object_get(j, "threads")) == 4);
	json_decref(j);
	histogram_free(&h);
}

static bool reads(unsigned long long value, const char *text, const char *json)
{
	char *have = value_text(value), *dumped;
	json_t *j = value_json(value);
	bool good = !strcmp(have, text);

	dumped = json_dumps(j, JSON_ENCODE_ANY);
	good &= !strcmp(dumped, json);
	free(dumped);
	json_decref(j);
	free(have);
	return good;
}

static void test_value(void)
{
	CHECK(reads(0, "0", "0"));
	CHECK(reads(0x7fffffff, "2147483647", "2147483647"));
	CHECK(reads(0x80000000, "0x80000000", "\"0x80000000\""));
	CHECK(reads(-2ULL, "-2 ENOENT", "-2"));
	/* an int */
	CHECK(reads(0xfffffff3, "-13 EACCES", "-13"));
	/* the kernel's own number, which no program sees */
	CHECK(reads(-512ULL, "-512", "-512"));
	CHECK(reads(-4095ULL, "-4095", "-4095"));
	CHECK(reads(-4096ULL, "0xfffffffffffff000", "\"0xfffffffffffff000\""));
	CHECK(reads(0xffff888000000000, "0xffff888000000000", "\"0xffff888000000000\""));
	CHECK(reads(0x1fffffffeULL, "0x1fffffffe", "\"0x1fffffffe\""));
}

static const struct values *shown;

static void print_values(const struct histogram *h)
{
	(void)h;
	values_print(shown, "g", 2);
}

static void test_returns(void)
{
	struct values w = { .pattern = "[ac]" };
	json_t *j, *groups;
	char *text;

	values_read(&w, NULL, 1);
	CHECK(w.n == 3 && w.v[0].value == 5 && w.v[0].calls == 3 && w.v[0].total == 440);
	CHECK(w.v[1].value == 0xfffffffe && w.v[2].value == 0xffff888000000000);
	shown = &w;
	text = printed(print_values, NULL);
	CHECK(strstr(text, "g: a, 5 calls returned\n"));
	CHECK(strstr(text, "\n         3    146ns |####################| 5\n"));
	CHECK(strstr(text, "\n         1     20ns |#######             | -2 ENOENT\n"));
	CHECK(strstr(text, "\n         1  of 1 others; --functions 0 shows all\n"));
	free(text);
	j = values_json(&w, "g");
	groups = json_object_get(j, "returned");
	CHECK(json_array_size(groups) == 1);
	groups = json_object_get(json_array_get(groups, 0), "values");
	CHECK(json_array_size(groups) == 3);
	CHECK(json_integer_value(json_object_get(json_array_get(groups, 0), "ns")) == 440);
	CHECK(json_integer_value(json_object_get(json_array_get(groups, 1), "value")) == -2);
	json_decref(j);
	values_free(&w);
}

static void test_args(void)
{
	struct values w = { .pattern = "a", .args = true };
	char *text;

	values_read(&w, NULL, 0);
	CHECK(w.n == 3 && w.v[0].arg == 1 && w.v[0].value == A && w.v[0].calls == 2);
	CHECK(w.v[1].arg == 2 && w.v[1].value == 0 && w.v[2].arg == 2 && w.v[2].value == 13);
	shown = &w;
	text = printed(print_values, NULL);
	CHECK(strstr(text, "g: a, argument 1 of 2 calls\n"));
	CHECK(strstr(text, "\n         2 |####################| 256\n"));
	CHECK(strstr(text, "g: a, argument 2 of 2 calls\n"));
	CHECK(strstr(text, "\n         1 |####################| 13\n"));
	free(text);
	values_free(&w);
	w = (struct values){ .pattern = "nosuch", .args = true };
	values_read(&w, NULL, 0);
	CHECK(!w.n);
	values_free(&w);
}

int main(void)
{
	test_value();
	test_returns();
	test_args();
	test_functions();
	test_sort();
	test_who();
	test_text();
	test_json();
	return bad != 0;
}
