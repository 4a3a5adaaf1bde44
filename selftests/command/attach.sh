# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For cli-stock and cli-mux: record --attach, from tracers that run already and stay as they are.

# names N: reads the name of the host N times, each with one call of proc_dostring()
names()
{
	local i

	for ((i = 0; i < $1; i++)); do
		read -r _ < /proc/sys/kernel/hostname
	done
}

# all_of TRACER: all that one can set there, but not what it has recorded
all_of()
{
	(cd "$T/instances/$1" && grep -s . buffer_size_kb current_tracer set_event set_event_pid set_ftrace_* set_graph_* max_graph_depth \
		trace_clock trace_options tracing_* events/*/enable)
}

# of TRACER FUNCTION: how often the recording in /tmp/r.dat has it
of()
{
	trace-cmd report -i /tmp/r.dat 2> /dev/null | grep -cE "^ *$1: .* $2( |\\(|$)"
}

# bpftrace and others look there, and debugfs mounts it then
ls /sys/kernel/debug/tracing/ > /dev/null
same "tracefs is in two places" 2 "$(grep -c ' tracefs ' /proc/mounts)"
ftrace-mux add first -l proc_dostring --buffer 512k
ftrace-mux add second -l proc_taint,proc_dostring -n proc_dostring --buffer 512k
ftrace-mux add third -p function_graph -l proc_dostring
echo mono > $T/instances/second/trace_clock
all_of first > /tmp/first
all_of second > /tmp/second
check "there is something to compare" grep -q 'trace_clock:.*\[mono\]' /tmp/second
names 5
run 3 "record --attach" record --attach first --attach second -o /tmp/r.dat -- \
	bash -c 'read -r _ < /proc/sys/kernel/hostname; read -r _ < /proc/sys/kernel/hostname; read -r _ < /proc/sys/kernel/tainted; exit 3'
err_has "how much" '^/tmp/r.dat: first 7 events, 0 lost; second 1 events, 0 lost; see ftrace-mux report /tmp/r.dat$'
same "what was in the buffer, and what came" "7 1" "$(of first proc_dostring) $(of second proc_taint)"
same "nothing else" 8 "$(trace-cmd report -i /tmp/r.dat 2> /dev/null | grep -c ' function: ')"
same "the first is as it was" "" "$(all_of first | diff /tmp/first -)"
same "so is the second" "" "$(all_of second | diff /tmp/second -)"
same "nothing else is left" "first second third" "$(instances)"
for name in first second; do
	run 0 "list" list --json $name
	out_has "$name runs" '"state": *"on"'
done
names 4
run 0 "again, with --json" record --json --attach first --duration 1 -o /tmp/r.dat
out_has "what came in between" '"tracers":\[\{"name":"first","events":4,"lost":0,"plugin":"function","functions":1\}\]'
names 2
run 0 "function_graph" record --attach third -o /tmp/r.dat -- bash -c "read -r _ < /proc/sys/kernel/hostname"
same "its calls" 14 "$(of third 'funcgraph_entry: .*proc_dostring')"
run 0 "report of it" report /tmp/r.dat
out_has "by its name" '^third: 14 calls of 1 function in '
ftrace-mux del third

# Events that are on there
echo 1 > $T/instances/second/events/sched/sched_process_exec/enable
run 0 "with an event" record --attach second -o /tmp/r.dat -- cat /proc/sys/kernel/tainted
check "it is in the recording" test "$(of second sched_process_exec:)" -ge 1
echo 0 > $T/instances/second/events/sched/sched_process_exec/enable

# One that is stopped stays so
echo 0 > $T/instances/first/tracing_on
run 0 "of one that is stopped" record --attach first -o /tmp/r.dat -- cat /proc/sys/kernel/hostname
err_has "a warning" 'warning: first: is stopped, so nothing new will come'
same "it is stopped afterwards" 0 "$(cat $T/instances/first/tracing_on)"
echo 1 > $T/instances/first/tracing_on

# A buffer that is never empty: everything is traced, the recorder too
ftrace-mux add busy
run 0 "of one that never rests" record --attach busy --duration 1 -o /tmp/r.dat
check "it has recorded" test "$(of busy vfs_read)" -ge 1
same "and runs" "1 function" "$(cat $T/instances/busy/tracing_on $T/instances/busy/current_tracer | paste -sd ' ' -)"
ftrace-mux del busy

# One reader at a time
start /tmp/out record --attach first -o /tmp/r2.dat
until_true 90 sh -c "ls -d $T/instances/first.record-* && pgrep -f 'trace-cmd record'"
sleep 2
run 1 "one that is recorded already" record --attach first -o /tmp/r.dat -- true
# shellcheck disable=SC2154 # start sets it
err_has "by whom" "first: is read already, by process $pid; each would see only a part"
run 1 "watch of it" watch --once first
run 0 "another one" record --attach second -o /tmp/r.dat -- true
names 3
kill -TERM $pid
status=0
wait $pid || status=$?
same "it ends on SIGTERM" 0 "$status"
same "with its events" "/tmp/r2.dat: first 3 events, 0 lost" "$(grep -o '.*lost' /tmp/start-err)"
start /tmp/out watch first
until_true 90 grep -q . /run/ftrace-mux/watch/first
sleep 1
run 1 "one that is watched" record --attach first -o /tmp/r.dat -- true
kill -TERM $pid
wait $pid || true
run 1 "the top level" record --attach trace -o /tmp/r.dat -- true
run 1 "no such tracer" record --attach fisrt -o /tmp/r.dat -- true
err_has "did you mean" 'did you mean first'
run 0 "without the right to mount" list
status=0
setpriv --bounding-set -sys_admin --inh-caps -sys_admin ftrace-mux record --attach first -o /tmp/r3.dat -- true 2> /tmp/err || status=$?
same "it is refused" 1 "$status"
err_has "and says what is needed" 'a mount namespace: Operation not permitted; it needs CAP_SYS_ADMIN'
check "no file" test ! -e /tmp/r3.dat

# Sudden ends: the tracer runs on, and is no longer read
start /tmp/out record --attach first -o /tmp/r2.dat
until_true 90 sh -c "ls -d $T/instances/first.record-* && pgrep -f 'trace-cmd record'"
sleep 2
kill -KILL $pid
only_two() { [ "$(instances)" = "first second" ]; }
check "SIGKILL: the stand-in is removed" until_true 90 only_two
all_of first | diff /tmp/first - > /tmp/out
same "the tracer is as it was" "" "$(cat /tmp/out)"
run 0 "and can be recorded" record --attach first -o /tmp/r.dat -- cat /proc/sys/kernel/hostname
check "again" test "$(of first proc_dostring)" -ge 1
same "no mount is left or gone" 2 "$(grep -c ' tracefs ' /proc/mounts)"
umount /sys/kernel/debug/tracing
ftrace-mux del first second
