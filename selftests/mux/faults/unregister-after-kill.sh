#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=300 MODULES=1 APPEND="slab_debug=FP" ALLOW="WARNING: .*at ftrace_|WARNING: .*at .*unregister|Call [Tt]race:|ftrace_bug|ftrace failed|RIP: 0010:.*ftrace|disarm|FUNCTION TRACING IS CORRUPTED"
#
# Invariants 3 and 7: ftrace gives up while a tracer leaves, and then tracers are unregistered, registered and freed,
# their modules go, and every file is read. No tracer is called or read after that: freed memory is poisoned. Tracers
# that stay see their calls.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh

P=/sys/module/mux_probes/parameters
watch_symbols

# Users of function graph, one of them in an instance
insmod $modules/mux_graph.ko
mg filter 0 0x0f
mg filter 1 0x3c
mg filter 2 0xf0
mg reg 0
mg reg 1
mkdir $T/instances/graph
echo 'mt_fn0[0-7]' > $T/instances/graph/set_ftrace_filter
echo function_graph > $T/instances/graph/current_tracer

# Tracers with and without an ID, with arguments and registers, on functions 0 to 7 and on the site that is damaged;
# the module's is alone on function 18, which no list calls
insmod $modules/mux_user.ko name=user filter='mt_fn[01]*'
for id in 0 1 2 3 4 5; do
	tracer $id 0xff "$([ $((id % 2)) = 1 ] && echo regs)"
done
insmod $modules/mux_probes.ko
echo kprobe 4 > $P/attach
echo direct 5 > $P/attach
# The ops of kprobes is the kernel's own, and stays registered
kprobes=$(grep __builtin__ftrace /proc/kallsyms)
for id in 6 7 8; do
	tracer $id 0x101f0 "$([ $id = 7 ] && echo regs)"
done
# Alone on its functions, without an ID
tracer 9 0x60000000
if is_mux; then
	same 'every ID is used' 8 "$(grep -c '^slot [0-7]: used' $T/function_mux)"
	check 'some have none' grep -q '^no ID:' $T/function_mux
	check 'the module has one' grep -q '^slot [0-7]: used user$' $T/function_mux
fi
if is_mux && has_trampolines; then
	same 'the trampolines of those without an ID are listed' 5 "$(grep -c __builtin__ftrace /proc/kallsyms)"
fi
exec 5<> $T/set_ftrace_notrace
[ ! -e $T/tracers/user/set_ftrace_filter ] || exec 6<> $T/tracers/user/set_ftrace_filter 7< $T/tracers/user/id
mt reset
mt call '*' 10

mt corrupt 9
rmmod mux_user
! mt ips 0 0xf0f 2> /dev/null
ok $? 'ftrace has given up, while a module with a tracer went'
mt reset
mt call 0 20
mt call 3 20
mt call 18 20
same 'those that stay see the calls' '20 20 20' "$(count 0 0) $(count 1 0) $(count 2 3)"

! mt unreg 1 2> /dev/null
ok $? 'unregistering says that it is too late'
mt free 1
mt free 6
mt free 7
mt free 9
mt add 10
mt ips 10 0xf0
! mt reg 10 2> /dev/null
ok $? 'registering as well'
mt free 10
mt reset
mt call 0 20
mt call 4 20
mt call 29 20
same 'those that stay see the calls still' '20 20 20' "$(count 0 0) $(count 2 0) $(count 3 4)"
same 'those that have gone see none' '0 0' "$(count 1 0) $(count 6 4)"
same 'nor are they called' '0 0' "$(value late) $(value bad_ops)"

mg unreg 0
! mg reg 2 2> /dev/null
ok $? 'a user of function graph comes too late'
echo nop > $T/instances/graph/current_tracer
rmdir $T/instances/graph
ok $? 'an instance with function_graph goes'
mg reset
mg call 2 20
same 'of three users of function graph the one that stays sees the calls' '0,0 20,20' "$(seen 0 2) $(seen 1 2)"

insmod $modules/mux_target.ko
ok $? 'a module is loaded'
check 'its functions are called' sh -c 'echo 5 > /sys/module/mux_target/parameters/call'
rmmod mux_target
ok $? 'and it goes'
! echo 0 2> /dev/null > /proc/sys/kernel/ftrace_enabled
ok $? 'ftrace cannot be switched off'
cat /proc/self/mounts > /dev/null
for f in $T/{enabled_functions,touched_functions,available_filter_functions,set_ftrace_filter,set_ftrace_notrace} \
	$T/{function_tracers,function_mux,function_mux_check} $T/tracers/*/*; do
	if [ -f "$f" ]; then
		cat "$f" > /dev/null 2>&1
	fi
done
ok 0 'every file has been read'
cat <&7 > /dev/null 2>&1
echo 'mt_fn00' 1>&6 2> /dev/null
exec 5>&- 6>&- 7>&-
ok 0 'files that had been opened before are closed'
rmmod mux_graph
ok $? 'the module with the users of function graph goes'
rmmod mux_probes
ok $? 'the module with the other users goes'
for id in 0 2 3 4 5 8; do
	mt free $id
done
# Their memory is poisoned
same '/proc/kallsyms lists no trampoline of those that have gone' "$kprobes" "$(grep __builtin__ftrace /proc/kallsyms)"
! has_trampolines || same 'perf was told of each' "$(trampolines)" "$(symbols_left)"
# What a kernel prints when it crashes
echo crash > $T/trace_marker
echo z > /proc/sysrq-trigger
check 'the ring buffers can be printed' sh -c 'dmesg | grep -q "tracing_mark_write: crash"'
mt call 0 20
mt call 16 20
check 'no oops' sh -c '! dmesg | grep -E "BUG:|Oops"'
unset -f at_end
finish
