// SPDX-License-Identifier: GPL-2.0
/* How many events a buffer gave to its readers, and how many it lost. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include "recording/count.h"
#include "tracefs/tfs.h"

static long number_after(const char *text, const char *key)
{
	const char *p = strstr(text, key);

	return p ? atol(p + strlen(key)) : 0;
}

struct rec_count count_read(const char *instance)
{
	char *dir = tfs_path("instances/%s/per_cpu", instance);
	struct rec_count c = { };
	DIR *d = opendir(dir);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		char *path = xasprintf("%s/%s/stats", dir, e->d_name);
		char *text = *e->d_name == '.' ? NULL : tfs_read(path);

		if (text) {
			c.events += number_after(text, "\nread events: ");
			c.lost += number_after(text, "\noverrun: ") +
				  number_after(text, "\ndropped events: ") +
				  number_after(text, "\ncommit overrun: ");
		}
		free(text);
		free(path);
	}
	if (d)
		closedir(d);
	free(dir);
	return c;
}
