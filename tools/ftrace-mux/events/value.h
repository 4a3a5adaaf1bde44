/* SPDX-License-Identifier: GPL-2.0 */
/* What a register had: an argument or a return value, whose type nobody knows. */
#ifndef FTM_VALUE_H
#define FTM_VALUE_H

#include "base/ftm.h"

/*
 * An error number as "-2 ENOENT", other small numbers in decimal, the rest in
 * hexadecimal.  What is an error number is decided as the kernel does it for
 * funcgraph-retval: an int that is negative has no sign in a register of 64 bits.
 */
char *value_text(unsigned long long value);
/* The same as a number, or in hexadecimal as a string */
json_t *value_json(unsigned long long value);

#endif
