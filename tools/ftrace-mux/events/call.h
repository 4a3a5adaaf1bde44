/* SPDX-License-Identifier: GPL-2.0 */
/* The events of the function tracers as calls. */
#ifndef FTM_CALL_H
#define FTM_CALL_H

#include <event-parse.h>

enum call_kind {
	CALL_OTHER,		/* any other event */
	CALL_FUNCTION,		/* plugin function */
	CALL_ENTER,		/* plugin function_graph */
	CALL_LEAVE,
	CALL_STACK,		/* of the call before it on this CPU */
};

struct call {
	enum call_kind kind;
	unsigned long long ip, parent;	/* 0: unknown */
	unsigned long long took;	/* CALL_LEAVE: ns, as the kernel measured */
	unsigned long long retval;	/* CALL_LEAVE: the register, whatever it means */
	bool has_retval;
};

void call_decode(struct call *c, struct tep_event *event, const struct tep_record *record);
unsigned long long event_field(struct tep_event *event, const struct tep_record *record,
			       const char *name);

#endif
