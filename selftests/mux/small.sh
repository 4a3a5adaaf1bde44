#!/bin/bash
# guest: KERNEL=small SMP=2 THREAD=single TIMEOUT=300 MODULES=1
# slow
#
# A kernel with one ID and the overflow lane: the function tracer has the ID, everybody else shares the lane, and
# the counts are as exact as with more.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh

same 'callers for two bits' 'tracers: 2' "$(head -n 1 $T/function_mux)"
for id in 0 1 2 3; do
	mt add $id "$([ $id = 3 ] && echo regs)"
	mt ips $id 0xff
	mt reg $id
done
same 'one of four tracers has the ID' 1 "$(grep -c '^slot 0: used' $T/function_mux)"
same 'three are in the lane' 3 "$(grep -c '^overflow:' $T/function_mux)"
mt load 2
echo 0 > $T/tracing_on
echo 'mt_fn0*' > $T/set_ftrace_filter
echo function > $T/current_tracer
same 'the function tracer gets the ID' 'slot 0: used trace' "$(grep '^slot 0' $T/function_mux)"
same 'all others are in the lane' 4 "$(grep -c '^overflow:' $T/function_mux)"
check 'nothing was lost meanwhile' no_errors
echo nop > $T/current_tracer
echo > $T/set_ftrace_filter
mt load 0
mt reset
mt call '*' 20
check 'exact counts' counts_exact 20
check 'masks agree' masks_ok
finish
