#!/bin/bash
# guest: KERNEL=small SMP=2 THREAD=single TIMEOUT=300 MODULES=1
# slow
#
# A kernel with one ID and two numbers: numbers run out, and what finds none is traced by ftrace's list function.
# The counts are as exact as with more, under load too.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh

same 'one ID' 'tracers: 1' "$(head -n 1 $T/function_mux)"
for id in 0 1 2 3; do
	tracer $id 0xff "$([ $id = 3 ] && echo regs)"
done
same 'one of four tracers has the ID' 1 "$(grep -c '^slot 0: used' $T/function_mux)"
same 'three have none' 3 "$(grep -c '^no ID:' $T/function_mux)"
mt reset
mt load 2
mt timer 1
RANDOM=3
for ((round = 0; round < 60; round++)); do
	for id in 0 1 2 3; do
		mt ips $id "$(printf 0x%x $((RANDOM << 17 ^ RANDOM << 8 ^ RANDOM | 1)))"
	done
done
same 'both numbers are used' 'numbers: 2 used' "$(grep -o '^numbers: [0-9]* used' $T/function_mux)"
mt timer 0
mt load 0
check 'nothing lost, nothing twice' no_errors
check 'masks agree' masks_ok
mt reset
mt call '*' 20
check 'exact counts' counts_exact 20
finish
