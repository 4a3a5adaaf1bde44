#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=300 MODULES=1
#
# A task that is in the middle of something is waited for where what it uses is freed, and nowhere else. A kprobe holds a reader or
# a writer at the bad moment, while another task does what must, or must not, wait for it.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh

I=$T/instances
H=/sys/module/mux_hold/parameters
cp /bin/bash /tmp/victim
# The victim has processor 1 for itself
taskset -pc 0 $$ > /dev/null

optimized()
{
	local i

	for ((i = 0; i < 100; i++)); do
		! grep -q OPTIMIZED /sys/kernel/debug/kprobes/list || return 0
		sleep 0.1
	done
	cat /sys/kernel/debug/kprobes/list
	return 1
}

# Without another process, which might be started where the victim does not let it run
is_held()
{
	local held

	read -r held < $H/held
	[ "$held" = 1 ]
}

has_left()
{
	! is_held
}

# held_in FUNCTION COMMAND: runs the shell COMMAND as `victim` until it is held in FUNCTION
held_in()
{
	local i

	insmod $modules/mux_hold.ko "at=$1" comm=victim && optimized || return
	echo 1 > $H/hold
	taskset -c 1 /tmp/victim -c "$2" > /dev/null 2>&1 &
	victim=$!
	for ((i = 0; i < 100; i++)); do
		! is_held || return 0
		sleep 0.02
	done
	echo "nobody comes to $1"
	return 1
}

let_go()
{
	echo 0 > $H/hold
	kill $victim 2> /dev/null
	wait $victim 2> /dev/null
	rmmod mux_hold
}

# waits_for_it WHAT COMMAND...: it has left when COMMAND is done
waits_for_it()
{
	(sleep 0.3; echo 0 > $H/hold) &
	check "$1" "${@:2}"
	check "$1: waits for it" has_left
	wait $!
}

# overtakes_it WHAT COMMAND...: it is still there when COMMAND is done
overtakes_it()
{
	check "$1" "${@:2}"
	check "$1: does not wait for it" is_held
}

# set_file FILE TEXT
set_file()
{
	echo "$2" > "$1"
}

mkdir $I/a $I/b
# Interrupts are on while this event is written
rename=events/task/task_rename
renames='while :; do echo victim > /proc/self/comm; done'
# Otherwise the buffers of filtered events are freed with the last filter, which waits, too
echo 'common_pid != 1' > $I/b/events/kmem/kfree/filter

# --- Filters of events --------------------------------------------------------------------------------------------
echo '!(newcomm ~ "no*body")' > $I/a/$rename/filter
echo 1 > $I/a/$rename/enable
check 'a task uses a filter' held_in regex_match_glob "$renames"
overtakes_it 'clearing the filters of a system that has none' set_file $I/a/events/sched/filter 0
if grep -q ' free_filter_list_work$' /proc/kallsyms; then
	# Linux 7.2 frees the filter later, in a work
	overtakes_it 'clearing the filters of a system that has one' set_file $I/a/events/task/filter 0
else
	waits_for_it 'clearing the filters of a system that has one' set_file $I/a/events/task/filter 0
fi
let_go
same 'the filter is gone' none "$(cat $I/a/$rename/filter)"

# --- Events -------------------------------------------------------------------------------------------------------
check 'a task writes an event' held_in ring_buffer_unlock_commit "$renames"
set_file $I/a/$rename/enable 0
waits_for_it 'enabling it in another instance' set_file $I/b/$rename/enable 1
let_go
check 'a task writes an event' held_in ring_buffer_unlock_commit "$renames"
waits_for_it 'removing the instance of an event' rmdir $I/b
let_go

# --- Emptying a buffer --------------------------------------------------------------------------------------------
check 'a task writes to a buffer' held_in ring_buffer_unlock_commit "while :; do echo x > $I/a/trace_marker; done"
waits_for_it 'emptying the buffer' set_file $I/a/trace ''
let_go
check 'a task writes to a buffer' held_in ring_buffer_unlock_commit "while :; do echo x > $I/a/trace_marker; done"
waits_for_it 'emptying its part of one processor' set_file $I/a/per_cpu/cpu0/trace ''
let_go

# --- The tracer of a trace array ----------------------------------------------------------------------------------
# busy: a task that stays in the kernel, as far as Tasks RCU can tell at a stub or in a caller
busy()
{
	dd if=/dev/zero of=/dev/null bs=256M count=1 2> /dev/null &
	busy=$!
	sleep 0.2
}

is_busy()
{
	grep -q '^State:.R' /proc/$busy/status 2> /dev/null
}

is_idle()
{
	! is_busy
}

echo mt_fn00 > $I/a/set_ftrace_filter
echo function > $I/a/current_tracer
busy
check 'another callback for a tracer' set_file $I/a/options/func_stack_trace 1
check 'does not wait for tasks in the kernel' is_busy
check 'stopping the tracer' set_file $I/a/current_tracer nop
check 'does not wait' is_busy
check 'starting another one' set_file $I/a/current_tracer function
set_file $I/a/current_tracer nop
check 'does not wait either' is_busy
check 'removing the instance' rmdir $I/a
sleep 0.2
check 'waits for them' is_idle
wait $busy
set_file $T/options/func_stack_trace 0

# --- Without an ID: a trampoline of its own ------------------------------------------------------------------------
trampolines()
{
	grep -c ftrace_trampoline /proc/kallsyms
}

before=$(trampolines)
for i in {0..8}; do
	mkdir $I/t$i
	echo mt_fn1$i > $I/t$i/set_ftrace_filter
	echo function > $I/t$i/current_tracer
done
same 'the ninth tracer has a trampoline' $((before + 1)) "$(trampolines)"
echo nop > $I/t8/current_tracer
same 'which stays when it stops' $((before + 1)) "$(trampolines)"
echo function > $I/t8/current_tracer
mt call '*' 3
same 'and works again' 3 "$(grep -c 'mt_fn18 <-' $I/t8/trace)"
same 'and is still the only one' $((before + 1)) "$(trampolines)"
rmdir $I/t8
same 'it goes with the instance' "$before" "$(trampolines)"
for i in {0..7}; do
	echo nop > $I/t$i/current_tracer
	rmdir $I/t$i
done
same 'no slot is left with a tracer that has gone' '' "$(grep ': zombie ' $T/function_mux)"
finish
