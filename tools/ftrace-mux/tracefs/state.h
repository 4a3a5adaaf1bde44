/* SPDX-License-Identifier: GPL-2.0 */
/* State of the kernel that must not outlive this process. */
#ifndef FTM_STATE_H
#define FTM_STATE_H

#include "base/ftm.h"

void state_reap(void);
int state_add(const char *instance);
void state_forget(const char *instance);
void state_leave_out_self(const char *dir);	/* until this process ends */
int state_rmdir(const char *name, int tries);	/* an instance; -1 and errno */
void state_cleanup(void);		/* at exit() by itself */
const char *state_dir(void);
int state_make_dir(void);

/* The plugin of a tracer that is off, for when it is switched on again. */
void remember_plugin(const char *name, const char *plugin);
char *remembered_plugin(const char *name);

#endif
