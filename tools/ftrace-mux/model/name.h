/* SPDX-License-Identifier: GPL-2.0 */
/* Names of tracers. */
#ifndef FTM_NAME_H
#define FTM_NAME_H

#include "base/ftm.h"

bool tracer_name_ok(const char *name);		/* for a new one; reports */
/* The name that the kernel gives the tracer of an instance called @name; allocated. */
char *tracer_name_in_kernel(const char *name);
/* Is @name what the kernel makes of @base when that is taken?  "-2", "-3" ... */
bool tracer_name_is_renamed(const char *name, const char *base);

#endif
