/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The file of a recording: written in a directory next to its
 * place, and moved there when it is whole.  Until then nothing is lost.
 */
#ifndef FTM_OUTPUT_H
#define FTM_OUTPUT_H

#include "base/ftm.h"

#define RECORDING	"trace.dat"	/* unless the user names another */

struct output {
	char *file;		/* where it goes */
	char *dir;		/* ours alone, on the same file system */
	char *tmp;		/* what is written to */
	char *noted;		/* dir as state.c knows it; NULL */
};

int output_check(const char *file, bool force);	/* may it go there?  reports */
int output_open(struct output *o, const char *file);	/* reports */
int output_commit(struct output *o);		/* reports */
void output_drop(struct output *o);		/* all that is not committed */
bool is_recording(const char *file);

#endif
