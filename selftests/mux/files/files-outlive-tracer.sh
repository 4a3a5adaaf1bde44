#!/bin/bash
# guest: KERNEL=debug SMP=2 THREAD=single TIMEOUT=1500
#
# Every file of an instance, and of its directory in tracers/, that is opened while the instance traces and used after
# the tracer has gone, after another one of that name has come, and after the instance itself is gone. And the same
# files opened then. What is read or written there reaches nobody else, and KASAN sees no access to freed memory.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh
cd $T || exit 1

# Those that wait for events, and those of events, which know nothing of tracers
files()
{
	find instances/foo tracers/foo -name events -prune -o -name '*pipe*' -prune -o -name '*raw' -prune -o -type f -print
}

# open_all READ|WRITE: the descriptors are in fds, by name
declare -A fds
open_all()
{
	local f fd

	while read -r f; do
		# Opening some of them empties or frees something; that is what they do
		if [ "$1" = READ ]; then
			{ exec {fd}< "$f"; } 2> /dev/null || continue
		else
			[ -w "$f" ] && { exec {fd}>> "$f"; } 2> /dev/null || continue
		fi
		fds[$f]=$fd
	done < <(files)
}

close_all()
{
	local f fd

	for f in "${!fds[@]}"; do
		fd=${fds[$f]}
		exec {fd}>&-
		unset "fds[$f]"
	done
}

# read_all: how many of the files of tracers/foo give ENODEV; what the others give does not matter
read_all()
{
	local f n=0 out

	for f in "${!fds[@]}"; do
		out=$(timeout 20 cat <&"${fds[$f]}" 2>&1 > /dev/null)
		[[ $f == tracers/* && $out == *'No such device'* ]] && n=$((n + 1))
	done
	echo $n
}

write_all()
{
	local f n=0 out

	for f in "${!fds[@]}"; do
		case $f in
		tracers/*graph*) { echo vfs_open >&"${fds[$f]}"; } 2> /dev/null || true ;;
		*ftrace_*) out=$( { echo vfs_open >&"${fds[$f]}"; } 2>&1) ;;
		*) out= ;;
		esac
		[[ $f == tracers/* && $out == *'No such device'* ]] && n=$((n + 1))
	done
	echo $n
}

# start TRACER
start()
{
	[ -d instances/foo ] || mkdir instances/foo
	echo vfs_read > instances/foo/set_ftrace_filter
	echo "$1" > instances/foo/current_tracer
}

echo schedule > set_ftrace_filter
echo function > current_tracer
for tracer in function function_graph; do
	start $tracer
	open_all READ
	check "$tracer: ${#fds[@]} files are opened for reading" [ ${#fds[@]} -gt 30 ]
	echo nop > instances/foo/current_tracer
	same "$tracer: the directory has gone with the tracer" '' "$(ls -d tracers/foo 2> /dev/null)"
	same "$tracer: the four files of it say so" 4 "$(read_all)"
	close_all

	start $tracer
	open_all READ
	echo nop > instances/foo/current_tracer
	start $tracer
	same "$tracer: another one of that name is not theirs" 4 "$(read_all)"
	close_all
	same "$tracer: but has its own" 1 "$(cat tracers/foo/functions)"

	open_all WRITE
	echo nop > instances/foo/current_tracer
	start $tracer
	same "$tracer: the two filter files cannot be written" 2 "$(write_all)"
	close_all
	# The instance's own files are the instance's, with any tracer
	same "$tracer: those of the instance can" 'vfs_open vfs_read' "$(sort instances/foo/set_ftrace_filter | paste -sd ' ')"
	echo > instances/foo/set_ftrace_notrace
	# So are those of function_graph, under both names
	[ $tracer = function ] ||
		same "$tracer: and what both names of it are" 'vfs_open 0' "$(cat instances/foo/set_graph_function instances/foo/max_graph_depth | paste -sd ' ')"
	echo > instances/foo/set_graph_function
	echo > instances/foo/set_graph_notrace

	open_all READ
	echo nop > instances/foo/current_tracer
	! rmdir instances/foo 2> /dev/null
	ok $? "$tracer: an instance with open files stays"
	read_all > /dev/null
	close_all
	rmdir instances/foo
	ok $? "$tracer: and goes when they are closed"

	# Files that hold no reference to the instance, of a tracer that is registered when it goes
	start $tracer
	exec 3< tracers/foo/id 4< tracers/foo/functions
	echo nop > instances/foo/current_tracer
	rmdir instances/foo
	same "$tracer: id and functions after the instance went" 2 \
		"$( (cat <&3; cat <&4) 2>&1 | grep -c 'No such device')"
	exec 3<&- 4<&-
	same "$tracer: nothing of it is to be opened" '' "$(ls -d instances/foo tracers/foo 2> /dev/null)"
	check "$tracer: masks agree" masks_ok
done
same 'the filter of the other tracer has stayed' schedule "$(cat set_ftrace_filter)"
echo nop > current_tracer
echo > set_ftrace_filter
check 'nothing is left in the text' all_gone
finish
