#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=200 MODULES=1 APPEND="ftrace=function ftrace_filter=vfs_read,vfs_write ftrace_notrace=vfs_write trace_instance=early stacktrace_filter=vfs_open trace_options=function-mux"
#
# The command line starts the function tracer, the stack tracer, an instance, and the view of the RFC, all at once.
# A tracer of a module joins. Upstream: 59566b0b622e (a tracer that runs from boot).
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh
cd $T || exit 1

same 'the view is on' 1 "$(cat options/function-mux)"
same 'the option is in trace_options' function-mux "$(grep function-mux trace_options)"
same 'both tracers have started' 'trace trace_stack' "$(tr -d '*' < function_tracers | sort | tr '\n' ' ' | sed 's/ $//')"
same 'one of them is the default' 1 "$(grep -c '^\*' function_tracers)"
same 'and has a directory, as the other one' 'trace trace_stack ' "$(cd tracers && printf '%s ' *)"
same 'the filter of the function tracer' $'vfs_read\nvfs_write' "$(sort tracers/trace/set_ftrace_filter)"
same 'its notrace' vfs_write "$(cat tracers/trace/set_ftrace_notrace)"
same 'the filter of the stack tracer' vfs_open "$(cat tracers/trace_stack/set_ftrace_filter)"
same 'sections of set_ftrace_filter' $'[ trace] vfs_read\n[ trace] vfs_write\n[ trace_stack] vfs_open' \
	"$(sort set_ftrace_filter)"
same 'sections of set_ftrace_notrace' $'[ trace] vfs_write\n[ trace_stack] #### no functions disabled ####' \
	"$(sort set_ftrace_notrace)"
same 'functions of both' '1 1' "$(cat tracers/trace/functions tracers/trace_stack/functions | tr '\n' ' ' | sed 's/ $//')"
check 'masks agree' masks_ok

echo 'vfs_read vfs_write' > instances/early/set_ftrace_filter
echo function > instances/early/current_tracer
same 'the instance joins and is the default' '*early' "$(tail -n 1 function_tracers)"
echo vfs_write > set_ftrace_filter
same 'its filter is written' vfs_write "$(cat instances/early/set_ftrace_filter)"
same 'and no other one' $'vfs_read\nvfs_write' "$(sort tracers/trace/set_ftrace_filter)"
tracer 0 vfs_read 'other regs'
check 'masks agree with a tracer of a module' masks_ok
for i in . instances/early; do
	echo > $i/trace
done
mt reset
dd if=/dev/zero of=/dev/null bs=1 count=100 2> /dev/null
echo 0 | tee tracing_on instances/early/tracing_on > /dev/null

# of_dd DIR: functions that dd has called, if often
of_dd()
{
	awk '$1 ~ /^dd-/ { for (i = 1; i <= NF; i++) if ($i ~ /^<-/) n[$(i - 1)]++ }
		END { for (f in n) print f, n[f] >= 100 ? "often" : n[f] }' "$1/trace"
}
same 'the function tracer sees its function' 'vfs_read often' "$(of_dd .)"
same 'the instance sees its own' 'vfs_write often' "$(of_dd instances/early)"
check 'a tracer of a module with all registers sees the calls of its function' \
	[ "$(awk '$1 == "other" && $2 == 0 { n = $3 } END { print n + 0 }' $D/stats)" -ge 100 ]
mt free 0
echo nop > instances/early/current_tracer
echo 0 > options/function-mux
same 'view off: ftrace'\''s format' $'vfs_read\nvfs_write' "$(sort set_ftrace_filter)"
echo nop > current_tracer
echo 0 > /proc/sys/kernel/stack_tracer_enabled
echo | tee set_ftrace_filter set_ftrace_notrace > /dev/null
check 'nothing is left in the text' all_gone
finish
