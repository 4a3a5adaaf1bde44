#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=120 MODULES=1 APPEND="ftrace=function ftrace_filter=vfs_read,vfs_write ftrace_notrace=vfs_write trace_instance=early"
#
# 59566b0b622e: a tracer that runs from boot, with filters from the command line; a second and a third one join.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh

same 'the tracer of the command line runs' function "$(cat $T/current_tracer)"
same 'with its filter' vfs_read "$(cut -d' ' -f1 $T/enabled_functions | tr '\n' ' ' | sed 's/vfs_write //; s/ $//')"
echo 'vfs_[rw]*' > $T/instances/early/set_ftrace_filter
echo function > $T/instances/early/current_tracer
tracer 0 'vfs_read,vfs_open' 'other regs'
check 'masks agree' masks_ok
for i in $T $T/instances/early; do
	echo 0 > $i/tracing_on
	echo > $i/trace
	echo 1 > $i/tracing_on
done
mt reset
dd if=/dev/zero of=/dev/null bs=1 count=200 2> /dev/null
for i in $T $T/instances/early; do
	echo 0 > $i/tracing_on
done
other=$(awk '$1 == "other" { print $3 }' $D/stats)
check 'the tracer of the command line sees the calls' [ "$(grep -c 'dd-.*vfs_read <-' $T/trace)" -ge 200 ]
same 'it sees nothing else' 0 "$(grep -v '^#' $T/trace | grep -vc 'vfs_read <-')"
check 'the instance of the command line sees what the first one must not' [ "$(grep -c 'dd-.*vfs_write <-' $T/instances/early/trace)" -ge 200 ]
check 'a third one with full registers sees them' [ "${other:-0}" -ge 200 ]
echo nop > $T/instances/early/current_tracer
echo nop > $T/current_tracer
mt free 0
finish
