// SPDX-License-Identifier: GPL-2.0
/* The events of this kernel: available_events. */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include "model/event.h"
#include "tracefs/tfs.h"

/* "SYSTEM:EVENT", or what may be either; both may have wildcards. */
static bool selects(const char *want, const char *name)
{
	size_t len = strcspn(name, ":");
	char *system = xasprintf("%.*s", (int)len, name);
	const char *event = name + len + (name[len] == ':');
	bool res;

	if (strchr(want, ':'))
		res = !fnmatch(want, name, 0);
	else
		res = !fnmatch(want, system, 0) || !fnmatch(want, event, 0);
	free(system);
	return res || !strcmp(want, "all");
}

static bool exists(const struct strlist *known, const char *want)
{
	size_t i;

	for (i = 0; i < known->n; i++)
		if (selects(want, known->v[i]))
			return true;
	return false;
}

/* The names that @want could have meant: with a system, of systems or of events. */
static void candidates(const struct strlist *known, bool whole, struct strlist *res)
{
	size_t i;

	for (i = 0; i < known->n; i++) {
		const char *name = known->v[i];
		size_t len = strcspn(name, ":");

		if (whole) {
			strlist_add(res, name);
			continue;
		}
		strlist_addn(res, name, len);
		strlist_add(res, name + len + (name[len] == ':'));
	}
}

static int unknown(const struct strlist *known, const char *want)
{
	struct strlist could = { };
	const char *close;

	if (!*want)
		return ftm_usage("--event '': no event");
	candidates(known, strchr(want, ':'), &could);
	close = strlist_closest(&could, want);
	if (close)
		ftm_err("--event %s: no such event; did you mean %s?", want, close);
	else
		ftm_err("--event %s: no such event; available_events has those that there are",
			want);
	strlist_free(&could);
	return FTM_FAIL;
}

int events_check(const struct strlist *events)
{
	char *path = tfs_path("available_events");
	char *text = events->n ? tfs_read(path) : NULL;
	struct strlist known = { };
	int ret = FTM_OK, one;
	size_t i;

	if (events->n && !text)
		ret = tfs_fail("reading", path, errno);
	strlist_split(&known, text ? text : "", "\n");
	for (i = 0; text && i < events->n; i++) {
		if (*events->v[i] && exists(&known, events->v[i]))
			continue;
		one = unknown(&known, events->v[i]);
		ret = ret ? ret : one;
	}
	strlist_free(&known);
	free(text);
	free(path);
	return ret;
}
