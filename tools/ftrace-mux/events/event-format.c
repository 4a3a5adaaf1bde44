// SPDX-License-Identifier: GPL-2.0
/*
 * Formats of events when they are needed: parsing all of a kernel takes
 * seconds, and what is in a buffer may have been switched off since.
 */
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include "events/event-format.h"
#include "tracefs/tfs.h"

static bool try_event(struct tep_handle *tep, const char *system, const char *event, int id)
{
	char *text = tracefs_event_file_read(NULL, system, event, "id", NULL);
	bool found = text && atoi(text) == id;

	free(text);
	if (!found)
		return false;
	text = tracefs_event_file_read(NULL, system, event, "format", NULL);
	if (text)
		tep_parse_event(tep, text, strlen(text), system);
	free(text);
	return true;
}

static bool try_system(struct tep_handle *tep, const char *system, int id)
{
	char **events = tracefs_system_events(tfs_dir(), system);
	bool found = false;
	size_t i;

	for (i = 0; events && events[i] && !found; i++)
		found = try_event(tep, system, events[i], id);
	tracefs_list_free(events);
	return found;
}

struct tep_event *event_format_load(struct tep_handle *tep, int id)
{
	char **systems = tracefs_event_systems(tfs_dir());
	bool found = false;
	size_t i;

	for (i = 0; systems && systems[i] && !found; i++)
		found = try_system(tep, systems[i], id);
	tracefs_list_free(systems);
	return tep_find_event(tep, id);
}
