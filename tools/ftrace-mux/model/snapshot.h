/* SPDX-License-Identifier: GPL-2.0 */
/* All tracers as JSON, and back. */
#ifndef FTM_SNAPSHOT_H
#define FTM_SNAPSHOT_H

#include "base/ftm.h"

#define SNAPSHOT_VERSION	1

json_t *snapshot_take(void);			/* NULL: reported */
/* Both report everything that is wrong; the check changes nothing. */
int snapshot_check(json_t *snap, const char *file);
int snapshot_apply(json_t *snap);

#endif
