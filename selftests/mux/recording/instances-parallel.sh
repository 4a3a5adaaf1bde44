#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=300 MODULES=1
#
# Four processes make instances, trace in them, stop, start with another callback and remove them, while a tracer of a
# module counts and functions are called all the time.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh

I=$T/instances
# shellcheck disable=SC2153 # instances-parallel-debug.sh sets it
seconds=$(arg seconds ${SECONDS_EACH:-15})

# session NAME ROUND: fails where a step does, or a call of the process itself is not in the buffer
session()
{
	local dir=$I/$1 i n

	mkdir "$dir" && echo 0 > "$dir/events/sched/filter" && echo "${sys}_umask" > "$dir/set_ftrace_filter" || return
	echo $BASHPID > "$dir/set_ftrace_pid"
	for i in 1 2; do
		# Also a tracer of everything
		[ $(($2 % 7)) != $i ] || echo > "$dir/set_ftrace_filter"
		echo function > "$dir/current_tracer" || return
		for n in 1 2 3 4 5; do
			umask 022
		done
		echo 0 > "$dir/tracing_on"
		n=$(grep -c "${sys}_umask <-" "$dir/trace")
		[ "$n" = 5 ] || { echo "$1: $n calls of 5"; return 1; }
		echo > "$dir/trace"
		echo 1 > "$dir/tracing_on"
		[ $(($2 % 3)) != $i ] || echo function_graph > "$dir/current_tracer"
		[ $(($2 % 2)) = 0 ] || echo nop > "$dir/current_tracer"
	done
	[ $(($2 % 5)) != 0 ] || echo 1 > "$dir/events/sched/sched_waking/enable"
	rmdir "$dir"
}

sessions()
{
	local end=$((SECONDS + seconds)) round=0

	while [ $SECONDS -lt $end ]; do
		session "$1" $((round += 1)) || return
	done
	echo "# $1: $round sessions"
}

tracer 0 'mt_fn0*'
mt load 1
for name in a b c d; do
	sessions $name > /tmp/$name 2>&1 &
	pids[${#pids[@]}]=$!
done
for i in 0 1 2 3; do
	name=$(echo a b c d | cut -d' ' -f$((i + 1)))
	wait ${pids[i]}
	same "process $name: each session has its calls" 0 $?
	cat /tmp/$name
done
mt load 0
check 'the tracer of the module saw its own calls' no_errors
check 'masks, records and text agree' masks_ok
finish
