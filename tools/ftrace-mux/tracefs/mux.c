// SPDX-License-Identifier: GPL-2.0
/*
 * function_mux, a "key: value" a line:
 *
 *   tracers: 8                   slot 0: used trace        overflow: bar
 *   view: off                    slot 1: zombie foo
 *   default: trace               slot 2: free
 *   caller 0x83 regs: 12 trace,foo,+      functions 2: 481
 *
 * Lines of other kinds are ignored.
 */
#include <stdlib.h>
#include <string.h>
#include "tracefs/mux.h"
#include "tracefs/tfs.h"

static void parse_slot(struct mux *m, const char *key, const char *val)
{
	long nr;
	struct mux_slot *s;

	if (!parse_num(key, 0, MUX_MAX_SLOTS - 1, &nr))
		return;
	s = &m->slots[nr];
	if (nr >= m->nslots)
		m->nslots = nr + 1;
	free(s->name);
	s->name = NULL;
	s->state = SLOT_FREE;
	if (!strncmp(val, "used ", 5)) {
		s->state = SLOT_USED;
		s->name = xstrdup(val + 5);
	} else if (!strncmp(val, "zombie", 6)) {
		s->state = SLOT_ZOMBIE;
		s->name = xstrdup(val[6] == ' ' ? val + 7 : "");
	}
}

/* key "0x83 regs", val "12 trace,foo,+" */
static void parse_caller(struct mux *m, const char *key, const char *val)
{
	struct mux_caller *c;
	char *end;

	m->callers = xrealloc(m->callers, (m->ncallers + 1) * sizeof(*c));
	c = &m->callers[m->ncallers++];
	memset(c, 0, sizeof(*c));
	c->mask = strtoul(key, &end, 0);
	c->regs = !strcmp(end, " regs");
	c->functions = strtol(val, &end, 10);
	strlist_split(&c->tracers, end + strspn(end, " "), ",");
}

static void parse_share(struct mux *m, const char *key, const char *val)
{
	long users;

	if (!parse_num(key, 0, 0xffffff, &users))
		return;
	m->shares = xrealloc(m->shares, (m->nshares + 1) * sizeof(*m->shares));
	m->shares[m->nshares].users = users;
	m->shares[m->nshares++].functions = strtol(val, NULL, 10);
}

static void parse_line(struct mux *m, const char *key, const char *val)
{
	if (!strcmp(key, "tracers")) {
		m->bits = strtol(val, NULL, 10);
	} else if (!strcmp(key, "view")) {
		m->view = !strcmp(val, "on");
	} else if (!strcmp(key, "default")) {
		free(m->dflt);
		m->dflt = xstrdup(val);
	} else if (!strcmp(key, "overflow")) {
		strlist_add(&m->overflow, val);
	} else if (!strncmp(key, "slot ", 5)) {
		parse_slot(m, key + 5, val);
	} else if (!strncmp(key, "caller ", 7)) {
		parse_caller(m, key + 7, val);
	} else if (!strncmp(key, "functions ", 10)) {
		parse_share(m, key + 10, val);
	}
}

void mux_parse(struct mux *m, char *text)
{
	char *line, *colon, *save = NULL;

	memset(m, 0, sizeof(*m));
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		colon = strchr(line, ':');
		if (!colon)
			continue;
		*colon++ = '\0';
		parse_line(m, line, colon + strspn(colon, " \t"));
	}
}

int mux_read(struct mux *m)
{
	char *path = tfs_path("function_mux");
	char *text = tfs_read(path);

	free(path);
	memset(m, 0, sizeof(*m));
	if (!text)
		return -1;
	mux_parse(m, text);
	free(text);
	return 0;
}

void mux_free(struct mux *m)
{
	size_t i;

	for (i = 0; i < MUX_MAX_SLOTS; i++)
		free(m->slots[i].name);
	for (i = 0; i < m->ncallers; i++)
		strlist_free(&m->callers[i].tracers);
	strlist_free(&m->overflow);
	free(m->callers);
	free(m->shares);
	free(m->dflt);
	memset(m, 0, sizeof(*m));
}

json_t *mux_caller_json(const struct mux_caller *c)
{
	json_t *names = json_array();
	size_t i;

	for (i = 0; i < c->tracers.n; i++)
		json_array_append_new(names, json_string(c->tracers.v[i]));
	return json_pack("{s:i, s:s, s:i, s:o}", "mask", (int)c->mask,
			 "flavour", c->regs ? "regs" : "args",
			 "functions", (int)c->functions, "tracers", names);
}
