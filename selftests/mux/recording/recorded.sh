#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=900 MODULES=1
#
# What tracers record is complete: entries, overwritten, dropped and read events are exactly the calls, with each clock,
# while readers read and the buffer wraps, is resized and snapshot; each event in the raw pages is well-formed and no
# event is earlier than the one before it; a tracer on the short way into the ring buffer and one that another clock
# keeps on the long way record the same events of a task, those of interrupts too; a reader that waits is woken; off is
# off.
# Also runs on the kernels stock and alone, where the check after a histogram fails by a fault of stock's own. On the kernel's command line:
#   mux.calls=N     calls on each processor
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh
# shellcheck source=selftests/mux/recording/buffers.sh
. /files/mux/recording/buffers.sh
calls=$(arg calls 20000)
fn=$(getppid_function)
all=$((calls * 2))

# Counts alone, on every clock: the buffer wraps, or is full
for clock in local global counter mono $(grep -ow x86-tsc $T/trace_clock) perf; do
	new a "$fn"
	echo $clock > $T/instances/a/trace_clock
	start a
	$rb load "$calls" 2 700 > /dev/null
	same "$clock: entries and overrun are the calls" $all "$(recorded a)"
	check "$clock: the buffer has wrapped" [ "$(sum a overrun)" -gt 0 ]
	echo 0 > $T/instances/a/options/overwrite
	echo > $T/instances/a/trace
	$rb load "$calls" 2 700 > /dev/null
	same "$clock: entries and dropped are the calls" $all "$(recorded a)"
	gone a
done

# Four of the same function, one reader; the clock changes
new a "$fn"
new b "$fn"
new c "$fn"
new d
for name in a b c d; do
	start $name
done
reading a
$rb load "$calls" 2 500 > /dev/null &
load=$!
for size in 128 32 256 64; do
	echo $size > $T/instances/b/buffer_size_kb
	echo 1 > $T/instances/d/snapshot
	echo $size > $T/instances/d/buffer_size_kb
done
wait $load
read_by a
same 'a: read and lost are the calls' $all $(($(found a events) + $(found a lost)))
same 'a: so are the stats' $all "$(recorded a)"
same 'c: all calls' $all "$(recorded c)"
# A buffer that shrinks counts what it throws away as overrun, and does not count what comes meanwhile
check "b, resized: no more than all calls ($(recorded b))" [ "$(recorded b)" -le $all ]
gone a b c d

# Everything, on the short way and on the long one, with interrupts: the same events of each process
new a
new b
for name in a b; do
	echo 8192 > $T/instances/"$name"/buffer_size_kb
	echo 0 > $T/instances/"$name"/tracing_on
done
echo global > $T/instances/b/trace_clock
start a
start b
echo 1 > $T/instances/a/tracing_on
echo 1 > $T/instances/b/tracing_on
$rb load $((calls / 10)) 2 300 > /tmp/pids
echo 0 > $T/instances/a/tracing_on
echo 0 > $T/instances/b/tracing_on
for name in a b; do
	reading $name
	read_by $name
	same "$name: nothing was lost" 0 "$(found $name lost)"
	same "$name: all that was recorded is read" "$(recorded $name)" "$(found $name events)"
done
check "there are $(found a irq) events of interrupts" [ "$(found a irq)" -gt 100 ]
while read -r pid; do
	same "$pid: the same events on both ways" "$(grep "^pid $pid " /tmp/b.read)" "$(grep "^pid $pid " /tmp/a.read)"
done < /tmp/pids
gone a b

# Everything, with readers, while all that closes the short way changes. The trigger sets the clock, which empties the buffer
new a
new b
start a
start b function_graph
reading a
reading b
$rb load "$calls" 2 300 > /dev/null &
load=$!
while kill -0 $load 2> /dev/null; do
	echo 0 > $T/instances/a/tracing_on
	echo 1 > $T/instances/a/tracing_on
	echo 1 > $T/instances/a/tracing_cpumask
	echo 3 > $T/instances/a/tracing_cpumask
	echo 'hist:keys=common_pid,common_timestamp:clock=local' > $T/instances/b/events/sched/sched_switch/trigger
	echo '!hist:keys=common_pid,common_timestamp:clock=local' > $T/instances/b/events/sched/sched_switch/trigger
	echo 128 > $T/instances/b/buffer_size_kb
	echo 64 > $T/instances/b/buffer_size_kb
done
wait $load
echo 0 > $T/instances/a/tracing_on
echo 0 > $T/instances/b/tracing_on
read_by a
read_by b
gone a b

# A histogram of times discards each event of its trigger. Function graph records meanwhile, so that it stays as padding
new a
start a function_graph
trigger=$T/instances/a/events/raw_syscalls/sys_enter/trigger
echo 'hist:keys=common_pid,common_timestamp:clock=local' > $trigger
reading a
$rb load $((calls / 10)) 2 300 > /dev/null
echo 0 > $T/instances/a/tracing_on
read_by a
echo '!hist:keys=common_pid,common_timestamp:clock=local' > $trigger
gone a

# Off is off once a grace period has been waited for
new a "$fn"
start a
$rb load 1000 2 0 > /dev/null
echo 0 > $T/instances/a/tracing_on
was=$(recorded a)
$rb load 1000 2 0 > /dev/null
same 'off: nothing is recorded' "$was" "$(recorded a)"
echo 1 > $T/instances/a/tracing_on
echo 1 > $T/instances/a/tracing_cpumask
was=$(sum a entries)
$rb load 100 2 0 > /dev/null
same 'only the first processor is traced' $((was + 100)) "$(sum a entries)"
echo 3 > $T/instances/a/tracing_cpumask

# The short way is open on the first processor when that is no longer traced. An event that comes later than 134 ms after
# the one before would take the long way
echo > $T/instances/a/trace
for _ in 1 2 3; do
	$rb load 1 1 0 > /dev/null
done
echo 2 > $T/instances/a/tracing_cpumask
$rb load 1 1 0 > /dev/null
same 'nor does the next event come on the short way' 3 "$(sum a entries)"
echo 3 > $T/instances/a/tracing_cpumask
echo > $T/instances/a/trace

# A reader that waits is woken by the next event
$rb load 100 1 0 > /dev/null
cat $T/instances/a/trace > /dev/null
timeout 20 cat $T/instances/a/per_cpu/cpu0/trace_pipe > /tmp/pipe &
cat=$!
sleep 1
was=$(wc -l < /tmp/pipe)
$rb load 1 1 0 > /dev/null
for _ in $(seq 50); do
	[ "$(wc -l < /tmp/pipe)" -gt "$was" ] && break
	sleep 0.1
done
check 'a reader that waits is woken' [ "$(wc -l < /tmp/pipe)" -gt "$was" ]
# By those too that come so soon after the one before that they take the short way
was=$(wc -l < /tmp/pipe)
for _ in $(seq 20); do
	$rb load 1 1 0 > /dev/null
done
sleep 0.5
same 'and by each of 20 that follow' $((was + 20)) "$(wc -l < /tmp/pipe)"
kill $cat
wait $cat 2> /dev/null
gone a

# Entries and returns, and the times of the returns
new a "$fn"
start a function_graph
reading a
$rb load "$calls" 2 500 > /dev/null
read_by a
same 'function_graph: entries and returns are the calls' $((all * 2)) "$(recorded a)"
gone a
finish
