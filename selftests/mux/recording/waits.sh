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
		[ "$(< $H/jumps)" != 1 ] || return 0
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

# waits_in WHAT FUNCTION COMMAND...: before it has left, COMMAND waits in FUNCTION; what comes after that would wait, too
waits_in()
{
	local pid i

	"${@:3}" &
	pid=$!
	for ((i = 0; i < 25; i++)); do
		! grep -q " $2+" /proc/$pid/stack || break
		sleep 0.02
	done
	check "$1: waits for it in $2" grep " $2+" /proc/$pid/stack
	check "$1: has not done so in vain" is_held
	echo 0 > $H/hold
	wait $pid
	ok $? "$1"
}

# set_file FILE TEXT
set_file()
{
	echo "$2" > "$1"
}

# add_line FILE TEXT
add_line()
{
	echo "$2" >> "$1"
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
if ! grep -q ' free_filter_list_work$' /proc/kallsyms; then
	echo '!(newcomm ~ "no*body")' > $I/a/$rename/filter
	check 'a task uses a filter' held_in regex_match_glob "$renames"
	waits_for_it 'changing the filter of an event' set_file $I/a/$rename/filter 'pid == 1'
	let_go
	echo 0 > $I/a/$rename/filter

	echo 'traceoff if newcomm ~ "no*body"' > $I/a/$rename/trigger
	check 'a task uses a trigger' held_in regex_match_glob "$renames"
	waits_for_it 'removing the trigger' set_file $I/a/$rename/trigger '!traceoff if newcomm ~ "no*body"'
	let_go
fi
# The last filter: while the event is being filtered, it is in a buffer that goes with the filter
echo 0 > $I/b/events/kmem/kfree/filter
echo '!(newcomm ~ "no*body")' > $I/a/$rename/filter
check 'a task filters an event' held_in regex_match_glob "$renames"
waits_in 'clearing the last filter' trace_buffered_event_disable set_file $I/a/$rename/filter 0
let_go

# --- Lists of PIDs ------------------------------------------------------------------------------------------------
# The victim is on a list, and its children are put on it, too
forks='echo $$ > /tmp/victim-pid; until [ -e /tmp/listed ]; do :; done; while :; do (:); done'

# list_victim FILE
list_victim()
{
	until [ -s /tmp/victim-pid ]; do
		sleep 0.02
	done
	cat /tmp/victim-pid > "$1"
	touch /tmp/listed
}

# held_with_list FILE
held_with_list()
{
	rm -f /tmp/victim-pid /tmp/listed
	list_victim "$1" &
	held_in trace_pid_list_set "$forks"
}

for what in function:ftrace event:event; do
	file=$I/a/set_${what#*:}_pid
	echo 1 > $I/a/options/${what%:*}-fork
	check 'a task uses a list of PIDs' held_with_list "$file"
	waits_for_it "adding a PID to ${file##*/}" add_line "$file" 2
	let_go
	# Events stay filtered by the other list: taking the filter away waits, too
	[ "$what" = function:ftrace ] || echo 2 > $I/a/set_event_notrace_pid
	check 'a task uses a list of PIDs' held_with_list "$file"
	waits_for_it "clearing ${file##*/}" set_file "$file" ''
	let_go
	[ "$what" = function:ftrace ] || echo > $I/a/set_event_notrace_pid
	echo 0 > $I/a/options/${what%:*}-fork
done

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

# --- The size of a buffer -----------------------------------------------------------------------------------------
check 'a task writes to a buffer' held_in ring_buffer_unlock_commit "while :; do echo x > $I/a/trace_marker; done"
echo 0 > $I/a/tracing_on
# The part of this processor: the other one cannot change its own meanwhile
waits_for_it 'changing the size of a buffer that is off' set_file $I/a/per_cpu/cpu0/buffer_size_kb 300
echo 1 > $I/a/tracing_on
let_go
check 'a task writes to a buffer' held_in ring_buffer_unlock_commit "while :; do echo x > $I/a/trace_marker; done"
waits_for_it 'changing the size of its pages' set_file $I/a/buffer_subbuf_size_kb 8
let_go
echo 4 > $I/a/buffer_subbuf_size_kb

# --- A command for a function -------------------------------------------------------------------------------------
echo __x64_sys_umask:stacktrace >> $I/a/set_ftrace_filter
echo vfs_truncate:stacktrace >> $I/a/set_ftrace_filter
check 'a task runs a command' held_in ring_buffer_unlock_commit 'while :; do umask 022; done'
waits_for_it 'removing the command' add_line $I/a/set_ftrace_filter '!__x64_sys_umask:stacktrace'
let_go
echo '!vfs_truncate:stacktrace' >> $I/a/set_ftrace_filter

# --- The functions of set_graph_function --------------------------------------------------------------------------
# A worker waits for those that read the old ones
frees_later()
{
	grep -qs ' ftrace_graph_free_old_hashes+' /proc/[0-9]*/stack
}

frees_now()
{
	local i

	for ((i = 0; i < 100; i++)); do
		frees_later || return 0
		sleep 0.02
	done
	return 1
}

echo __x64_sys_umask | tee $I/a/set_ftrace_filter > $I/a/set_graph_function
echo function_graph > $I/a/current_tracer
check 'a task looks for a function of set_graph_function' held_in ftrace_lookup_ip 'while :; do umask 022; done'
overtakes_it 'changing set_graph_function' set_file $I/a/set_graph_function vfs_truncate
check 'the old functions are freed later' frees_later
check 'while the task is there' is_held
let_go
check 'they are freed when the task has left' frees_now
echo nop > $I/a/current_tracer
echo > $I/a/set_graph_function
echo > $I/a/set_ftrace_filter

# --- A kprobe -----------------------------------------------------------------------------------------------------
check 'a task is in the handler of a kprobe' held_in ring_buffer_unlock_commit \
	"while :; do echo x > $I/a/trace_marker; done"
waits_for_it 'removing the kprobe' set_file $H/remove 1
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

# The only index of function graph that is next is that of a user that has just gone
insmod $modules/mux_graph.ko
stay
for ((u = 0; u < 16; u++)); do
	mg filter $u 0x1
	mg reg $u
	mg unreg $u
done
mg reg 0 &
user=$!
sleep 0.5
check 'a user of function graph waits for the task' kill -0 $user
check 'a module is loaded' insmod $modules/mux_target.ko
check 'while the task is there' stays
check 'and the user waits' kill -0 $user
leave
wait $user
ok $? 'it is registered when the task has left'
mg call 0 3
same 'and sees its calls' 3,3 "$(seen 0 0)"
mg unreg 0
rmmod mux_target mux_graph

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
one=$(has_trampolines && echo 1 || echo 0)
for i in {0..8}; do
	mkdir $I/t$i
	echo mt_fn1$i > $I/t$i/set_ftrace_filter
	echo function > $I/t$i/current_tracer
done
same 'the ninth tracer has a trampoline' $((before + one)) "$(trampolines)"
echo nop > $I/t8/current_tracer
same 'which stays when it stops' $((before + one)) "$(trampolines)"
echo function > $I/t8/current_tracer
mt call '*' 3
same 'and works again' 3 "$(grep -c 'mt_fn18 <-' $I/t8/trace)"
same 'and is still the only one' $((before + one)) "$(trampolines)"
rmdir $I/t8
same 'it goes with the instance' "$before" "$(trampolines)"
for i in {0..7}; do
	echo nop > $I/t$i/current_tracer
	rmdir $I/t$i
done
same 'no slot is left with a tracer that has gone' '' "$(grep ': zombie ' $T/function_mux)"
finish
