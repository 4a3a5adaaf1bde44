#!/bin/bash
# guest: KERNEL=debug SMP=2 THREAD=single TIMEOUT=1200 MODULES=1 FILES=selftests/mux APPEND=mux.seconds=30
#
# stress.sh on the kernel that checks memory, locks and RCU while it runs, and lets allocations fail.
# shellcheck source=selftests/stress/stress.sh
. /files/stress/stress.sh
