#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=300 MODULES=1
#
# Each instance has set_graph_function, set_graph_notrace and max_graph_depth for its own function_graph. What
# other users of function graph trace at the same time changes nothing of what it records.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh
cd $T || exit 1

# All that is traced here: a write() to the module's file calls some of its functions, a read() none
functions=(vfs_read vfs_write ksys_read ksys_write "${sys}_read" "${sys}_write" 'mt_fn0*')

# buffer DIR: the functions that its buffer has, in order, each time that they were entered
buffer()
{
	grep -oE "\b($sys|ksys|vfs)_(read|write)\(|\bmt_fn0[0-9]" "$1/trace" | tr -d '(' | paste -sd ' ' -
}

# user DIR: function_graph of these functions, into an empty buffer
user()
{
	printf '%s\n' "${functions[@]}" > "$1/set_ftrace_filter"
	echo 0 > "$1/tracing_on"
	echo function_graph > "$1/current_tracer"
	echo > "$1/trace"
}

# work: the same calls each time, seen by all users
work()
{
	local dir

	for dir in "$@"; do echo > "$dir/trace"; done
	for dir in "$@"; do echo 1 > "$dir/tracing_on"; done
	mt call 5 1
	read -r _ < /proc/version
	for dir in "$@"; do echo 0 > "$dir/tracing_on"; done
}

# status FILE TEXT: how writing TEXT to FILE ends
status()
{
	{ printf '%s' "$2" >> "$1"; } 2>&1 | sed 's/.*: //' | grep . || echo written
}

# only DIR TEXT: nothing of the functions that TEXT does not name
only()
{
	buffer "$1" | tr ' ' '\n' | grep -vxE "$2" | sort -u | paste -sd ' ' -
}

mkdir instances/a instances/b
a=instances/a b=instances/b
for file in set_graph_function set_graph_notrace max_graph_depth; do
	same "$file of an instance begins as the one of the top level" "$(cat $file)" "$(cat $a/$file)"
	same "and has its mode" "$(stat -c %a $file)" "$(stat -c %a $a/$file)"
done

# A function for each user
for dir in . $a $b; do user "$dir"; done
echo vfs_write > $a/set_graph_function
echo mt_fn05 > $b/set_graph_function
same 'a reads back what it was told' vfs_write "$(cat $a/set_graph_function)"
same 'so does b' mt_fn05 "$(cat $b/set_graph_function | sed 's/ .*//')"
same 'and the top level has no limit' "#### all functions enabled ####" "$(cat set_graph_function)"
for round in 1 2 3; do
	work . $a $b
	same "round $round: b has one function" mt_fn05 "$(buffer $b)"
	same "round $round: a has writes and what is below them" '' "$(only $a 'vfs_write|mt_fn0[0-9]')"
	check "round $round: and the call among it" grep -q mt_fn05 $a/trace
	check "round $round: the top level has reads, too" grep -q ksys_read trace
done

# A limit of the top level is none of the instances'
echo vfs_read > set_graph_function
echo ksys_read > $a/set_graph_function
work . $a $b
same 'top level: reads only' vfs_read "$(only . mt_fn05 | tr ' ' '\n' | sort -u)"
same 'a: from one function further up' '' "$(only $a 'ksys_read|vfs_read')"
check 'a: that function is there' grep -q ksys_read $a/trace
same 'b: as before' mt_fn05 "$(buffer $b)"
echo > set_graph_function
echo > $a/set_graph_function

# Without something
echo vfs_write > $a/set_graph_notrace
echo ksys_read > $b/set_graph_notrace
echo > $b/set_graph_function
work . $a $b
same 'set_graph_notrace of a: no write, nothing below' '' "$(only $a "($sys|ksys|vfs)_read|($sys|ksys)_write")"
check 'a: what is around it is there' grep -q ksys_write $a/trace
same 'set_graph_notrace of b: no read below that function' '' "$(only $b "${sys}_read|($sys|ksys|vfs)_write|mt_fn0[0-9]")"
check 'b: writes are' grep -q mt_fn05 $b/trace
check 'top level: all' grep -q vfs_read trace
check 'and all' grep -q mt_fn05 trace
echo > $a/set_graph_notrace
echo > $b/set_graph_notrace

# Depth: the frames of the others do not count
printf '%s\n' vfs_write mt_fn05 > $b/set_ftrace_filter
echo 1 > $b/max_graph_depth
work . $a $b
same 'max_graph_depth 1: the outermost function, although others trace what calls it' '' "$(only $b vfs_write)"
check 'and it is there' grep -q vfs_write $b/trace
check 'a has all' grep -q mt_fn05 $a/trace
check 'the top level too' grep -q mt_fn05 trace
echo 2 > $b/max_graph_depth
work . $a $b
check 'max_graph_depth 2: what is below, too' grep -q mt_fn05 $b/trace
echo 1 > max_graph_depth
work . $a $b
same 'top level 1: system calls only' '' "$(only . "${sys}_(read|write)")"
check 'b has its own' grep -q mt_fn05 $b/trace
check 'so has a' grep -q vfs_read $a/trace
same 'they are three numbers' '1 0 2' "$(cat max_graph_depth $a/max_graph_depth $b/max_graph_depth | paste -sd ' ' -)"
echo 0 > max_graph_depth

# Wrong words: as at the top level
for file in set_graph_function set_graph_notrace max_graph_depth; do
	same "$file: a word that is none" "$(status $file 'no_such_function ')" "$(status $a/$file 'no_such_function ')"
done
same 'what it says' 'Invalid argument' "$(status $a/set_graph_function 'no_such_function ')"
same 'max_graph_depth: not a number' 'Invalid argument' "$(status $a/max_graph_depth x)"
same 'nothing has changed' 'no functions disabled' "$(sed 's/#//g;s/^ //;s/ $//' $a/set_graph_notrace)"

# The same words in tracers/NAME/: those of the instance, or of the top level
words='max_graph_depth set_graph_function set_graph_notrace'
# words_of DIR: which of the files there are
words_of()
{
	(cd "$1" && printf '%s\n' *graph* | grep -v '\*' | paste -sd ' ' -)
}

same "tracers/a has the words of function_graph" "$words" "$(words_of tracers/a)"
same "so has that of the top level" "$words" "$(words_of tracers/trace_graph)"
echo vfs_write > tracers/a/set_graph_function
echo mt_fn05 > tracers/b/set_graph_function
echo 0 > tracers/b/max_graph_depth
echo ksys_read > tracers/trace_graph/set_graph_function
same "what is written there stands in the instance" vfs_write "$(cat $a/set_graph_function)"
same "and at the top level" ksys_read "$(cat set_graph_function)"
work . $a $b
same 'a has writes and what is below them' '' "$(only $a 'vfs_write|mt_fn0[0-9]')"
check 'and the call among it' grep -q mt_fn05 $a/trace
same 'b has one function' mt_fn05 "$(buffer $b)"
same 'the top level has reads' '' "$(only . '(ksys|vfs)_read')"
echo mt_fn05 > tracers/a/set_graph_notrace
echo 1 > tracers/trace_graph/max_graph_depth
echo vfs_write > tracers/b/set_graph_function
echo 1 > tracers/b/max_graph_depth
work . $a $b
same 'set_graph_notrace' vfs_write "$(buffer $a | tr ' ' '\n' | sort -u)"
same 'max_graph_depth' vfs_write "$(buffer $b | tr ' ' '\n' | sort -u)"
same 'each its own' '1 0 1' "$(cat max_graph_depth $a/max_graph_depth $b/max_graph_depth | paste -sd ' ' -)"
for file in $words; do
	same "$file: the mode of the instance's" "$(stat -c %a $a/$file)" "$(stat -c %a tracers/a/$file)"
	same "$file: a word that is none" 'Invalid argument' "$(status tracers/a/$file 'no_such_function ')"
done
echo function > $a/current_tracer
same 'a function tracer has none of them' '' "$(words_of tracers/a)"
echo nop > $a/current_tracer
echo function_graph > $a/current_tracer
same 'they stay when the tracer goes and comes' 'vfs_write mt_fn05' \
	"$(cat tracers/a/set_graph_function tracers/a/set_graph_notrace | sed 's/ .*//' | paste -sd ' ' -)"
exec 9<> tracers/a/set_graph_function
same 'an open file keeps the instance' 'Device or resource busy' "$(rmdir $a 2>&1 | sed 's/.*: //')"
echo nop > $a/current_tracer
same 'not the directory' '' "$(ls -d tracers/a 2> /dev/null)"
echo ksys_read >&9
exec 9<&-
same 'and reaches the instance' 'ksys_read vfs_write' "$(sort $a/set_graph_function | paste -sd ' ' -)"
for dir in . $a $b; do
	for file in $words; do
		echo 0 > "$dir/$file" 2> /dev/null || echo > "$dir/$file"
	done
done
echo function_graph > $a/current_tracer

# An instance goes: not while a file of it is open, and with all that it was told. The others do not notice
echo mt_fn05 > set_graph_function
printf '%s\n' 'vfs_*' > $a/set_graph_function
printf '%s\n' 'mt_fn0*' > $a/set_graph_notrace
exec 9< $a/set_graph_function
echo nop > $a/current_tracer
same 'not while a file is open' 1 "$(rmdir $a 2> /dev/null; echo $?)"
exec 9<&-
echo function_graph > $a/current_tracer
mt load 1 2> /dev/null
check 'it can go while it traces' rmdir $a
mt load 0 2> /dev/null
work . $b
same 'the top level keeps its function' mt_fn05 "$(buffer .)"
check 'b traces as before' grep -q vfs_write $b/trace
mkdir $a
same 'a new instance begins without a limit' "#### all functions enabled #### #### no functions disabled #### 0" \
	"$(cat $a/set_graph_function $a/set_graph_notrace $a/max_graph_depth | paste -sd ' ' -)"

# Instances come and go while what they trace runs
mt call 5 100000 &
for i in 1 2 3 4 5 6 7 8; do
	mkdir instances/c
	echo mt_fn05 > instances/c/set_graph_function
	user instances/c
	echo 1 > instances/c/tracing_on
	echo 'vfs_*' > instances/c/set_graph_notrace
	rmdir instances/c
done
same 'instances come and go' 8 "$i"
wait
work . $b
same 'the top level still has its function' mt_fn05 "$(buffer .)"

for dir in . $b; do
	echo nop > "$dir"/current_tracer
	echo > "$dir"/set_graph_function
	echo > "$dir"/set_ftrace_filter
	echo 1 > "$dir"/tracing_on
done
rmdir $a $b
finish
