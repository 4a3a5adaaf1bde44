// SPDX-License-Identifier: GPL-2.0
/*
 * The plugin decodes a mask by the registrations it has seen in the trace.
 * For a live trace it can be told those that came before.
 */
#include <stdlib.h>
#include <string.h>
#include <event-parse.h>
#include "events/mux-names.h"
#include "tracefs/mux.h"

void mux_names_to_plugin(void)
{
	struct strlist l = { };
	char *s, *comma;
	struct mux m;
	int i;

	if (mux_read(&m))
		return;
	for (i = 0; i < m.nslots; i++) {
		if (m.slots[i].state == SLOT_FREE)
			continue;
		s = xasprintf("%d=%s", i, m.slots[i].name);
		/* users of function graph tracing share an ID */
		for (comma = strchr(s, ','); comma; comma = strchr(comma, ','))
			*comma = '/';
		strlist_add(&l, s);
		free(s);
	}
	s = strlist_join(&l, ",");
	/* fails where the plugin is not installed: masks stay numbers */
	tep_plugin_add_option("ftrace_mux:names", s);
	free(s);
	strlist_free(&l);
	mux_free(&m);
}
