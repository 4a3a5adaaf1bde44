# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For cli-stock and cli-mux: what works on every kernel, without live output.
# shellcheck disable=SC2154 # lib.sh has sys

# Making and removing
run 0 "add" add foo -l 'vfs_r*' --buffer 1M
same "tracer" function "$(cat $T/instances/foo/current_tracer)"
check "filter" grep -qx vfs_read $T/instances/foo/set_ftrace_filter
same "every match" "$(filter_of foo)" "$(ftrace-mux filter foo --dry-run 'vfs_r*' | sort | paste -sd' ' -)"
check "buffer" test "$(cat $T/instances/foo/buffer_size_kb)" -ge 1024 -a "$(cat $T/instances/foo/buffer_size_kb)" -lt 1100
run 1 "add of a name that is taken" add foo
run 1 "add with a pattern for nothing" add none -l no_such_function
check "leaves no instance" test ! -e $T/instances/none
run 1 "add with a process that cannot be" add none -l vfs_read --buffer 900G
check "leaves no instance" test ! -e $T/instances/none
run 2 "add of an odd name" add 'a/b'
run 2 "add of an empty name" add ''
run 0 "add of a name in UTF-8" add 'spür'
run 0 "del of it" del 'spür'
run 0 "add of function_graph, by today's name" add graph -p function_graph -l sys_read
same "mapped" "${sys}_read" "$(filter_of graph)"
run 0 "add --stopped" add quiet -l schedule --stopped
same "tracing_on" 0 "$(cat $T/instances/quiet/tracing_on)"
run 0 "list" list
out_has "stopped" 'quiet( +[^ ]+)? +stopped +1 '
run 0 "enable starts it" enable quiet
same "tracing_on" 1 "$(cat $T/instances/quiet/tracing_on)"

# Filters
run 0 "filter sets" filter foo vfs_read sys_write
same "exactly these" "${sys}_write vfs_read" "$(filter_of foo)"
run 1 "one of two matches nothing" filter foo vfs_open no_such_function
same "nothing changed" "${sys}_write vfs_read" "$(filter_of foo)"
run 0 "--append" filter foo --append vfs_open
same "one more" "${sys}_write vfs_open vfs_read" "$(filter_of foo)"
run 0 "--remove" filter foo --remove sys_write vfs_open
same "two less" "vfs_read" "$(filter_of foo)"
run 1 "--remove of the last" filter foo --remove vfs_read
same "is refused" "vfs_read" "$(filter_of foo)"
run 0 "a glob of the kernel's own kind" filter foo 'vfs_rea[d]' 'vfs_rea?v'
same "exactly these" "vfs_read vfs_readv" "$(filter_of foo)"
printf 'vfs_open # one\nvfs_read vfs_readv\n' > /tmp/pats
run 0 "--file" filter foo --file /tmp/pats
same "exactly these" "vfs_open vfs_read vfs_readv" "$(filter_of foo)"
run 0 "--clear" filter foo --clear
check "all functions" grep -q 'all functions enabled' $T/instances/foo/set_ftrace_filter
run 0 "filter again" filter foo 'vfs_r*'
run 0 "notrace" notrace foo vfs_readv
check "left out" grep -qx vfs_readv $T/instances/foo/set_ftrace_notrace
run 0 "notrace --clear" notrace foo --clear
index=$(awk '$1 == "vfs_read" { print NR; exit }' $T/available_filter_functions)
run 0 "an index" filter foo "$index"
same "is that function" vfs_read "$(filter_of foo)"

# Off and on
run 0 "disable" disable graph
same "off" nop "$(cat $T/instances/graph/current_tracer)"
run 0 "list" list graph
out_has "says so" 'graph( +-)? +off'
run 0 "enable" enable graph
same "as it was" "function_graph ${sys}_read" "$(cat $T/instances/graph/current_tracer) $(filter_of graph)"
run 0 "which" which vfs_read sys_read
out_has "by name" '^vfs_read .* foo$'
run 1 "which of nothing" which no_such_function

# Buffers: stop, show, clear, start
ftrace-mux add buf -l vfs_read
cat /etc/hostname > /dev/null
run 0 "stop of a glob" stop 'bu*'
same "tracing_on" 0 "$(cat $T/instances/buf/tracing_on)"
run 0 "show" show buf
out_has "calls" 'vfs_read <-'
grep -v '^#' /tmp/out > /tmp/first
run 0 "show again" show buf
check "they are still there" cmp /tmp/first <(grep -v '^#' /tmp/out)
run 0 "disable" disable buf
run 0 "show" show buf
check "empties the buffer, as the manual says" test "$(grep -vc '^#' /tmp/out)" = 0
run 0 "enable" enable buf
cat /etc/hostname > /dev/null
ftrace-mux stop buf
run 0 "clear" clear buf
run 0 "show" show buf
check "nothing" test "$(grep -vc '^#' /tmp/out)" = 0
run 0 "start" start buf
cat /etc/hostname > /dev/null
run 0 "show" show buf
out_has "calls again" 'vfs_read <-'
check "it does not continue with its own events" test "$(grep -c 'vfs_read <-' /tmp/out)" -lt 10000
same "and is no longer left out" "no pid" "$(cat $T/instances/buf/set_ftrace_notrace_pid)"
for i in 1 2 3; do ftrace-mux add "many$i" -l schedule; done
run 0 "del of a glob" del 'many[12]' buf
same "one is left of them" 1 "$(instances | tr ' ' '\n' | grep -c many)"
run 0 "del" del many3
run 0 "add with processes" add mine -l vfs_read --pid $$ --notrace-pid 1
run 0 "list" list mine
out_has "shows them" " $$,!1 +vfs_read$"
run 0 "del" del mine

# Tracers of the kernel itself
if [ -e /proc/sys/kernel/stack_tracer_enabled ]; then
	run 0 "enable trace_stack" enable trace_stack
	same "on" 1 "$(cat /proc/sys/kernel/stack_tracer_enabled)"
	run 0 "filter trace_stack" filter trace_stack vfs_read
	run 0 "it has it" filter trace_stack
	same "exactly that" vfs_read "$(cat /tmp/out)"
	run 0 "--clear" filter trace_stack --clear
	run 0 "disable trace_stack" disable trace_stack
	same "off" 0 "$(cat /proc/sys/kernel/stack_tracer_enabled)"
fi
run 0 "enable trace_profile" enable trace_profile
same "on" 1 "$(cat $T/function_profile_enabled)"
run 0 "disable trace_profile" disable trace_profile
run 0 "enable trace as function_graph" enable trace -p function_graph
run 0 "list" list
out_has "then it is trace_graph" 'trace_graph( +[^ ]+)? +on .*function_graph'
run 0 "disable trace" disable trace
same "nop" nop "$(cat $T/current_tracer)"
run 1 "del of a tracer of the kernel" del trace

# Saving
ftrace-mux notrace foo vfs_readv
ftrace-mux filter foo vfs_read vfs_readv vfs_write
run 0 "save" save /tmp/s.json
before=$(ftrace-mux save)
run 0 "del" del foo graph quiet
same "all gone" "" "$(instances)"
run 0 "restore --dry-run" restore --dry-run /tmp/s.json
same "changes nothing" "" "$(instances)"
run 0 "restore" restore /tmp/s.json
same "everything is as it was" "$before" "$(ftrace-mux save)"
sed 's/"vfs_write"/"no_such_function"/' /tmp/s.json > /tmp/bad.json
ftrace-mux filter foo vfs_open
run 1 "restore of a file that does not fit" restore /tmp/bad.json
err_has "it says why" 'foo: this kernel cannot trace no_such_function'
same "nothing changed" vfs_open "$(filter_of foo)"
run 0 "restore over other filters" restore /tmp/s.json
same "as saved" "vfs_read vfs_readv vfs_write" "$(filter_of foo)"
mkdir /tmp/small
mount -t tmpfs -o size=4k none /tmp/small
echo old > /tmp/small/file
run 1 "save on a full disk" save /tmp/small/other
err_has "it says why" 'No space left on device'
check "leaves nothing" test ! -e /tmp/small/other
status=0
ftrace-mux list > /dev/full 2> /tmp/err || status=$?
same "standard output on a full disk is an error" 1 "$status"
umount /tmp/small

# Permissions, mount
status=0
setpriv --reuid=65534 --regid=65533 --clear-groups ftrace-mux list > /tmp/out 2> /tmp/err || status=$?
same "not root: status 4" 4 "$status"
err_has "file, reason and remedy" 'current_tracer: Permission denied; run as root'
status=0
setpriv --reuid=65534 --regid=65533 --clear-groups ftrace-mux add x > /tmp/out 2> /tmp/err || status=$?
same "not root: add" 4 "$status"
mount -o remount,gid=65533,mode=750 $T
status=0
setpriv --reuid=65534 --regid=65533 --clear-groups ftrace-mux list --names > /tmp/out 2> /tmp/err || status=$?
same "access counts, not who it is" "0 trace" "$status $(head -1 /tmp/out)"
mount -o remount,gid=0,mode=700 $T
check "not root: help" setpriv --reuid=65534 --regid=65533 --clear-groups ftrace-mux --help > /dev/null
# debugfs has tracefs in it
umount -a -t tracefs,debugfs
umount -a -t tracefs,debugfs 2> /dev/null
run 1 "tracefs is not mounted" list
err_has "how to mount it" 'mount -t tracefs nodev /sys/kernel/tracing'
run 0 "--version works even so" --version
mount -t tracefs nodev $T
run 0 "and mounted again" list

# Odd names that others have made
mkdir "$T/instances/a b" "$T/instances/"$'c\td'
run 0 "list with odd names" list
check "no control characters" test "$(tr -d '\n' < /tmp/out | tr -cd '\000-\037' | wc -c)" = 0
run 0 "an odd tracer can be enabled" enable "a b"
same "it is" function "$(cat "$T/instances/a b/current_tracer")"
run 0 "filtered" filter "a b" vfs_read
same "it is" vfs_read "$(filter_of "a b")"
run 0 "and removed" del "a b" $'c\td'

# Several at once
pids=()
for i in 1 2 3; do ftrace-mux add "p$i" -l vfs_read & pids+=($!); done
for i in 1 2 3; do ftrace-mux filter foo vfs_write 2> /dev/null & pids+=($!); done
# Not all children: the one that reads standard error stays.
wait "${pids[@]}"
check "three at once" test "$(instances | tr ' ' '\n' | grep -c '^p[1-3]$')" = 3
ftrace-mux del p1 p2 p3 foo graph quiet
same "a clean slate" "" "$(instances)"
check "nothing noted" test -z "$(find /run/ftrace-mux -name 'pid-*')"
