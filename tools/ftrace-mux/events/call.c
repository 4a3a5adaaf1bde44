// SPDX-License-Identifier: GPL-2.0
/* The events of the function tracers as calls. */
#include <string.h>
#include "events/call.h"

unsigned long long event_field(struct tep_event *event, const struct tep_record *record,
			       const char *name)
{
	struct tep_format_field *f = tep_find_field(event, name);
	unsigned long long val = 0;

	if (f)
		tep_read_number_field(f, record->data, &val);
	return val;
}

void call_decode(struct call *c, struct tep_event *event, const struct tep_record *record)
{
	const char *name = event->name;

	memset(c, 0, sizeof(*c));
	if (strcmp(event->system, "ftrace"))
		return;
	if (!strcmp(name, "function")) {
		c->kind = CALL_FUNCTION;
		c->ip = event_field(event, record, "ip");
		c->parent = event_field(event, record, "parent_ip");
	} else if (!strcmp(name, "funcgraph_entry")) {
		c->kind = CALL_ENTER;
		c->ip = event_field(event, record, "func");
	} else if (!strcmp(name, "funcgraph_exit")) {
		c->kind = CALL_LEAVE;
		c->ip = event_field(event, record, "func");
		c->took = event_field(event, record, "rettime") -
			  event_field(event, record, "calltime");
		c->has_retval = tep_find_field(event, "retval");
		c->retval = event_field(event, record, "retval");
	} else if (!strcmp(name, "kernel_stack")) {
		c->kind = CALL_STACK;
	}
}
