/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FTM_MUX_NAMES_H
#define FTM_MUX_NAMES_H

/* Tells the libtraceevent plugin which tracer has which ID now. */
void mux_names_to_plugin(void);

#endif
