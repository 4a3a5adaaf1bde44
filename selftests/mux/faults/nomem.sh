#!/bin/bash
# guest: KERNEL=debug SMP=2 THREAD=single TIMEOUT=900 MODULES=1
#
# Each allocation of memory that a change makes fails once, the first, the second, and so on until all have failed once. A
# change that fails for this reason has changed nothing, and returns ENOMEM.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh
# shellcheck source=selftests/mux/faults/fail-allocations.sh
. /files/mux/faults/fail-allocations.sh
module=mt

exact()
{
	mt reset && mt call '*' 1 && no_errors && counts_exact 1
}

# by_number: a function is chosen by its number, and each allocation on the way fails once. The filter is then the old
# one or the new one, whether the write fails or not. It is never empty.
by_number()
{
	local n left=0 nr

	nr=$(grep -n '^vfs_write$' $T/available_filter_functions | cut -d : -f 1)
	exec 9> /proc/thread-self/fail-nth
	for ((n = 1; left == 0; n++)); do
		[ $n -le 200 ] || { echo 'no end'; return 1; }
		echo vfs_read > $T/set_ftrace_filter
		echo $n >&9
		echo "$nr" 2> /dev/null > $T/set_ftrace_filter
		read -r left 2> /dev/null < /proc/thread-self/fail-nth || left=1
		echo 0 >&9
		case $(cat $T/set_ftrace_filter) in
		vfs_read | vfs_write) ;;
		*) echo "allocation $n: $(head -n 1 $T/set_ftrace_filter)"; return 1 ;;
		esac
	done
	exec 9>&-
	echo "# a number: $((n - 2)) allocations" >&3
	[ "$(cat $T/set_ftrace_filter)" = vfs_write ] && [ $n -gt 4 ]
}

# closed_with N: opens the filter for vfs_write, and lets allocation N of close() fail. Prints how many allocations are
# left until then, and 0 if close() succeeds, else -1
closed_with()
{
	gawk -v file=$T/set_ftrace_filter -v n="$1" 'BEGIN {
		nth = "/proc/thread-self/fail-nth"
		print "vfs_write" > file
		fflush(file)
		print n > nth
		fflush(nth)
		status = close(file)
		error = status ? ERRNO : ""
		if ((getline left < nth) <= 0)
			left = 1
		print 0 > nth
		close(nth)
		print left, status, error
	}'
}

# at_close: what is written takes effect when the file is closed. The filter is the new one if close() succeeds, else
# the old one.
at_close()
{
	local n left=0 status refused=0 now

	for ((n = 1; left == 0; n++)); do
		[ $n -le 200 ] || { echo 'no end'; return 1; }
		echo vfs_read > $T/set_ftrace_filter
		read -r left status < <(closed_with $n)
		now=$(cat $T/set_ftrace_filter)
		case $status,$now in
		0,vfs_write) ;;
		'-1 Cannot allocate memory,vfs_read') refused=$((refused + 1)) ;;
		*) echo "allocation $n: close() is $status, the filter is $now"; return 1 ;;
		esac
	done
	echo "# close(): $((n - 2)) allocations, refused $refused times" >&3
	[ $refused -gt 0 ]
}

tracer 0 0xffffffff
tracer 1 'mt_fn1*'
by_number
ok $? 'a filter by number'
check 'a filter is set when its file is closed' at_close
echo > $T/set_ftrace_filter
check 'a filter by name' each_fails refused 'filter 1 mt_fn1*' filter 1 'mt_fn0*'
check 'a filter by address' each_fails refused 'filter 1 mt_fn1*' ips 1 0xf00f
check 'all functions are filtered' each_fails refused 'filter 1 mt_fn1*' filter 1
mt filter 1 'mt_fn*'
check 'functions are excluded' each_fails refused 'notrace 1' notrace 1 'mt_fn?5'
check 'none is excluded' each_fails refused 'notrace 1 mt_fn?6' notrace 1
mt notrace 1
mt add 2 regs
mt ips 2 0x00ffff00
check 'a tracer is registered' each_fails any 'unreg 2' reg 2
mt reg 2
check 'a tracer is unregistered' each_fails any 'reg 2' unreg 2
for id in 3 4 5 6 7 8 9; do
	tracer $id 0xffffffff
done
mt add 10
mt ips 10 0x0f0f0f0f
check 'a tracer that gets no ID is registered' each_fails any 'unreg 10' reg 10
mt reg 10
check 'its filter changes' each_fails refused 'ips 10 0x0f0f0f0f' ips 10 0xf000f0
finish
