/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FTM_EVENT_FORMAT_H
#define FTM_EVENT_FORMAT_H

#include <event-parse.h>

/* The event with this ID, whose format is read now; NULL: it does not exist. */
struct tep_event *event_format_load(struct tep_handle *tep, int id);

#endif
