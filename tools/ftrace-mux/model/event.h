/* SPDX-License-Identifier: GPL-2.0 */
/* The events of this kernel: available_events. */
#ifndef FTM_EVENT_H
#define FTM_EVENT_H

#include "base/ftm.h"

/* Is there an event for each of these, as trace-cmd -e takes them?  Reports all that are wrong. */
int events_check(const struct strlist *events);		/* enum ftm_exit */

#endif
