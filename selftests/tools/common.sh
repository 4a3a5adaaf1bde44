# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For cli-stock and cli-mux: what works on every kernel, without live output.
# shellcheck source=selftests/tools/lib.sh

# Making and removing
run 0 "add" add foo -l 'vfs_r*' --buffer 1M
same "tracer" "$(cat $T/instances/foo/current_tracer)" function
is "filter" grep -qx vfs_read $T/instances/foo/set_ftrace_filter
same "every match" "$(ftrace-mux filter foo --dry-run 'vfs_r*' | sort | paste -sd' ' -)" "$(filter_of foo)"
is "buffer" test "$(cat $T/instances/foo/buffer_size_kb)" -ge 1024 -a "$(cat $T/instances/foo/buffer_size_kb)" -lt 1100
run 1 "add of a name that is taken" add foo
run 1 "add with a pattern for nothing" add none -l no_such_function
is "leaves no instance" test ! -e $T/instances/none
run 1 "add with a process that cannot be" add none -l vfs_read --buffer 900G
is "leaves no instance" test ! -e $T/instances/none
run 2 "add of an odd name" add 'a/b'
run 2 "add of an empty name" add ''
run 0 "add of a name in UTF-8" add 'spür'
run 0 "del of it" del 'spür'
run 0 "add of function_graph, by today's name" add graph -p function_graph -l sys_read
same "mapped" "$(filter_of graph)" __x64_sys_read
run 0 "add --stopped" add quiet -l schedule --stopped
same "tracing_on" "$(cat $T/instances/quiet/tracing_on)" 0
run 0 "list" list
out_has "stopped" 'quiet( +[^ ]+)? +stopped +1 '
run 0 "enable starts it" enable quiet
same "tracing_on" "$(cat $T/instances/quiet/tracing_on)" 1

# Filters
run 0 "filter sets" filter foo vfs_read sys_write
same "exactly these" "$(filter_of foo)" "__x64_sys_write vfs_read"
run 1 "one of two matches nothing" filter foo vfs_open no_such_function
same "nothing changed" "$(filter_of foo)" "__x64_sys_write vfs_read"
run 0 "--append" filter foo --append vfs_open
same "one more" "$(filter_of foo)" "__x64_sys_write vfs_open vfs_read"
run 0 "--remove" filter foo --remove sys_write vfs_open
same "two less" "$(filter_of foo)" "vfs_read"
run 1 "--remove of the last" filter foo --remove vfs_read
same "is refused" "$(filter_of foo)" "vfs_read"
run 0 "a glob of the kernel's own kind" filter foo 'vfs_rea[d]' 'vfs_rea?v'
same "exactly these" "$(filter_of foo)" "vfs_read vfs_readv"
printf 'vfs_open # one\nvfs_read vfs_readv\n' > /tmp/pats
run 0 "--file" filter foo --file /tmp/pats
same "exactly these" "$(filter_of foo)" "vfs_open vfs_read vfs_readv"
run 0 "--clear" filter foo --clear
is "all functions" grep -q 'all functions enabled' $T/instances/foo/set_ftrace_filter
run 0 "filter again" filter foo 'vfs_r*'
run 0 "notrace" notrace foo vfs_readv
is "left out" grep -qx vfs_readv $T/instances/foo/set_ftrace_notrace
run 0 "notrace --clear" notrace foo --clear
index=$(awk '$1 == "vfs_read" { print NR; exit }' $T/available_filter_functions)
run 0 "an index" filter foo "$index"
same "is that function" "$(filter_of foo)" vfs_read

# Off and on
run 0 "disable" disable graph
same "off" "$(cat $T/instances/graph/current_tracer)" nop
run 0 "list" list graph
out_has "says so" 'graph( +-)? +off'
run 0 "enable" enable graph
same "as it was" "$(cat $T/instances/graph/current_tracer) $(filter_of graph)" "function_graph __x64_sys_read"
run 0 "which" which vfs_read sys_read
out_has "by name" '^vfs_read .* foo$'
run 1 "which of nothing" which no_such_function

# Buffers: stop, show, clear, start
ftrace-mux add buf -l vfs_read
cat /etc/hostname > /dev/null
run 0 "stop of a glob" stop 'bu*'
same "tracing_on" "$(cat $T/instances/buf/tracing_on)" 0
run 0 "show" show buf
out_has "calls" 'vfs_read <-'
grep -v '^#' /tmp/out > /tmp/first
run 0 "show again" show buf
is "they are still there" cmp /tmp/first <(grep -v '^#' /tmp/out)
run 0 "disable" disable buf
run 0 "show" show buf
is "empties the buffer, as the manual says" test "$(grep -vc '^#' /tmp/out)" = 0
run 0 "enable" enable buf
cat /etc/hostname > /dev/null
ftrace-mux stop buf
run 0 "clear" clear buf
run 0 "show" show buf
is "nothing" test "$(grep -vc '^#' /tmp/out)" = 0
run 0 "start" start buf
cat /etc/hostname > /dev/null
run 0 "show" show buf
out_has "calls again" 'vfs_read <-'
is "it does not go on with its own" test "$(grep -c 'vfs_read <-' /tmp/out)" -lt 10000
same "and is left out no more" "$(cat $T/instances/buf/set_ftrace_notrace_pid)" "no pid"
for i in 1 2 3; do ftrace-mux add "many$i" -l schedule; done
run 0 "del of a glob" del 'many[12]' buf
same "one is left of them" "$(instances | tr ' ' '\n' | grep -c many)" 1
run 0 "del" del many3
run 0 "add with processes" add mine -l vfs_read --pid $$ --notrace-pid 1
run 0 "list" list mine
out_has "shows them" " $$,!1 +vfs_read$"
run 0 "del" del mine

# Tracers of the kernel itself
if [ -e /proc/sys/kernel/stack_tracer_enabled ]; then
	run 0 "enable trace_stack" enable trace_stack
	same "on" "$(cat /proc/sys/kernel/stack_tracer_enabled)" 1
	run 0 "filter trace_stack" filter trace_stack vfs_read
	run 0 "it has it" filter trace_stack
	same "exactly that" "$(cat /tmp/out)" vfs_read
	run 0 "--clear" filter trace_stack --clear
	run 0 "disable trace_stack" disable trace_stack
	same "off" "$(cat /proc/sys/kernel/stack_tracer_enabled)" 0
fi
run 0 "enable trace_profile" enable trace_profile
same "on" "$(cat $T/function_profile_enabled)" 1
run 0 "disable trace_profile" disable trace_profile
run 0 "enable trace as function_graph" enable trace -p function_graph
run 0 "list" list
out_has "then it is trace_graph" 'trace_graph( +[^ ]+)? +on .*function_graph'
run 0 "disable trace" disable trace
same "nop" "$(cat $T/current_tracer)" nop
run 1 "del of a tracer of the kernel" del trace

# Saving
ftrace-mux notrace foo vfs_readv
ftrace-mux filter foo vfs_read vfs_readv vfs_write
run 0 "save" save /tmp/s.json
before=$(ftrace-mux save)
run 0 "del" del foo graph quiet
same "all gone" "$(instances)" ""
run 0 "restore --dry-run" restore --dry-run /tmp/s.json
same "changes nothing" "$(instances)" ""
run 0 "restore" restore /tmp/s.json
same "everything is as it was" "$(ftrace-mux save)" "$before"
sed 's/"vfs_write"/"no_such_function"/' /tmp/s.json > /tmp/bad.json
ftrace-mux filter foo vfs_open
run 1 "restore of a file that does not fit" restore /tmp/bad.json
err_has "it says why" 'foo: this kernel cannot trace no_such_function'
same "nothing changed" "$(filter_of foo)" vfs_open
run 0 "restore over other filters" restore /tmp/s.json
same "as saved" "$(filter_of foo)" "vfs_read vfs_readv vfs_write"
mkdir /tmp/small
mount -t tmpfs -o size=4k none /tmp/small
echo old > /tmp/small/file
run 1 "save on a full disk" save /tmp/small/other
err_has "it says why" 'No space left on device'
is "leaves nothing" test ! -e /tmp/small/other
status=0
ftrace-mux list > /dev/full 2> /tmp/err || status=$?
same "standard output on a full disk is an error" "$status" 1
umount /tmp/small

# Permissions, mount
status=0
setpriv --reuid=65534 --regid=65533 --clear-groups ftrace-mux list > /tmp/out 2> /tmp/err || status=$?
same "not root: status 4" "$status" 4
err_has "file, reason and remedy" 'current_tracer: Permission denied; run as root'
status=0
setpriv --reuid=65534 --regid=65533 --clear-groups ftrace-mux add x > /tmp/out 2> /tmp/err || status=$?
same "not root: add" "$status" 4
mount -o remount,gid=65533,mode=750 $T
status=0
setpriv --reuid=65534 --regid=65533 --clear-groups ftrace-mux list --names > /tmp/out 2> /tmp/err || status=$?
same "access counts, not who it is" "$status $(head -1 /tmp/out)" "0 trace"
mount -o remount,gid=0,mode=700 $T
is "not root: help" setpriv --reuid=65534 --regid=65533 --clear-groups ftrace-mux --help > /dev/null
# debugfs has tracefs in it
umount -a -t tracefs,debugfs
umount -a -t tracefs,debugfs 2> /dev/null
run 1 "tracefs is not mounted" list
err_has "how to mount it" 'mount -t tracefs nodev /sys/kernel/tracing'
run 0 "--version works all the same" --version
mount -t tracefs nodev $T
run 0 "and mounted again" list

# Odd names that others have made
mkdir "$T/instances/a b" "$T/instances/"$'c\td'
run 0 "list with odd names" list
is "no control characters" test "$(tr -d '\n' < /tmp/out | tr -cd '\000-\037' | wc -c)" = 0
run 0 "an odd tracer can be enabled" enable "a b"
same "it is" "$(cat "$T/instances/a b/current_tracer")" function
run 0 "filtered" filter "a b" vfs_read
same "it is" "$(filter_of "a b")" vfs_read
run 0 "and removed" del "a b" $'c\td'

# Several at once
pids=()
for i in 1 2 3; do ftrace-mux add "p$i" -l vfs_read & pids+=($!); done
for i in 1 2 3; do ftrace-mux filter foo vfs_write 2> /dev/null & pids+=($!); done
# Not all children: the one behind standard error stays.
wait "${pids[@]}"
is "three at once" test "$(instances | tr ' ' '\n' | grep -c '^p[1-3]$')" = 3
ftrace-mux del p1 p2 p3 foo graph quiet
same "a clean slate" "$(instances)" ""
is "nothing noted" test -z "$(find /run/ftrace-mux -name 'pid-*')"
