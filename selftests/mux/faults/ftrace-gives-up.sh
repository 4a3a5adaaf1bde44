#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=120 MODULES=1 ALLOW="WARNING: .*at ftrace_|Call [Tt]race:|ftrace_bug|ftrace failed"
#
# Invariant 7 and upstream's c3b0f72e805f: ftrace finds damaged text and gives up for good. Every file can still
# be read, nothing oopses, those that trace already see their calls, and unregistering says that it is too late.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh

for id in 0 1 2; do
	tracer $id 0xff "$([ $id = 1 ] && echo regs)"
done
mkdir $T/instances/a
echo 'mt_fn0*' > $T/instances/a/set_ftrace_filter
echo function > $T/instances/a/current_tracer
mt corrupt 20
mt add 3
mt ips 3 0xf00000
mt reg 3 2> /dev/null
mt add 4
mt ips 4 0xf00000
! mt reg 4 2> /dev/null
ok $? 'ftrace has given up'

# Some files of stock answer with ENODEV then.
readable()
{
	local out

	out=$(cat "$1" 2>&1) && return
	[[ $out == *'No such device'* ]] || { echo "$out"; return 1; }
}
for f in enabled_functions touched_functions available_filter_functions set_ftrace_filter set_ftrace_notrace \
	instances/a/set_ftrace_filter function_tracers function_mux function_mux_check; do
	if [ -e $T/$f ]; then
		check "$f can be read, or says that it cannot" readable $T/$f
	fi
done
for f in $T/tracers/*/*; do
	[ -f "$f" ] && check "${f#"$T"/} can be read, or says that it cannot" readable "$f"
done
mt reset
mt call 2 25
same 'those that traced before see their calls' '25 25 25' "$(count 0 2) $(count 1 2) $(count 2 2)"
! mt unreg 0 2> /dev/null
ok $? 'unregistering is refused'
! mt ips 1 0xf0f 2> /dev/null
echo nop > $T/instances/a/current_tracer
mt call 2 25
unset -f at_end
finish
