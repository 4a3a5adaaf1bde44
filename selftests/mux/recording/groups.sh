#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=900 MODULES=1 ALLOW="Call [Tt]race:"
#
# Function tracers that only record are a group where they are alone: each records each call of its filter once, in tasks,
# interrupts and NMIs. When one becomes something else, it leaves its groups at once, and comes back afterwards; the
# others record each call meanwhile. With ftrace_enabled 0 too. Which stubs are groups is what function_mux says.
# On the kernel's command line:
#   mux.calls=N     calls on each processor
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh
# shellcheck source=selftests/mux/recording/buffers.sh
. /files/mux/recording/buffers.sh
calls=$(arg calls 20000)
fn=$(getppid_function)
all=$((calls * 2))

# stub_is FLAVOUR NAMES: does some stub lead to the set of these?
stub_is()
{
	grep -qE "^stub [0-9]+: [0-9]+ $1 0x[0-9a-f]+ \{$2\}$" $T/function_mux && return
	grep '^stub' $T/function_mux
	return 1
}

for name in a b c; do
	new $name
done

# Filters that differ: the module calls each of its functions as often as it is told
echo 'mt_fn0*' > $T/instances/a/set_ftrace_filter
printf '%s\n' mt_fn05 mt_fn06 > $T/instances/b/set_ftrace_filter
echo mt_fn05 "$fn" > $T/instances/c/set_ftrace_filter
for name in a b c; do
	start $name
done
check 'three recorders are a group' stub_is group a,b,c
check 'and two of them' stub_is group a,b
check 'a single recorder is no group' stub_is args c
check 'enabled_functions shows it' grep -qE '^mt_fn05 .*\(3\).*	mux: 0x[0-9a-f]+ \{a,b,c\} group$' $T/enabled_functions
$rb load "$calls" 2 500 > /dev/null &
load=$!
mt call '*' 1000
wait $load
same 'a: ten functions' 10000 "$(recorded a)"
same 'b: two functions' 2000 "$(recorded b)"
same 'c: one of them, and the system call' $((1000 + all)) "$(recorded c)"
tracer 0 0x20
check 'with a tracer that is no recorder there is no group' stub_is args 'a,b,c,\[.*\]'
mt call 5 100
same 'which sees the calls' 100 "$(count 0 5)"
same 'and so do they' 10100 "$(recorded a)"
mt unreg 0
check 'without it there is' stub_is group a,b,c
check 'masks' masks_ok

# loads: calls, round by round, until /tmp/enough is there; how many rounds is in /tmp/rounds
loads()
{
	local n=0

	while $rb load "$calls" 2 300 > /dev/null; do
		n=$((n + 1))
		[ ! -e /tmp/enough ] || break
	done
	echo $n > /tmp/rounds
}

# becomes WHAT BEFORE AFTER [FLAVOUR NAMES]: a becomes something else, and a recorder again, while calls go on
becomes()
{
	local load n first="" wanted

	for name in a b c; do
		echo > $T/instances/$name/trace
	done
	rm -f /tmp/enough
	loads &
	load=$!
	for n in 1 2 3 4 5; do
		eval "$2"
		[ $n != 1 ] || first=$(stub_is "${4:-args}" "${5:-a,b,c}" && masks_ok && echo ok)
		eval "$3"
	done
	touch /tmp/enough
	wait $load
	same "a $1: the set" ok "$first"
	wanted=$((all * $(cat /tmp/rounds)))
	for name in b c; do
		same "$name meanwhile: all calls" $wanted "$(recorded $name)"
	done
	check 'a group again' stub_is group a,b,c
	check 'masks' masks_ok
	echo > $T/instances/a/trace
	$rb load 1000 2 300 > /dev/null
	same 'a: all calls again' 2000 "$(recorded a)"
}

for name in a b c; do
	echo "$fn" > $T/instances/$name/set_ftrace_filter
done
cd $T/instances/a || exit 1
becomes 'follows a process' 'echo $$ > set_ftrace_pid' 'echo > set_ftrace_pid'
becomes 'leaves out a process' 'echo $$ > set_ftrace_notrace_pid' 'echo > set_ftrace_notrace_pid'
becomes 'records stacks' 'echo 1 > options/func_stack_trace' 'echo 0 > options/func_stack_trace'
becomes 'counts what is repeated' 'echo 1 > options/func-no-repeats' 'echo 0 > options/func-no-repeats'
[ ! -e options/func-args ] ||
	becomes 'records arguments' 'echo 1 > options/func-args' 'echo 0 > options/func-args'
becomes 'is paused' 'echo 0 > tracing_on' 'echo 1 > tracing_on' group
becomes 'is gone' 'echo nop > current_tracer' 'echo function > current_tracer' group b,c
becomes 'is another tracer' 'echo function_graph > current_tracer' 'echo function > current_tracer' '(args|regs)' '.*b,c.*'
cd /

# What it has become is what is called
sleep 1000 &
other=$!
echo $other > $T/instances/a/set_ftrace_pid
was=$(recorded a)
$rb load 1000 2 300 > /dev/null
same 'a follows another process: nothing' "$was" "$(recorded a)"
echo > $T/instances/a/set_ftrace_pid
kill $other
wait $other 2> /dev/null

# The same while ftrace is off
off()
{
	echo 0 > /proc/sys/kernel/ftrace_enabled
	check 'ftrace is off: masks' masks_ok
	echo "$1" > $T/instances/a/options/func_stack_trace
	check "stacks are $1: masks" masks_ok
	echo 1 > /proc/sys/kernel/ftrace_enabled
	check 'ftrace is on: the set' stub_is "$2" a,b,c
	check 'masks' masks_ok
	echo > $T/instances/a/trace
	echo > $T/instances/b/trace
	$rb load 100 2 0 > /dev/null
	same "a: events" "$3" "$(recorded a)"
	same "b: events" 200 "$(recorded b)"
}

off 1 args 400
off 0 group 200

# Everything, in interrupts too; only the stubs change
for name in a b c; do
	echo 0 > $T/instances/$name/tracing_on
	echo 8192 > $T/instances/$name/buffer_size_kb
	echo > $T/instances/$name/set_ftrace_filter
	echo > $T/instances/$name/trace
done
check 'everything is a group' stub_is group a,b,c
echo $$ > $T/instances/a/set_ftrace_pid
check 'it is no group any longer: stubs were redirected, no sites patched' \
	grep -qE '^last update: [1-9][0-9]* stubs redirected, 0 sites patched' $T/function_mux
check 'masks' masks_ok
echo > $T/instances/a/set_ftrace_pid
check 'masks' masks_ok
for name in a b c; do
	echo 1 > $T/instances/$name/tracing_on
done
(sleep 0.3; echo l > /proc/sysrq-trigger) 2> /dev/null &
$rb load $((calls / 10)) 2 300 > /tmp/pids
wait $!
for name in a b c; do
	echo 0 > $T/instances/$name/tracing_on
done
for name in a b c; do
	reading $name
	read_by $name
	same "$name: nothing was lost" 0 "$(found $name lost)"
done
check "there are $(found a irq) events of interrupts" [ "$(found a irq)" -gt 100 ]
while read -r pid; do
	for name in b c; do
		same "$pid: the same events in a and $name" "$(grep "^pid $pid " /tmp/a.read)" "$(grep "^pid $pid " /tmp/$name.read)"
	done
done < /tmp/pids
gone a b c
finish
