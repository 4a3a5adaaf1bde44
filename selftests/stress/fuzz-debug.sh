#!/bin/bash
# guest: KERNEL=debug SMP=2 THREAD=single TIMEOUT=7200 MODULES=1 FILES=selftests/mux
# slow
#
# fuzz.sh on the kernel that checks memory, locks and RCU while it runs: fewer writes, each of them takes longer, and
# never the whole kernel. KASAN saves a stack trace of each entry of a hash that is freed, and with the unwinder
# traced, the softirq that frees a hash of all functions is a soft lockup.
WRITES=3000 WHOLE=0
# shellcheck source=selftests/stress/fuzz.sh
. /files/stress/fuzz.sh
