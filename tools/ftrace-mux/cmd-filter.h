/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FTM_CMD_FILTER_H
#define FTM_CMD_FILTER_H

#include <stdbool.h>

int filter_command(int argc, char **argv, bool notrace);

#endif
