/* SPDX-License-Identifier: GPL-2.0 */
/* What ftrace-mux record says at its end: the events of each buffer, and those it lost. */
#ifndef FTM_RESULT_H
#define FTM_RESULT_H

#include "recording/request.h"

/* Says it, and returns it as JSON; the instances are still there. */
json_t *record_result(const struct record *r);
const char *record_place(const struct record *r);	/* where the recording goes */

#endif
