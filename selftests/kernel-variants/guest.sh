#!/bin/bash
# Runs in each variant of the kernel: what selftests/mux/calls/exact.sh, coexist.sh and retarget.sh have in all orders,
# once each, on every way through callers, slots and trampolines.
#
# /files/want has a line for each thing that makes it this variant: FILE PATTERN.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh
I=$T/instances
diag "ibt: $(grep -qw ibt /proc/cpuinfo && echo on || echo off)"

while read -r file pattern; do
	[ -n "$file" ] || continue
	check "$file: $pattern" grep -E "$pattern" "$file"
done < /files/want

# The function tracer of the command line has come before the kernel patched its calls and returns
boot_tracer()
{
	[ "$(cat $T/current_tracer)" = function ] && grep -q '^vfs_read' $T/enabled_functions && masks_ok || return
	cat /proc/uptime > /dev/null
	grep -q ': vfs_read <-' $T/trace
}
check 'ftrace=function: it traces, and the masks and the text agree' boot_tracer
echo nop > $T/current_tracer
echo > $T/set_ftrace_filter
echo > $T/trace
check 'and it leaves nothing' all_gone

# While tracers are registered and unregistered: callers for arguments, callers for registers, lists
mixed=('' '' 'regs stack' 'recursion' stack rcu 'regs recursion' regs '' stack)
for ((id = 0; id < 10; id++)); do
	tracer $id 'mt_fn0*,mt_fn1*' "${mixed[id]}"
	case $id in 0 | 1 | 2 | 6 | 9) check "$((id + 1)) tracers: exact counts, true registers, whole stacks" exact_calls ;; esac
done
for id in 2 6 0 7 1; do
	mt unreg $id
done
check 'five of them left' exact_calls
free_all

# A direct call, a kprobe, a return probe, function_graph and a livepatch next to two tracers
insmod $modules/mux_probes.ko
P=/sys/module/mux_probes/parameters
mkdir $I/graph

# The function runs, or the new one instead of it, and the two tracers and the others have seen each call
together()
{
	local what bad=0

	mt reset
	for what; do
		[ "$what" = graph ] || [ "$what" = livepatch ] || echo 0 > $P/"$what"
	done
	echo > $I/graph/trace
	mt call 4 10
	for what; do
		case $what in
		livepatch) [ "$(calls 4)" = 0 ] || { echo 'the livepatch did not run'; bad=1; } ;;
		graph) [ "$(grep -cE 'mt_fn04.*\(\)' $I/graph/trace)" = 10 ] || { cat $I/graph/trace; bad=1; } ;;
		*) [ "$(cat $P/"$what")" = 10 ] || { echo "$what saw $(cat $P/"$what")"; bad=1; } ;;
		esac
	done
	[ "$(count 0 4) $(count 1 4) $(cat $P/wrong)" = '10 10 0' ] ||
		{ echo "$(count 0 4) and $(count 1 4) calls, wrong in probes: $(cat $P/wrong)"; bad=1; }
	no_errors && masks_ok && return $bad
}

mt add 0
mt add 1 regs
for id in 0 1; do
	mt ips $id 0x10
	mt reg $id
done
for probe in direct kprobe kretprobe fprobe; do
	echo "$probe 4" > $P/attach
done
check 'a direct call, a kprobe, a return probe and an fprobe next to two tracers' together direct kprobe kretprobe fprobe
for probe in direct kprobe kretprobe fprobe; do
	echo "$probe 4" > $P/detach
done
mt others 1
echo mt_fn04 > $I/graph/set_ftrace_filter
echo function_graph > $I/graph/current_tracer
patch_in
check 'function_graph and a livepatch next to two tracers' together graph livepatch
patch_out
mt others 0
echo nop > $I/graph/current_tracer
rmdir $I/graph
rmmod mux_probes
free_all

# Tracers come, go and change filters at random while tasks and an interrupt call the functions
mt reset
mt load 1
mt timer 1
mt churn 1 7 0 12
sleep 4
mt churn 0
mt timer 0
mt load 0
free_all
check 'tracers that come and go under load: nothing lost, nothing seen twice' no_errors
check 'and there were calls to check' test "$(value checked)" -gt 100
finish
