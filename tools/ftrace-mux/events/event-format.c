// SPDX-License-Identifier: GPL-2.0
/*
 * Formats of events when they are needed: parsing all of a kernel takes
 * seconds, and what is in a buffer may have been switched off since.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include "events/event-format.h"
#include "tracefs/tfs.h"

static void subdirs(const char *path, struct strlist *names)
{
	DIR *d = opendir(path);
	struct dirent *e;

	if (!d)
		return;
	while ((e = readdir(d)))
		if (e->d_name[0] != '.')
			strlist_add(names, e->d_name);
	closedir(d);
}

static bool try_event(struct tep_handle *tep, const char *system, const char *event, int id)
{
	char *path = tfs_path("events/%s/%s/id", system, event), *text = NULL;
	bool found = tfs_read_long(path, -1) == id;

	free(path);
	if (!found)
		return false;
	path = tfs_path("events/%s/%s/format", system, event);
	text = tfs_read(path);
	if (text)
		tep_parse_event(tep, text, strlen(text), system);
	free(text);
	free(path);
	return true;
}

static bool try_system(struct tep_handle *tep, const char *system, int id)
{
	char *path = tfs_path("events/%s", system);
	struct strlist events = { };
	bool found = false;
	size_t i;

	subdirs(path, &events);
	for (i = 0; !found && i < events.n; i++)
		found = try_event(tep, system, events.v[i], id);
	strlist_free(&events);
	free(path);
	return found;
}

struct tep_event *event_format_load(struct tep_handle *tep, int id)
{
	char *path = tfs_path("events");
	struct strlist systems = { };
	bool found = false;
	size_t i;

	subdirs(path, &systems);
	for (i = 0; !found && i < systems.n; i++)
		found = try_system(tep, systems.v[i], id);
	strlist_free(&systems);
	free(path);
	return tep_find_event(tep, id);
}
