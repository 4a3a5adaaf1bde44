// SPDX-License-Identifier: GPL-2.0
/*
 * function_mux, one "key: value" per line:
 *
 *   ids: 8                       slot 0: used trace        no ID: bar
 *   view: off                    slot 1: zombie foo        functions 2: 481
 *   default: trace               slot 2: free
 *   stub 3: 12 regs 0x03 {trace,foo,+bar}
 *   stubs: 1 used, 254 clean
 *   last update: 1 stubs redirected, 0 sites patched, 0 waits
 *   all updates: 9 stubs redirected, 40 sites patched, 1 waits
 *
 * Lines of other kinds are ignored.
 */
#include <stdio.h>
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

/* key "3", val "12 regs 0x03 {trace,foo,+bar}" */
static void parse_stub(struct mux *m, const char *key, const char *val)
{
	struct mux_stub s = { };
	char *list;
	int names = 0;

	if (!parse_num(key, 1, 0xffff, &s.stub) ||
	    sscanf(val, "%ld %7s %x {%n", &s.functions, s.flavour, &s.mask, &names) < 3 || !names)
		return;
	list = xstrdup(val + names);
	list[strcspn(list, "}")] = '\0';
	strlist_split(&s.tracers, list, ",");
	free(list);
	m->stubs = xrealloc(m->stubs, (m->nstubs + 1) * sizeof(s));
	m->stubs[m->nstubs++] = s;
}

static void parse_update(struct mux_update *u, const char *val)
{
	if (sscanf(val, "%ld stubs redirected, %ld sites patched, %ld waits",
		   &u->redirects, &u->sites, &u->waits) < 3)
		memset(u, 0, sizeof(*u));
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
	if (!strcmp(key, "ids")) {
		m->ids = strtol(val, NULL, 10);
	} else if (!strcmp(key, "view")) {
		m->view = !strcmp(val, "on");
	} else if (!strcmp(key, "default")) {
		free(m->dflt);
		m->dflt = xstrdup(val);
	} else if (!strcmp(key, "no ID")) {
		strlist_split(&m->without_id, val, ",");
	} else if (!strcmp(key, "stubs")) {
		if (sscanf(val, "%*d used, %ld clean", &m->clean) != 1)
			m->clean = 0;
	} else if (!strcmp(key, "last update")) {
		parse_update(&m->last, val);
	} else if (!strcmp(key, "all updates")) {
		parse_update(&m->all, val);
	} else if (!strncmp(key, "slot ", 5)) {
		parse_slot(m, key + 5, val);
	} else if (!strncmp(key, "stub ", 5)) {
		parse_stub(m, key + 5, val);
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
	for (i = 0; i < m->nstubs; i++)
		strlist_free(&m->stubs[i].tracers);
	strlist_free(&m->without_id);
	free(m->stubs);
	free(m->shares);
	free(m->dflt);
	memset(m, 0, sizeof(*m));
}

json_t *mux_stub_json(const struct mux_stub *s)
{
	json_t *names = json_array();
	size_t i;

	for (i = 0; i < s->tracers.n; i++)
		json_array_append_new(names, json_string(s->tracers.v[i]));
	return json_pack("{s:i, s:i, s:s, s:i, s:o}", "stub", (int)s->stub,
			 "mask", (int)s->mask, "flavour", s->flavour,
			 "functions", (int)s->functions, "tracers", names);
}
