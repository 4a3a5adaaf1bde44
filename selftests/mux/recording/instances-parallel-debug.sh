#!/bin/bash
# guest: KERNEL=debug SMP=2 THREAD=single TIMEOUT=3000 MODULES=1
# slow
#
# instances-parallel.sh on the kernel that checks memory, locks and RCU while it runs, for ten minutes.
SECONDS_EACH=600
# shellcheck source=selftests/mux/recording/instances-parallel.sh
. /files/mux/recording/instances-parallel.sh
