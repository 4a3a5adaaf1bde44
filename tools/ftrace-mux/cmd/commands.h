/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FTM_COMMANDS_H
#define FTM_COMMANDS_H

#include "cli/cli.h"

extern const struct ftm_cmd *const commands[];	/* ends with NULL */

#endif
