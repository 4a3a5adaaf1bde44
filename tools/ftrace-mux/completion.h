/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FTM_COMPLETION_H
#define FTM_COMPLETION_H

void completion_bash(void);
void completion_zsh(void);

#endif
