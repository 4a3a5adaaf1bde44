#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=300 MODULES=1
#
# More tracers than IDs, under load: who has an ID and who shares the overflow lane changes while the functions are
# hammered, when a tracer with a name arrives; nobody misses a call or sees one twice (invariants 1 and 2).
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh

I=$T/instances

# All on the same functions, so that the callers in use have all IDs and the lane
for id in 0 1 2 3 4 5 6 7 8 9; do
	mt add $id "$([ $((id % 4)) = 3 ] && echo regs)"
	mt ips $id 0xffff
	mt reg $id
done
mt add 14
mt ips 14 0xf0000
mt reg 14
mt reset
mt load 2
mt timer 1
for ((round = 0; round < 4; round++)); do
	for i in a b c; do
		mkdir $I/$i
		echo 0 > $I/$i/tracing_on
		echo 'mt_fn0*' > $I/$i/set_ftrace_filter
		echo function > $I/$i/current_tracer
	done
	sleep 0.2
	check "round $round: three named tracers arrive: nothing lost, nothing twice" no_errors
	check "round $round: masks agree" masks_ok
	for i in a b c; do
		rmdir $I/$i
	done
	check "round $round: they go" no_errors
	# The free IDs go to tracers that come now: those in the lane so far
	for id in 7 8 9; do
		mt unreg $id
		mt reg $id
	done
	check "round $round: others take their IDs" no_errors
done
mt timer 0
mt load 0
check 'no error at all' no_errors
mt reset
mt call '*' 20
check 'exact counts afterwards' counts_exact 20
finish
