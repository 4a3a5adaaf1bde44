/* SPDX-License-Identifier: GPL-2.0 */
/* How many events a buffer gave to its readers, and how many it lost. */
#ifndef FTM_COUNT_H
#define FTM_COUNT_H

#include "base/ftm.h"

struct rec_count {
	long events, lost;
};

/* By now, over all CPUs.  The kernel begins again when the buffer is emptied. */
struct rec_count count_read(const char *instance);

#endif
