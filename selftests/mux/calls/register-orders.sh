#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=600 MODULES=1
#
# Invariant 6: four tracers come and go in every order, on overlapping filters; the counts are exact at the full
# set and after each one that goes, and nothing is left at the end. FULL=1 combines every order of coming with
# every order of going (576); otherwise each order of either kind occurs once.
# Upstream: 8eb4b09e0bbd, ded914062235, ca26554a1498 (accounting wrong in some orders).
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh

permutations=()
for a in 0 1 2 3; do for b in 0 1 2 3; do for c in 0 1 2 3; do for d in 0 1 2 3; do
	[ $a != $b ] && [ $a != $c ] && [ $a != $d ] && [ $b != $c ] && [ $b != $d ] && [ $c != $d ] &&
		permutations+=("$a $b $c $d")
done; done; done; done

mt add 0
mt ips 0 "$(mask 0-7,31)"
mt add 1 regs
mt ips 1 "$(mask 4-11,31)"
mt add 2
mt ips 2 "$(mask 0-31)"
mt add 3 recursion
mt ips 3 "$(mask 6,31)"

# come_and_go COMING GOING
come_and_go()
{
	local id

	for id in $1; do
		mt reg "$id" || return
	done
	mt reset
	mt call '*' 3
	counts_exact 3 && no_errors && masks_ok || return
	for id in $2; do
		mt unreg "$id" || return
		mt reset
		mt call '*' 2
		counts_exact 2 && no_errors || return
	done
	all_gone
}

for ((i = 0; i < 24; i++)); do
	if [ -n "${FULL:-}" ]; then
		for going in "${permutations[@]}"; do
			check "coming ${permutations[i]}, going $going" come_and_go "${permutations[i]}" "$going"
		done
	else
		going=${permutations[(i * 7 + 11) % 24]}
		check "coming ${permutations[i]}, going $going" come_and_go "${permutations[i]}" "$going"
	fi
done

# The number of records in use follows the union of the filters, not more: 38b14061947f took an empty hash for
# "all functions".
in_use()
{
	wc -l < $T/enabled_functions
}
mt reg 3
same 'one tracer with 2 functions: 2 records in use' 2 "$(in_use)"
mt reg 1
same 'a second one with 9 functions, 2 of them the same: 9 records in use' 9 "$(in_use)"
mt reg 0
same 'a third one, 9 functions, 4 new ones: 13 records in use' 13 "$(in_use)"
mt unreg 1
same 'the second one gone: 9 records in use' 9 "$(in_use)"
mt ips 0 0x1
same 'the third one filtered to one function: 3 records in use' 3 "$(in_use)"
mt unreg 0
mt unreg 3
finish
