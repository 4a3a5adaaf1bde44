// SPDX-License-Identifier: GPL-2.0
/* metrics DIR: of tracers and functions that stand here, and of a profile in the directory DIR. */
#include <stdlib.h>
#include <string.h>
#include "events/metrics.h"
#include "tracefs/tfs.h"

int main(int argc, char **argv)
{
	static struct top top = {
		.t = {
			{ .name = "files", .dir = "/x", .written = 1000, .lost = 7,
			  .functions = 3 },
			{ .name = "graph", .dir = "/y", .written = 1000, .graph = true,
			  .functions = 1 },
			{ .name = "od\"d\\name", .functions = 2 },	/* without a buffer */
		},
		.n = 3,
	};
	struct top_func read = { .name = "vfs_read", .mask = 5, .count = 30 };
	struct top_func open = { .name = "vfs_open", .mask = 2, .count = 1 };
	struct top_func *f[] = { &read, &open };
	struct profile p;

	if (argc != 2)
		return 2;
	setenv("FTRACE_MUX_TRACING_DIR", argv[1], 1);
	if (tfs_init())
		return 1;
	profile_read(&p);
	metrics_print(&top, f, ARRAY_SIZE(f), 2, 2.0, &p);
	profile_free(&p);
	return 0;
}
