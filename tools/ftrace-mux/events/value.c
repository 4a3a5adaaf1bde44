// SPDX-License-Identifier: GPL-2.0
/* What a register had: an argument or a return value, whose type nobody knows. */
#include <limits.h>
#include <string.h>
#include "events/value.h"

#define MAX_ERRNO	4095	/* as in the kernel */

/* 0: it is none */
static long error_of(unsigned long long value)
{
	long long number = value >> 31 == 1 ? (int)value : (long long)value;

	return number < 0 && number >= -MAX_ERRNO ? number : 0;
}

char *value_text(unsigned long long value)
{
	long error = error_of(value);
	const char *name = error ? strerrorname_np(-error) : NULL;

	if (error)
		return xasprintf("%ld%s%s", error, name ? " " : "", name ? name : "");
	return xasprintf(value <= INT_MAX ? "%llu" : "0x%llx", value);
}

json_t *value_json(unsigned long long value)
{
	long error = error_of(value);

	if (error)
		return json_integer(error);
	return value <= INT_MAX ? json_integer(value) : json_sprintf("0x%llx", value);
}
