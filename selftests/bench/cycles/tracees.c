// SPDX-License-Identifier: GPL-2.0
/* Functions to trace: compiled with -pg -mfentry -mrecord-mcount, as the kernel's are. */
#include "cycles.h"

#define TRACEE(n) static __attribute__((noinline, noclone)) void tracee_##n(void) { __asm__ volatile(""); }
#define TRACEES_8(t) TRACEE(t##0) TRACEE(t##1) TRACEE(t##2) TRACEE(t##3) \
		     TRACEE(t##4) TRACEE(t##5) TRACEE(t##6) TRACEE(t##7)
#define NAMES_8(t) tracee_##t##0, tracee_##t##1, tracee_##t##2, tracee_##t##3, \
		   tracee_##t##4, tracee_##t##5, tracee_##t##6, tracee_##t##7

TRACEES_8(0) TRACEES_8(1) TRACEES_8(2) TRACEES_8(3) TRACEES_8(4) TRACEES_8(5) TRACEES_8(6) TRACEES_8(7)

void (*const tracees[TRACEES])(void) = {
	NAMES_8(0), NAMES_8(1), NAMES_8(2), NAMES_8(3), NAMES_8(4), NAMES_8(5), NAMES_8(6), NAMES_8(7)
};

__attribute__((no_instrument_function)) void call_one(int count)
{
	while (count--)
		tracee_00();
}
