// SPDX-License-Identifier: GPL-2.0
/*
 * Names of tracers.  The kernel cuts one that is too long and turns what ends
 * a name in a list, and what a shell would run, into '_'.  An instance of
 * another program may have such a name; one that is made here may not.
 */
#include <stdlib.h>
#include <string.h>
#include "model/name.h"

#define NAME_MAX_BYTES	55
#define SHELL		"$`\"'\\()<>|;&"

char *tracer_name_in_kernel(const char *name)
{
	char *res = xasprintf("%.*s", NAME_MAX_BYTES, name), *p;

	for (p = res; *p; p++)
		if ((unsigned char)*p <= ' ' || *p == 0x7f || strchr(",*+[]{}" SHELL, *p))
			*p = '_';
	return res;
}

bool tracer_name_is_renamed(const char *name, const char *base)
{
	size_t len = strlen(base);
	long nr;

	return !strncmp(name, base, len) && name[len] == '-' &&
	       parse_num(name + len + 1, 2, 0x7fffffff, &nr);
}

static bool taken(const char *name)
{
	static const char *const kernels[] = {
		"trace", "trace_graph", "trace_profile", "trace_stack", "pstore", "README",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kernels); i++)
		if (!strcmp(name, kernels[i]))
			return true;
	return false;
}

/*
 * A new tracer's name stands in lists of names and in front of patterns, in
 * this program's arguments, on command lines and in the kernel's files.
 */
bool tracer_name_ok(const char *name)
{
	const unsigned char *p;

	if (taken(name)) {
		ftm_err("%s: this name belongs to a tracer of the kernel", name);
		return false;
	}
	if (strlen(name) > NAME_MAX_BYTES) {
		ftm_err("'%s': too long for the name of a tracer: %zu bytes, and the kernel cuts it after %d",
			name, strlen(name), NAME_MAX_BYTES);
		return false;
	}
	for (p = (const unsigned char *)name; *p; p++)
		if (*p <= ' ' || *p == 0x7f || strchr("/,:*[]{}#!" SHELL, *p))
			break;
	if (!*name || *p || strchr(".-+", *name)) {
		ftm_err("'%s': not a name for a tracer: 1 to %d bytes without blanks, control characters and /,:*[]{}#!%s, not beginning with '.', '-' or '+'",
			name, NAME_MAX_BYTES, SHELL);
		return false;
	}
	return true;
}
