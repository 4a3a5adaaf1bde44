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

# --- An update while a task stays in the kernel --------------------------------------------------------------------

# stay: a task that stays in the kernel until it is killed
stay()
{
	mt call 31 1000000000 &
	busy=$!
	(sleep 20; kill -9 $busy) 2> /dev/null &
	guard=$!
	sleep 0.2
}

leave()
{
	kill -9 $busy $guard
	wait $busy $guard
} 2> /dev/null

stays()
{
	kill -0 $busy
}

for i in a b; do
	mkdir $I/$i
	echo 0 > $I/$i/tracing_on
done
echo function > $I/a/current_tracer
stay
# It leaves the stub that all others are at
set_file $I/a/set_ftrace_notrace mt_fn00
check 'a second tracer of everything' set_file $I/b/current_tracer function
check 'does not wait for the task' stays
same 'its call sites are patched instead' 1 "$(grep -cE '^last update: 0 stubs redirected, [0-9]{5} sites patched' $T/function_mux)"
check 'the masks and the text agree' masks_ok
check 'a module is loaded' insmod $modules/mux_target.ko
check 'while the task is there' stays
leave
for i in a b; do
	echo 1 > $I/$i/tracing_on
done
mt call 0 3
mt call 1 3
echo 1 > /sys/module/mux_target/parameters/call
for i in a b; do
	echo 0 > $I/$i/tracing_on
done
same 'the first one sees its functions' 0,3,4 \
	"$(grep -c 'mt_fn00 <-' $I/a/trace),$(grep -c 'mt_fn01 <-' $I/a/trace),$(grep -c 'tg_fn[0-3] <-' $I/a/trace)"
same 'the second one too' 3,3,4 \
	"$(grep -c 'mt_fn00 <-' $I/b/trace),$(grep -c 'mt_fn01 <-' $I/b/trace),$(grep -c 'tg_fn[0-3] <-' $I/b/trace)"
for i in a b; do
	echo nop > $I/$i/current_tracer
	rmdir $I/$i
done
rmmod mux_target

# The only slot is that of a zombie
for i in {0..8}; do
	mkdir $I/t$i
	echo mt_fn1$i > $I/t$i/set_ftrace_filter
done
stay
for i in {0..7}; do
	echo function > $I/t$i/current_tracer
done
echo nop > $I/t7/current_tracer
check 'a tracer for which no slot is free' set_file $I/t8/current_tracer function
check 'does not wait for the task' stays
same 'it has no ID' 1 "$(grep -c '^no ID: t8' $T/function_mux)"
leave
mt call 18 3
same 'and sees its calls' 3 "$(grep -c 'mt_fn18 <-' $I/t8/trace)"
for i in {0..8}; do
	echo nop > $I/t$i/current_tracer
	rmdir $I/t$i
done

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
