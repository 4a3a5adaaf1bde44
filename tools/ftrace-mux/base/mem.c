// SPDX-License-Identifier: GPL-2.0
/* Memory that is there, or the end of the program. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/ftm.h"

static void *check(void *p)
{
	static bool ending;

	if (p)
		return p;
	fputs("ftrace-mux: out of memory\n", stderr);
	if (ending)
		_exit(FTM_FAIL);
	ending = true;
	exit(FTM_FAIL);
}

void *xcalloc(size_t n, size_t size)
{
	return check(calloc(n ? n : 1, size));
}

void *xrealloc(void *p, size_t size)
{
	return check(realloc(p, size));
}

char *xstrdup(const char *s)
{
	return check(strdup(s));
}

char *xvasprintf(const char *fmt, va_list ap)
{
	char *s;

	return check(vasprintf(&s, fmt, ap) < 0 ? NULL : s);
}

char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = xvasprintf(fmt, ap);
	va_end(ap);
	return s;
}
