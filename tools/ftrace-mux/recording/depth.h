/* SPDX-License-Identifier: GPL-2.0 */
/* How deep the function_graph tracers of a recording follow calls. */
#ifndef FTM_DEPTH_H
#define FTM_DEPTH_H

#include "recording/request.h"

/* With --dry-run: what would be written where. */
void depth_say(const struct record *r);
/* When the instances are there; enum ftm_exit, reports. */
int depth_set(const struct record *r);
/* Is it the top level's max_graph_depth that depth_set() writes, which counts for all? */
bool depth_is_shared(const struct record *r);

#endif
