# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For cli-stock and cli-mux: record, watch and top, with and without a terminal, and their sudden end.
# shellcheck disable=SC2154 # lib.sh has sys

set +m
(while :; do cat /etc/hostname > /dev/null; done) &
load=$!

# until SECONDS COMMAND...: waits for COMMAND to succeed
until_true()
{
	local n=$(($1 * 5))

	shift
	while [ "$n" -gt 0 ]; do
		if "$@" > /dev/null 2>&1; then return; fi
		n=$((n - 1))
		sleep 0.2
	done
	return 1
}

# start OUT ARGS...: ftrace-mux ARGS in the background, as $pid; OUT is empty until it prints, errors are in /tmp/start-err
start()
{
	local out=$1

	shift
	# Here: the shell in the background may open it late.
	: > "$out"
	ftrace-mux "$@" > "$out" 2> /tmp/start-err &
	pid=$!
}

no_instances() { [ -z "$(instances)" ]; }
has_top() { instances | grep -q ftrace-mux-top; }
no_top() { ! has_top; }

# watch
ftrace-mux add reads -l vfs_read
ftrace-mux add writes -l vfs_write,vfs_open
run 0 "watch --once" watch --once
run 0 "watch --count" watch -c 300
same "functions of all tracers" "vfs_open vfs_read vfs_write" "$(functions_in < /tmp/out)"
check "each by its tracer" awk '/reads / && !/: vfs_read <-/ || /writes / && !/: vfs_(write|open) <-/ { bad = 1 } END { exit bad }' /tmp/out
check "in order of time" awk '/\[0/ { t = $4 + 0; if (t < last) bad = 1; last = t } END { exit bad || !last }' /tmp/out
run 0 "watch of one" watch -c 50 reads
same "only that" vfs_read "$(functions_in < /tmp/out)"
run 0 "watch --json" watch --json -c 20 writes
check "an object a line" test "$(grep -cE '^\{"tracer":"writes","cpu":[01],"ts_ns":[0-9]+,"task":".*","pid":[0-9]+,"event":"function","function":"vfs_(write|open)","parent":".*"\}$' /tmp/out)" = 20
run 1 "watch of nobody" watch nobody
run 0 "watch --function" watch --once --function 'vfs_w*'
same "only those functions" vfs_write "$(functions_in < /tmp/out)"
run 0 "watch --process" watch --json -c 20 --process cat
same "only that process" '"task":"cat"' "$(grep -o '"task":"[^"]*"' /tmp/out | sort -u)"
run 0 "watch --process PID" watch --once --process 4194304
same "nothing" "" "$(cat /tmp/out)"
run 0 "report --live" report --live reads
out_has "what is in the buffer" '^reads: [0-9]+ calls of 1 function in [0-9.]+ s'
run 0 "report --live --by process --json" report --live --by process --json
out_has "of all tracers" '"name":"reads".*"name":"writes"'
out_has "by process" '"processes":\[.*"name":"cat"'

# What watch does itself, calls or events, is not traced, in the kernel; the lists of PIDs are as before, however it ends
pids_of() { (cd "$T/instances/writes" && tail -qn +1 set_ftrace_notrace_pid set_event_notrace_pid | tr '\n' ' '); }
own_events() { grep -cE -- "-$pid +[0-9].*$1" /tmp/w1; }
# What it had done before it was left out may come late; if it saw itself, there would always be more.
sees_others_only()
{
	local own all

	own=$(own_events "$1") all=$(grep -c "$1" /tmp/w1)
	sleep 4
	[ "$(own_events "$1")" = "$own" ] && [ "$(grep -c "$1" /tmp/w1)" -gt "$all" ]
}
echo $$ > $T/instances/writes/set_ftrace_notrace_pid
echo 1 > $T/instances/writes/set_event_notrace_pid
echo syscalls:sys_enter_write > $T/instances/writes/set_event
start /tmp/w1 watch writes
check "watch writes" until_true 90 grep -q 'vfs_write <-' /tmp/w1
same "the kernel leaves watch out" "$(printf '%s\n' $$ $pid | sort -n | tr '\n' ' ')1 $pid " "$(pids_of)"
check "it sees the calls of others, not its own" until_true 3 sees_others_only 'vfs_write <-'
check "and the events of others, not its own" until_true 3 sees_others_only 'sys_enter_write: '
kill -TERM $pid
wait $pid
same "what was left out before still is, and nothing else" "$$ 1 " "$(pids_of)"
start /tmp/w1 watch writes
until_true 90 test -s /tmp/w1
kill -KILL $pid
as_before() { [ "$(pids_of)" = "$$ 1 " ]; }
check "SIGKILL: as before, too" until_true 60 as_before
echo > $T/instances/writes/set_event
echo > $T/instances/writes/set_ftrace_notrace_pid
echo > $T/instances/writes/set_event_notrace_pid
ftrace-mux disable writes
start /dev/null watch writes
check "watch of a tracer that is off says so" until_true 90 grep -q 'writes: is off, so nothing new will come' /tmp/start-err
kill -TERM $pid
wait $pid || true
echo syscalls:sys_enter_write > $T/instances/writes/set_event
run 0 "its events are watched" watch -c 1 writes
same "without a warning" "" "$(cat /tmp/err)"
echo > $T/instances/writes/set_event
ftrace-mux enable writes
start /tmp/t1 top -d 0.5 writes
until_true 90 test -s /tmp/t1
same "the kernel leaves top out" "$pid $pid " "$(pids_of)"
kill -TERM $pid
wait $pid
same "until it ends" "no pid " "$(pids_of)"
start /tmp/w1 watch reads
until_true 90 test -s /tmp/w1
run 1 "two cannot watch one tracer" watch reads
err_has "it names the process" "by process $pid"
run 0 "but another" watch -c 1 writes
kill -TERM $pid
status=0
wait $pid || status=$?
same "watch ends on SIGTERM with status 0" 0 "$status"
# its write waits for a reader that does not read
rm -f /tmp/fifo
mkfifo /tmp/fifo
# shellcheck disable=SC2217 # it holds the pipe open
sleep 600 < /tmp/fifo &
reader=$!
ftrace-mux watch reads > /tmp/fifo 2> /tmp/err &
pid=$!
check "watch into a pipe that is full" until_true 90 grep -q pipe_write /proc/$pid/wchan
kill -TERM $pid
status=0
wait $pid || status=$?
same "ends on SIGTERM with status 0" "0 " "$status $(cat /tmp/err)"
check "while its reader is there" kill $reader
wait $reader 2> /dev/null
rm -f /tmp/fifo
run 0 "the tracer is free again" watch -c 1 reads
ftrace-mux watch reads | head -2 > /tmp/out
same "watch into a pipe that ends" "2 0" "$(wc -l < /tmp/out) ${PIPESTATUS[0]}"
status=0
ftrace-mux watch reads > /dev/full 2> /tmp/err || status=$?
same "watch on a full disk ends with an error" 1 "$status"
ftrace-mux add small -l 'vfs_*' --buffer 4k
sleep 2
run 0 "watch of a buffer that has overflowed" watch --once small
out_has "lost events are told" 'events lost'
err_has "and counted" '[0-9]+ events lost; a larger buffer'
ftrace-mux del small

# On a terminal: script makes one
export TERM=xterm
script -qec "ftrace-mux watch -c 30 reads" /tmp/ts > /dev/null < /dev/null
check "watch on a terminal" test "$(grep -c 'vfs_read <-' /tmp/ts)" = 30
check "with colours" grep -q $'\033\\[1mreads' /tmp/ts
NO_COLOR=1 script -qec "ftrace-mux watch -c 3 reads" /tmp/ts > /dev/null < /dev/null
check "without, with NO_COLOR" test "$(grep -c $'\033\\[1m' /tmp/ts)" = 0
# Ctrl-C, typed
rm -f /tmp/ts
{ until_true 90 grep -q 'vfs_read <-' /tmp/ts; printf '\003'; until_true 60 grep -q STATUS= /tmp/ts; sleep 1; } | script -qfec "trap : INT; ftrace-mux watch reads; echo STATUS=\$?" /tmp/ts > /dev/null
check "watch ends on Ctrl-C with status 0" grep -q 'STATUS=0' /tmp/ts
script -qec "stty rows 30 cols 100; ftrace-mux top -n 3 -d 0.5; echo STATUS=\$?" /tmp/ts > /dev/null < /dev/null
check "top on a terminal" grep -q 'STATUS=0' /tmp/ts
same "refreshed in place, three times" 3 "$(grep -o $'\033\\[Hftrace-mux top' /tmp/ts | wc -l)"
check "tracers" grep -qE $'^writes +on +[0-9]+ +2' /tmp/ts
check "functions" grep -qE ' vfs_read +reads' /tmp/ts
check "the cursor is back" grep -q $'\033\\[?25h' /tmp/ts
rm -f /tmp/ts
{ until_true 90 grep -q 'CALLS/S' /tmp/ts; printf q; until_true 60 grep -q STATUS= /tmp/ts; sleep 1; } | script -qfec "ftrace-mux top; echo STATUS=\$?; stty -a" /tmp/ts > /dev/null
check "q ends top" grep -q 'STATUS=0' /tmp/ts
rm -f /tmp/ts
{ until_true 90 grep -q 'CALLS/S' /tmp/ts; printf bs/at; until_true 60 grep -q 'filter: at_' /tmp/ts; printf '\n'
	until_true 60 grep -q 'by process, in order of name, filter: at' /tmp/ts; printf q; until_true 60 grep -q STATUS= /tmp/ts; sleep 1; } |
	script -qfec "ftrace-mux top; echo STATUS=\$?; stty -a" /tmp/ts > /dev/null
check "keys change what is counted, the order and the filter" grep -q 'by process, in order of name, filter: at' /tmp/ts
check "processes" grep -qE ' cat +[a-z]' /tmp/ts
check "the terminal is as before" grep -q '[^-]echo .*' /tmp/ts
rm -f /tmp/ts
{ until_true 90 grep -q 'CALLS/S' /tmp/ts; printf '\003'; until_true 60 grep -q STATUS= /tmp/ts; sleep 1; } | script -qfec "trap : INT; ftrace-mux top; echo STATUS=\$?" /tmp/ts > /dev/null
check "Ctrl-C ends top" grep -q 'STATUS=0' /tmp/ts
same "no tracer of its own is left" "reads writes" "$(instances)"

# top, not on a terminal
run 0 "top" top -n 2 -d 0.5
out_has "plain lines" '^[0-9:]{8} reads on [0-9]+ calls/s$'
check "no escape sequences" test "$(tr -cd '\033' < /tmp/out | wc -c)" = 0
run 0 "top --json" top --json -n 1 reads
out_has "an object" '^\{"time":[0-9]+,.*"functions":\[\{"function":"vfs_read","calls_per_s":[0-9.]+,"tracers":\["reads"\]\}\]\}$'
run 0 "top --by process" top --json -n 1 --by process --filter ca reads
out_has "the process" '"callers":\[\{"process":"cat","calls_per_s":[0-9.]+,"tracers":\["reads"\]\}\]\}$'
run 0 "top --by cpu" top -n 2 -d 0.5 --by cpu --sort name
out_has "the processors" '^[0-9:]{8}   [01] [0-9]+ calls/s'
start /tmp/t1 top -d 0.5
until_true 90 test -s /tmp/t1
ftrace-mux filter writes vfs_open
followed() { tail -n 5 /tmp/t1 | grep -q 'vfs_open .*writes' && ! tail -n 5 /tmp/t1 | grep -q vfs_write; }
check "top follows a changed filter" until_true 90 followed
kill -TERM $pid
wait $pid || true
same "SIGTERM: no tracer of its own is left" "reads writes" "$(instances)"
start /dev/null top -d 0.5
until_true 90 has_top
kill -KILL $pid
check "SIGKILL: its watcher removes the tracer" until_true 60 no_top
start /dev/null top -d 0.5
until_true 90 has_top
kill -STOP "$(pgrep -f 'ftrace-mux top' | grep -vx $pid | head -1)" 2> /dev/null || true
kill -KILL "$(pgrep -f 'ftrace-mux top' | grep -vx $pid | head -1)" $pid 2> /dev/null
sleep 1
run 0 "SIGKILL of both: the next command" list
check "cleans up" until_true 30 no_top
ftrace-mux del reads writes
kill $load
wait $load 2> /dev/null || true

# an add that is interrupted
until_made() { until_true 90 test -e "$T/instances/slow"; }
start /tmp/out add slow -l '[a-y]*' -l '?*z' -l 'z*'
until_made
kill -TERM $pid
status=0
wait $pid || status=$?
same "add ends on SIGTERM, undone" "1 " "$status $(instances)"
check "it says so" grep -q 'interrupted; removed again' /tmp/start-err

# record
run 7 "record has the command's exit status" record -t files:'vfs_*' -t reads:sys_read,vfs_read -o /tmp/r.dat -- sh -c 'cat /etc/hostname; exit 7'
out_has "and its output" '^guest$'
same "no tracer is left" "" "$(instances)"
trace-cmd report -i /tmp/r.dat > /tmp/report 2> /dev/null
check "two buffers" grep -q '^files: ' /tmp/report
same "each has its functions only" "${sys}_read vfs_read" "$(sed -n 's/^reads: .*function: *\([^ ]*\).*/\1/p' /tmp/report | sort -u | paste -sd' ' -)"
check "and the other" awk '/^files:/ && /function:/ && !/ vfs_/ { bad = 1 } END { exit bad }' /tmp/report
ftrace-mux add mine -l schedule
run 0 "record next to another tracer" record -t files:vfs_open -e sched_switch -o /tmp/r.dat -- true
same "that one is not touched" "mine schedule function" "$(instances) $(filter_of mine) $(cat $T/instances/mine/current_tracer)"
trace-cmd report -i /tmp/r.dat 2> /dev/null > /tmp/report
check "events have their own buffer" grep -q '^events: .*sched_switch' /tmp/report
same "the top level is not touched" "nop 1 0" "$(cat $T/current_tracer) $(cat $T/tracing_on) $(grep -c . $T/set_event)"
run 1 "record with a name that is taken" record -t mine:vfs_open -o /tmp/r.dat -- true
same "it is not touched" schedule "$(filter_of mine)"
run 1 "record without a function" record -t x:no_such_function -- true
run 1 "record to a device" record -t x:vfs_open -o /dev/full -- true
check "leaves it alone" test -c /dev/full
mkdir -p /tmp/small
mount -t tmpfs -o size=64k none /tmp/small
run 1 "record on a full disk" record -t x:vfs_open -o /tmp/small/r.dat -- true
umount /tmp/small
same "no tracer is left" mine "$(instances)"
start /tmp/out record -t a:vfs_open -t b:vfs_read -o /tmp/r.dat
until_true 90 grep -q function $T/instances/b/current_tracer
sleep 2
kill -TERM $pid
status=0
wait $pid || status=$?
same "record without a command ends on SIGTERM" "0 mine" "$status $(instances)"
check "with a whole recording" trace-cmd report -i /tmp/r.dat > /dev/null 2>&1
start /tmp/out record -t a:vfs_open -o /tmp/r2.dat -- sleep 20
until_true 90 grep -q function $T/instances/a/current_tracer
kill -KILL $pid
check "SIGKILL: the tracer is removed" until_true 60 test ! -e $T/instances/a
ftrace-mux del mine
check "a clean slate" no_instances
