// SPDX-License-Identifier: GPL-2.0
/* The default tracer, kept over the life of a tracer of our own. */
#include <stdlib.h>
#include <string.h>
#include "model/default.h"
#include "tracefs/tfs.h"

char *default_get(void)
{
	char *path = tfs_path("function_tracers");
	char *text = tfs_read(path), *star, *res = NULL;

	free(path);
	if (!text)
		return NULL;
	star = *text == '*' ? text : strstr(text, "\n*");
	if (star) {
		star += strspn(star, "\n*");
		res = strndup(star, strcspn(star, "\n"));
	}
	free(text);
	return res;
}

void default_put_back(const char *name)
{
	char *now = default_get();
	char *path = tfs_path("function_tracers");

	/* it may have been unregistered meanwhile: then the kernel's choice stays */
	if (name && now && strcmp(name, now) && tfs_write(path, name))
		ftm_info("%s: is no longer there to be the default", name);
	free(path);
	free(now);
}
