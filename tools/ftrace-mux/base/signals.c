// SPDX-License-Identifier: GPL-2.0
/* Signals end a command in order: it sees ftm_stop and cleans up. */
#include <signal.h>
#include "base/ftm.h"

volatile sig_atomic_t ftm_stop;
volatile sig_atomic_t ftm_pipe;

static void on_signal(int sig)
{
	ftm_stop = sig;
	if (sig == SIGPIPE)
		ftm_pipe = 1;
}

/* No SA_RESTART: a wait ends, and its caller sees ftm_stop. */
void catch_signals(void)
{
	static const int sigs[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE };
	struct sigaction sa = { .sa_handler = on_signal }, old;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sigs); i++) {
		sigaction(sigs[i], NULL, &old);
		if (old.sa_handler != SIG_IGN)
			sigaction(sigs[i], &sa, NULL);
	}
}
