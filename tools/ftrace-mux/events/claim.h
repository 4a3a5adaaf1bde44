/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tracers whose events a command reads.  Each has one reader at a time: two
 * would each see a part.
 */
#ifndef FTM_CLAIM_H
#define FTM_CLAIM_H

#include "model/tracer.h"

/* The tracers of these names, or all that are on and have a buffer; @chosen has room for all. */
int stream_choose(struct tracers *ts, char **names, size_t n, struct tracer **chosen,
		  size_t *count);		/* enum ftm_exit; reports */
int stream_claim(const char *tracer);	/* until this process ends; enum ftm_exit, reports */

#endif
