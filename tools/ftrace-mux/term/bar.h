/* SPDX-License-Identifier: GPL-2.0 */
/* What tables of figures have in common: bars and durations. */
#ifndef FTM_BAR_H
#define FTM_BAR_H

#include "base/ftm.h"

#define BAR_MAX		40

/* @part of 1, as a bar in a field of @width, which is at most BAR_MAX */
void bar_print(double part, int width);
/* "7ns", "1.23us", "45.6ms", "120s" */
const char *duration(unsigned long long ns, char *buf, size_t size);

#endif
