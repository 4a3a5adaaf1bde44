/* SPDX-License-Identifier: GPL-2.0 */
/*
 * With the view on, a tracer that is registered becomes the default, and another
 * one when it is unregistered.  A tracer for a command's own use must not change
 * the default.
 */
#ifndef FTM_DEFAULT_H
#define FTM_DEFAULT_H

char *default_get(void);		/* NULL: not a multiplexing kernel */
void default_put_back(const char *name);	/* NULL: does nothing */

#endif
