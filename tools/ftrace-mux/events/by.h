/* SPDX-License-Identifier: GPL-2.0 */
/* What calls are counted by: top and report. */
#ifndef FTM_BY_H
#define FTM_BY_H

enum by { BY_FUNCTION, BY_PROCESS, BY_THREAD, BY_CPU, BYS };

extern const char *const by_names[BYS], *const by_titles[BYS];

#endif
