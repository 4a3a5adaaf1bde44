// SPDX-License-Identifier: GPL-2.0
/* Reading the values of options. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cli/values.h"
#include "model/instance.h"

int plugin_parse(const char *plugin)
{
	if (!plugin_valid(plugin))
		return ftm_usage("--plugin %s: must be function or function_graph", plugin);
	return FTM_OK;
}

int parse_buffer(const char *s, long *kb)
{
	char *end;

	errno = 0;
	*kb = strtol(s, &end, 10);
	switch (*end) {
	case 'g': case 'G':
		*kb *= 1024;
		/* fall through */
	case 'm': case 'M':
		*kb *= 1024;
		/* fall through */
	case 'k': case 'K':
		end++;
		break;
	case '\0':
		*kb = (*kb + 1023) / 1024;
		break;
	}
	if (errno || end == s || *end || *kb < 1 || *kb > (1L << 30))
		return ftm_usage("--buffer %s: must be a size such as 65536, 512k or 4M", s);
	return FTM_OK;
}

int parse_pid_of(const char *option, const char *s, struct strlist *l)
{
	char dir[64];
	long pid;

	if (!parse_num(s, 1, 4194304, &pid))
		return ftm_usage("%s %s: must be the number of a process", option, s);
	snprintf(dir, sizeof(dir), "/proc/%ld", pid);
	if (access(dir, F_OK))
		ftm_warn("%s %ld: there is no such process now", option, pid);
	strlist_add(l, s);
	return FTM_OK;
}

int parse_seconds(const char *option, const char *s, double min, double max, double *res)
{
	char *end;

	*res = strtod(s, &end);
	if (*end || end == s || !(*res >= min && *res <= max))
		return ftm_usage("%s %s: must be %g to %.0f seconds", option, s, min, max);
	return FTM_OK;
}

/* "a, b or c" */
static char *alternatives(const char *const *names, size_t n)
{
	char *text = xstrdup(names[0]), *longer;
	size_t i;

	for (i = 1; i < n; i++) {
		longer = xasprintf("%s%s%s", text, i + 1 < n ? ", " : " or ", names[i]);
		free(text);
		text = longer;
	}
	return text;
}

int parse_choice(const char *option, const char *s, const char *const *names, size_t n, int *res)
{
	char *text;

	for (*res = 0; (size_t)*res < n; ++*res)
		if (!strcmp(names[*res], s))
			return FTM_OK;
	text = alternatives(names, n);
	ftm_usage("%s %s: must be %s", option, s, text);
	free(text);
	return FTM_USAGE;
}
