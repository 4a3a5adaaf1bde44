// SPDX-License-Identifier: GPL-2.0
/* What calls are counted by. */
#include "events/by.h"

const char *const by_names[BYS] = { "function", "process", "thread", "cpu" };
const char *const by_titles[BYS] = { "FUNCTION", "PROCESS", "THREAD", "CPU" };
