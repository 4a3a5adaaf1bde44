#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=900 TOOLS=1
#
# The recipes of Documentation/trace-cmd.rst.
# shellcheck source=selftests/tools/lib.sh
. /files/tools/lib.sh
cd /tmp || exit 1

# report ARGS: the functions of a recording, each once; all lines are in ./report
report()
{
	trace-cmd report "$@" > report 2> err
	sed -n 's/.*function: *\([^ ]*\).*/\1/p' report | sort -u | paste -sd' ' -
}

# Several tracers in one recording, with our tool
run 0 "several tracers, with ftrace-mux" record -t opens:vfs_open -t reads:sys_read,vfs_read -o a.dat -- cat /etc/hostname
same "their functions, no others" "$(report -i a.dat)" "__x64_sys_read vfs_open vfs_read"
same "by buffer" "$(sed -n 's/^\([a-z]*\): .*function: *\([^ ]*\).*/\1:\2/p' report | sort -u | paste -sd' ' -)" \
	"opens:vfs_open reads:__x64_sys_read reads:vfs_read"
run 0 "function_graph" record -p function_graph -t opens:vfs_open -o a.dat -- cat /etc/hostname
trace-cmd report -i a.dat > report 2> /dev/null
is "shows how long" grep -qE '^opens: .* us .*vfs_open' report

# ... with trace-cmd alone
trace-cmd record -q -o b.dat -B opens -p function -l vfs_open -B reads -p function -l __x64_sys_read cat /etc/hostname > out 2> err
same "several tracers, with trace-cmd alone" "$(report -i b.dat)" "__x64_sys_read vfs_open"
trace-cmd record -q -k -o b.dat -B opens -p function -l vfs_open cat /etc/hostname > out 2> err
same "and -k" "$(report -i b.dat)" "vfs_open"
rmdir $T/instances/* 2> /dev/null
same "the instances can be removed" "$(instances)" ""

# trace-cmd while other tracers run: exactly X, and the others undisturbed
ftrace-mux add mine -l schedule
ftrace-mux add most -l 'vfs_*'
same "with the view off" "$(ftrace-mux view) $(ftrace-mux default)" "off trace"
trace-cmd record -q -p function -l vfs_read -o c.dat cat /etc/hostname > out 2> err
same "trace-cmd record -p function -l X gives exactly X" "$(report -i c.dat)" vfs_read
is "a line for each read at least" test "$(wc -l < report)" -ge 2
same "the others keep their filters" "$(filter_of mine) $(filter_of most | wc -w)" "schedule $(grep -cE '^vfs_' $T/available_filter_functions)"
same "and trace their functions only" "$(ftrace-mux watch --once mine | functions_in)" schedule
same "in no buffer anything else" "$(ftrace-mux watch --once most | functions_in | tr ' ' '\n' | grep -cv '^vfs_')" 0
trace-cmd start -p function -l vfs_open > out 2> err
same "trace-cmd start: the top level's filter" "$(grep -v '^#' $T/set_ftrace_filter)" vfs_open
cat /etc/hostname > /dev/null
trace-cmd stop
same "and buffer" "$(functions_in < $T/trace)" vfs_open
is "trace-cmd stat reads it" grep -q vfs_open <(trace-cmd stat 2> /dev/null)
trace-cmd start -p nop > out 2> err
echo > $T/set_ftrace_filter
ftrace-mux del most

# A recording of a tracer that runs already
cat /etc/hostname > /dev/null
trace-cmd extract -B mine -o d.dat > out 2> err
same "trace-cmd extract" "$(report -i d.dat)" schedule
rmdir $T/instances/* 2> /dev/null

# The multiplexer's events
ftrace-mux add early -l vfs_read
run 0 "record with the multiplexer's events" record -t opens:vfs_open -e ftrace_mux -o e.dat -- \
	ftrace-mux add late -l vfs_read
trace-cmd report -i e.dat > report 2> err
is "a registration with its ID" grep -qE "tracer_register: +late id=$(cat $T/tracers/late/id)" report
is "a retargeting with the name known from it" grep -qE \
	'retarget: +sites=[0-9]+ redirects=[0-9]+ waits=[0-9]+ time=[0-9]+\.[0-9]{3}us tracers=0x[0-9a-f]+ \{[^}]*late[^}]*\}' report
id=$(cat $T/tracers/late/id)
trace-cmd record -q -e ftrace_mux -o f.dat ftrace-mux filter late vfs_open > out 2> err
trace-cmd report -i f.dat > report 2> err
is "tracers that were there before are numbers" grep -qE "retarget: .*\{#$id\}" report
trace-cmd report -O "ftrace_mux:names=$id=late" -i f.dat > report 2> err
is "unless they are named" grep -qE "retarget: .*\{late\}" report
trace-cmd report -N -i f.dat > report 2> err
is "without the plugin: a mask" grep -qE 'retarget: +sites=[0-9]+ redirects=[0-9]+ waits=[0-9]+ ns=[0-9]+ mask=0x' report
ftrace-mux del early late
run 0 "the kernel is content" check
done_testing
