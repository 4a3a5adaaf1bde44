// SPDX-License-Identifier: GPL-2.0
/*
 * A line of the file trace.
 *
 *	            bash-42      [000] d..2.    12.345678: vfs_read <-ksys_read
 *	            bash-42      [001] .....    12.345679: sched_waking: comm=x pid=7
 *	 0)               |  vfs_read() {
 *	 0)   1.234 us    |    rw_verify_area();
 *	 0) + 12.345 us   |  }
 */
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include "events/text.h"

#define TASK	"^(.{1,16})-([0-9]+) +(\\( *[0-9-]+\\) +)?\\[([0-9]+)\\] +([^ 0-9][^ ]* +)?"
#define EVENT	"([0-9]+)(\\.([0-9]+))?: (.*)$"
#define CALL	"^([^ ]+)( \\[[^ ]+\\])? <-([^ ]+)"
#define GRAPH	"^ *([0-9]+)\\) +[^ 0-9|]? *(([0-9]+)\\.([0-9]+) us)? *\\|( *)([^ ].*)$"

enum { MOST = 10 };

static bool match(regex_t *re, const char *pattern, const char *s, regmatch_t *m)
{
	if (!re->re_nsub && regcomp(re, pattern, REG_EXTENDED))
		return false;
	return !regexec(re, s, MOST, m, 0);
}

static char *part(const char *s, const regmatch_t *m)
{
	return m->rm_so < 0 ? NULL : xasprintf("%.*s", (int)(m->rm_eo - m->rm_so), s + m->rm_so);
}

static long long number(const char *s, const regmatch_t *m)
{
	return m->rm_so < 0 ? 0 : atoll(s + m->rm_so);
}

/* "SECONDS.PART" or "US.PART" in units of 10^-9: @unit is that of the first. */
static long long fraction(const char *s, const regmatch_t *whole, const regmatch_t *rest,
			  long long unit)
{
	long long res = number(s, whole) * unit;
	int i;

	for (i = rest->rm_so; i >= 0 && i < rest->rm_eo && unit >= 10; i++) {
		unit /= 10;
		res += (s[i] - '0') * unit;
	}
	return res;
}

static bool parse_graph(const char *line, struct text_event *e)
{
	static regex_t re;
	regmatch_t m[MOST];
	const char *name;

	if (!match(&re, GRAPH, line, m))
		return false;
	e->cpu = number(line, &m[1]);
	if (m[2].rm_so >= 0)
		e->took = fraction(line, &m[3], &m[4], 1000);
	e->depth = (m[5].rm_eo - m[5].rm_so) / 2 - 1;
	name = line + m[6].rm_so;
	e->event = xstrdup(*name == '}' ? "funcgraph_exit" : "funcgraph_entry");
	/* "}" or, when its begin is not there, "} / * NAME * /" */
	if (*name == '}' && !strncmp(name, "} /* ", 5))
		name += 5;
	if (*name != '}')
		e->function = xasprintf("%.*s", (int)strcspn(name, " ();"), name);
	return true;
}

static void parse_info(const char *text, struct text_event *e)
{
	static regex_t re;
	regmatch_t m[MOST];
	size_t len;

	if (match(&re, CALL, text, m)) {
		e->event = xstrdup("function");
		e->function = part(text, &m[1]);
		e->parent = part(text, &m[3]);
		return;
	}
	len = strcspn(text, ":");
	if (!strcmp(text, "<stack trace>"))
		e->event = xstrdup("kernel_stack");
	else
		e->event = xasprintf("%.*s", (int)len, text);
	e->info = xstrdup(text[len] ? text + len + 1 + (text[len + 1] == ' ') : "");
}

bool text_parse(const char *line, struct text_event *e)
{
	static regex_t re;
	regmatch_t m[MOST];
	size_t blanks;

	*e = (struct text_event){ .cpu = -1, .pid = -1, .depth = -1, .ts = -1, .took = -1 };
	if (!match(&re, TASK EVENT, line, m))
		return parse_graph(line, e);
	blanks = strspn(line, " ");
	e->task = xasprintf("%.*s", (int)(m[1].rm_eo - blanks), line + blanks);
	e->pid = number(line, &m[2]);
	e->cpu = number(line, &m[4]);
	/* a clock that counts has no point in it */
	e->ts = m[7].rm_so < 0 ? number(line, &m[6]) : fraction(line, &m[6], &m[8], 1000000000);
	parse_info(line + m[9].rm_so, e);
	return true;
}

bool text_is_stack(const char *line)
{
	return !strncmp(line, " =>", 3);
}

static void add(json_t *j, const char *key, long long value)
{
	if (value >= 0)
		json_object_set_new(j, key, json_integer(value));
}

json_t *text_json(const struct text_event *e, const char *tracer)
{
	json_t *j = json_pack("{s:s, s:i}", "tracer", tracer, "cpu", e->cpu);

	add(j, "ts_ns", e->ts);
	if (e->task)
		json_object_set_new(j, "task", json_string(e->task));
	add(j, "pid", e->pid);
	if (e->event)
		json_object_set_new(j, "event", json_string(e->event));
	if (e->function)
		json_object_set_new(j, "function", json_string(e->function));
	if (e->parent)
		json_object_set_new(j, "parent", json_string(e->parent));
	add(j, "depth", e->depth);
	add(j, "took_ns", e->took);
	if (e->info)
		json_object_set_new(j, "info", json_string(e->info));
	return j;
}

void text_free(struct text_event *e)
{
	free(e->task);
	free(e->event);
	free(e->function);
	free(e->parent);
	free(e->info);
}
