#!/bin/bash
# guest: KERNEL=mux KASLR=1 SMP=2 THREAD=single TIMEOUT=300 MODULES=1
#
# Invariants 1, 4, 6 and 8: every tracer is called exactly once for each call of a function of its filter and never
# for another, with its own ops, the true parent, the true arguments, and full registers when it asked for them;
# the numbers of calls come from the functions themselves.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh

# The filters overlap in all ways: tracer n has the functions whose number has bit n % 5 set, or has it clear.
overlapping()
{
	local id=$1 f m=0

	for ((f = 0; f < 32; f++)); do
		(((f >> id % 5 & 1) == (id / 5 & 1))) || m=$((m | 1 << f))
	done
	printf '0x%x' $m
}

# tracers NUMBER OPTIONS...: tracer n gets the n-th of the options, over and over
tracers()
{
	local number=$1 id
	shift
	local options=("$@")

	for ((id = 0; id < number; id++)); do
		mt add $id "${options[id % ${#options[@]}]}"
		mt ips $id "$(overlapping $id)"
	done
}

register_all()
{
	local id

	for id; do
		mt reg "$id"
	done
}

unregister_all()
{
	local id

	for id; do
		mt unreg "$id"
	done
}

# A single tracer goes through a caller, and has no trampoline
single()
{
	exact_calls 40 && grep -qE '^stub [0-9]+: 16 args 0x' $T/function_mux || { cat $T/function_mux; return 1; }
	[ "$(grep -cE '^mt_fn[0-9]+ .*\(1\) .*mux: 0x' $T/enabled_functions)" = 16 ] || { cat $T/enabled_functions; return 1; }
}
tracers 1 ''
register_all 0
check 'one tracer: exact, through a caller' single
unregister_all 0
mt free 0

mixed=('' regs '' 'regs recursion' rcu stack recursion)
for number in 2 3 7 12 16; do
	ids=$(seq 0 $((number - 1)))
	tracers $number ''
	register_all $ids
	check "$number tracers, arguments only: exact counts" exact_calls 40
	free_all
	check "$number tracers, arguments only: nothing left" all_gone
	tracers $number "${mixed[@]}"
	register_all $ids
	check "$number tracers, mixed registers and flags: exact counts" exact_calls 40
	unregister_all $ids
	check "$number tracers, unregistered in order: nothing left" all_gone
	# shellcheck disable=SC2046 # words
	register_all $(tac <<< "$ids")
	check "$number tracers, registered in reverse order: exact counts" exact_calls 40
	# shellcheck disable=SC2046 # words
	unregister_all $(sort -R --random-source=/proc/version <<< "$ids")
	check "$number tracers, unregistered in another order: nothing left" all_gone
	free_all
done

# 2 to 16 tracers on one and the same function, all of them with full registers
for number in 2 3 7 8 12 16; do
	for ((id = 0; id < number; id++)); do
		tracer $id 0x10 regs
	done
	check "$number tracers with registers on one function: exact counts" exact_calls 40
	free_all
done

# 9 and more, arriving one at a time on top of each other; each step exact
for ((id = 0; id < 12; id++)); do
	tracer $id 'mt_fn0*,mt_fn1*' "${mixed[id % ${#mixed[@]}]}"
	check "one more, $((id + 1)) on the same 20 functions: exact counts" exact_calls 40
done
for id in 3 0 11 7 5 1 2 9 4 10 6 8; do
	mt unreg $id
	check "without tracer $id: exact counts" exact_calls 40
done
free_all

# The second of four sends the call elsewhere: the others still get the address of the traced function
for options in '' regs; do
	tracer 0 0x10 "$options"
	tracer 1 0x10 "ipmodify $options"
	tracer 2 0x10 "$options"
	tracer 3 0x10 "$options"
	mt reset
	mt call 4 20
	same "${options:-arguments}: a call goes elsewhere, and all see it" '20 20 20 20' \
		"$(count 0 4) $(count 1 4) $(count 2 4) $(count 3 4)"
	check "${options:-arguments}: each of them where it was made" no_errors
	free_all
done

# A notrace filter takes functions away from one tracer only
tracers 4 '' regs
register_all 0 1 2 3
mt notrace 1 'mt_fn1*'
mt notrace 2 'mt_fn*'
check 'notrace of two of four tracers, set while registered: exact counts' exact_calls 40
mt notrace 2
mt notrace 1 'mt_fn0?,mt_fn3*'
check 'notrace changed and removed: exact counts' exact_calls 40
mt filter 0
mt notrace 0 'mt_fn*[02468]'
# Tracer 0 has the whole kernel now, with the exception of 16 functions.
check 'the whole kernel with a notrace next to three filters: exact counts' exact_calls 40
free_all
finish
