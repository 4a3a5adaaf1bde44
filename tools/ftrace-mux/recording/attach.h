/* SPDX-License-Identifier: GPL-2.0 */
/* record --attach: which tracers that run already can be recorded. */
#ifndef FTM_ATTACH_H
#define FTM_ATTACH_H

#include "recording/request.h"

void attach_add(struct record *r, const char *name);
/* Finds the tracers, claims their buffers, names their stand-ins; enum ftm_exit, reports. */
int attach_check(struct record *r);

#endif
