#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=300
#
# Bad input to function_tracers and to the filter files: the errno, the entry in error_log where there is one,
# and everything as it was, also when only the last of several words is bad. Concurrent writers. A file that is open while
# its tracer is unregistered.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh
cd $T || exit 1
mkdir instances/foo
echo function > current_tracer
echo schedule > set_ftrace_filter
echo function > instances/foo/current_tracer
echo vfs_read > instances/foo/set_ftrace_filter

# errno_of DATA FILE: the name of the errno that writing the data gives
errno_of()
{
	printf '%b' "$1" > /tmp/data
	strace -qq -e trace=write -o /tmp/strace dd if=/tmp/data of="$2" bs=64k count=1 conv=notrunc 2> /dev/null
	sed -n 's/^write(1,.* = -1 \(E[A-Z]*\).*/\1/p' /tmp/strace | head -n 1
}

state()
{
	cat function_tracers tracers/*/set_ftrace_filter
}
before=$(state)

long=$(printf 'x%.0s' {1..300})
for name in nosuch 'tra' 'trace x' "$long" '\001\002\377' 'trace\0foo' '../trace' '*trace' ' ' '\n'; do
	same "function_tracers: ${name:0:20}" EINVAL "$(errno_of "$name" function_tracers)"
done
same 'white space around a name is no part of it' '' "$(errno_of ' foo \n' function_tracers)"
echo trace > function_tracers
# Opening with O_TRUNC and writing nothing is what `: >` does
: > function_tracers
same 'an empty write changes nothing' "$before" "$(state)"
: > error_log
echo nosuch > function_tracers 2> /dev/null
check 'error_log names the file and the reason' grep -q 'function_tracers: error: No such function tracer' error_log
check 'and what was written' grep -q 'Command: nosuch' error_log

for file in set_ftrace_filter tracers/foo/set_ftrace_filter tracers/foo/set_ftrace_notrace; do
	same "$file: no such function" EINVAL "$(errno_of 'no_such_function\n' $file)"
	same "$file: binary garbage" EINVAL "$(errno_of '\001\377\376\n' $file)"
	same "$file: no such command" EINVAL "$(errno_of 'schedule:nosuchcommand\n' $file)"
done
same 'all filters and the default are as they were' "$before" "$(state)"

# at_close DATA FILE: what close() says after the data
at_close()
{
	printf '%b' "$1" | dd of="$2" conv=notrunc status=none 2>&1 | grep -o 'closing output file.*'
}

# A write that fails in the middle, or as the first of a file that was emptied: the filter is as it was at close
for file in set_ftrace_filter set_ftrace_notrace tracers/foo/set_ftrace_filter tracers/foo/set_ftrace_notrace \
	instances/foo/set_ftrace_filter instances/foo/set_ftrace_notrace stack_trace_filter; do
	echo 'vfs_read vfs_write' > $file
	before=$(sort $file)
	functions=$(cat tracers/foo/functions)
	for words in 'nosuch' 'schedule nosuch' 'schedule nosuch vfs_open' 'schedule vfs_open:nosuchcommand' '99999999'; do
		! echo "$words" 2> /dev/null > $file
		same "$file: $words, in place of what was there" "$before" "$(sort $file)"
		! echo "$words" 2> /dev/null >> $file
		same "$file: $words, added" "$before" "$(sort $file)"
	done
	printf 'schedule nosuch' > $file
	same "$file: a last word that is wrong, without a newline" "$before" "$(sort $file)"
	same "$file: the task that closes it is told" "closing output file '$file': Invalid argument" \
		"$(at_close 'schedule nosuch' $file)"
	same "$file: close says nothing when all is well" '' "$(at_close 'vfs_read\n' $file)"
	same "$file: nothing else is traced" "$functions" "$(cat tracers/foo/functions)"
	(echo schedule; echo nosuch; echo vfs_open) 2> /dev/null > $file
	same "$file: a writer that continues is served" $'schedule\nvfs_open' "$(sort $file)"
	echo > $file
done
echo schedule > set_ftrace_filter
echo vfs_read > instances/foo/set_ftrace_filter
before=$(state)

for ((i = 0; i < 4; i++)); do
	(for ((k = 0; k < 100; k++)); do
		echo trace > function_tracers
		echo foo > function_tracers
		echo "junk$k" > function_tracers
	done) 2> /dev/null &
done
wait
same 'concurrent writers: one of the two is the default' 1 "$(grep -c '^\*' function_tracers)"

# Two programs set two tracers' filters at once, and neither hits the other's
(for ((k = 0; k < 40; k++)); do echo vfs_read > tracers/foo/set_ftrace_filter; done) &
for ((k = 0; k < 40; k++)); do echo schedule > tracers/trace/set_ftrace_filter; done
wait
same 'two writers, two tracers' "$before" "$(echo trace > function_tracers; state)"

exec 3> tracers/foo/set_ftrace_filter 4< tracers/foo/set_ftrace_filter 5< tracers/foo/id
mkfifo /tmp/written /tmp/gone
# bash closes a copy of it last
strace -qq -e trace=close -o /tmp/closed bash -c 'exec 6> tracers/foo/set_ftrace_filter; echo vfs_open >&6
	echo > /tmp/written; read -r < /tmp/gone; exec 6>&-' &
read -r < /tmp/written
echo nop > instances/foo/current_tracer
rmdir instances/foo
same 'a write after the tracer went' ENODEV "$(
	strace -qq -e trace=write -o /tmp/strace bash -c 'echo vfs_write >&3' 2> /dev/null
	sed -n 's/^write(1,.* = -1 \(E[A-Z]*\).*/\1/p' /tmp/strace)"
same 'a read after it went' 1 "$(cat <&4 2>&1 | grep -c 'No such device')"
same 'id after it went' 1 "$(cat <&5 2>&1 | grep -c 'No such device')"
echo > /tmp/gone
wait
same 'a close after it went' ENODEV "$(grep -o ENODEV /tmp/closed)"
exec 3>&- 4<&- 5<&-
same 'the other tracer has its filter still' schedule "$(cat tracers/trace/set_ftrace_filter)"

echo nop > current_tracer
echo > set_ftrace_filter
check 'nothing is left in the text' all_gone
finish
