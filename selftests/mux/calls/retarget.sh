#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=600 MODULES=1
#
# Invariant 2: while other tracers come, go and change their filters under load, in threads on two CPUs and in
# interrupts, a tracer whose filter does not change misses no call; invariants 1, 3 and 4 hold for those that do
# change. Every call is checked by itself, and the totals are compared with the functions' own counts.
# Upstream: 9e298e860408 (calls lost while a site changes from one caller to another).
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh

seconds=${SECONDS_PER_STEP:-8}

# The stable ones: whole set, a part with registers, and one that shares its functions with nobody else
mt add 0
mt ips 0 "$(mask 0-30)"
mt add 1 regs
mt ips 1 "$(mask 0-15)"
mt add 2
mt ips 2 "$(mask 31)"
for id in 0 1 2; do
	mt reg $id
done

# under_load DESCRIPTION COMMAND...: runs it while the functions are hammered, then compares
under_load()
{
	local what=$1
	shift

	mt reset
	mt load 2
	mt timer 1
	check "$what: the changes succeed" "$@"
	mt timer 0
	mt load 0
	check "$what: no call lost, none too many, each tracer its own ops" no_errors
	# Those that changed have gone: the rest must have seen every call.
	check "$what: the stable tracers saw exactly all calls" counts_exact
	check "$what: masks, records and text agree" masks_ok
	diag "$(value checked) calls checked, $(value pairs) of tracers, $(value filters) filters so far"
}

# back_and_forth MASK OTHER [FLAGS]: the functions of a tracer change as often as they can
back_and_forth()
{
	local end=$((SECONDS + seconds))

	tracer 3 "$1" "${@:3}"
	while [ $SECONDS -lt $end ]; do
		mt ips 3 "$2" && mt ips 3 "$1" || return
	done
	mt free 3
}
under_load 'one function goes back and forth between two callers' back_and_forth 0x2 0x3
under_load 'functions go back and forth between arguments and registers' back_and_forth 0x80000000 0xffffffff regs

come_and_go()
{
	local end=$((SECONDS + seconds)) id

	for id in 3 4 5; do
		mt add $id && mt ips $id "0x$((id - 2))f0f0f0f" || return
	done
	while [ $SECONDS -lt $end ]; do
		for id in 3 4 5; do
			mt reg $id || return
		done
		for id in 4 3 5; do
			mt unreg $id || return
		done
	done
	for id in 3 4 5; do
		mt free $id
	done
}
under_load 'three tracers come and go' come_and_go

churn()
{
	mt churn "$1" "$2" 3 "$3" || return
	sleep $((seconds * 2))
	mt churn 0
	for id in $(seq 3 15); do
		mt free "$id"
	done 2> /dev/null
	true
}
under_load 'three tracers change at random' churn 1 1 3
under_load 'thirteen tracers change at random, in two threads' churn 2 2 13

for id in 0 1 2; do
	mt free $id
done
under_load 'thirteen tracers change at random, with no stable one' churn 2 3 13
finish
