#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=900 TOOLS=1
#
# The recipes of Documentation/trace-cmd.rst.
# shellcheck source=selftests/command/lib.sh
. /files/command/lib.sh
cd /tmp || exit 1
shown+=(/tmp/report-err /tmp/report)

# events ARGS: the lines of a recording, in ./report
events()
{
	trace-cmd report "$@" > report 2> report-err
}

# report ARGS: its functions, each once
report()
{
	events "$@"
	sed -n 's/.*function: *\([^ ]*\).*/\1/p' report | sort -u | paste -sd' ' -
}

# recorded NAME ARGS: trace-cmd record ARGS must end with status 0
recorded()
{
	local status=0

	trace-cmd record -q "${@:2}" > out 2> err || status=$?
	same "$1" 0 $status
}

# Several tracers in one recording, with our tool
run 0 "several tracers, with ftrace-mux" record -t opens:vfs_open -t reads:sys_read,vfs_read -o a.dat -- cat /etc/hostname
same "their functions, no others" "${sys}_read vfs_open vfs_read" "$(report -i a.dat)"
same "by buffer" "opens:vfs_open reads:${sys}_read reads:vfs_read" \
	"$(sed -n 's/^\([a-z]*\): .*function: *\([^ ]*\).*/\1:\2/p' report | sort -u | paste -sd' ' -)"
run 0 "function_graph" record -p function_graph -t opens:vfs_open -o a.dat -- cat /etc/hostname
events -i a.dat
check "shows how long" grep -qE '^opens: .* us .*vfs_open' report

# From tracers that run already, with ours; trace-cmd takes the instance for its own
run 0 "a tracer that runs" add monitor -l vfs_open
run 0 "is recorded" record --attach monitor -o a.dat -- cat /etc/hostname
same "its function" "vfs_open" "$(report -i a.dat)"
same "it runs on" "function vfs_open" "$(cat $T/instances/monitor/current_tracer) $(filter_of monitor)"
cat /etc/hostname > out
trace-cmd extract -k -B monitor -o b.dat > out 2> err
same "trace-cmd extract takes what is there" "vfs_open" "$(report -i b.dat)"
recorded "trace-cmd record from it" -k -B monitor -e sched_process_exec -o b.dat true
same "trace-cmd record sets it up anew" nop "$(cat $T/instances/monitor/current_tracer)"
ftrace-mux del monitor

# ... with trace-cmd alone
recorded "a buffer for each tracer" -o b.dat -B opens -p function -l vfs_open -B reads -p function -l "${sys}_read" cat /etc/hostname
same "several tracers, with trace-cmd alone" "${sys}_read vfs_open" "$(report -i b.dat)"
recorded "one buffer, kept" -k -o b.dat -B opens -p function -l vfs_open cat /etc/hostname
same "and -k" "vfs_open" "$(report -i b.dat)"
rmdir $T/instances/* 2> /dev/null
same "the instances can be removed" "" "$(instances)"

# What is below a function
mkdir $T/instances/reads
echo vfs_read > $T/instances/reads/set_graph_function
recorded "function_graph in an instance" -o h.dat -B reads -p function_graph cat /etc/hostname
events -i h.dat
same "an instance that has been told: what is below its function" vfs_read \
	"$(sed -nE 's/.*funcgraph_entry:.*\| {2}([a-z_0-9.]+)\(.*/\1/p' report | sort -u | paste -sd' ' -)"
check "more than that function" grep -qE 'funcgraph_entry:.*\| {4}[a-z_]' report
recorded "function_graph with -g in an instance" -o h.dat -B other -p function_graph -g vfs_read -l vfs_open cat /etc/hostname
events -i h.dat
check "-g after -B is ignored" grep -q vfs_open report
rmdir $T/instances/* 2> /dev/null

# trace-cmd while other tracers run: exactly X, and the others undisturbed
ftrace-mux add mine -l schedule
ftrace-mux add most -l 'vfs_*'
same "with the view off" "off trace" "$(ftrace-mux view) $(ftrace-mux default)"
recorded "the top level" -p function -l vfs_read -o c.dat cat /etc/hostname
same "trace-cmd record -p function -l X gives exactly X" vfs_read "$(report -i c.dat)"
check "a line for each read at least" test "$(wc -l < report)" -ge 2
same "the others keep their filters" "schedule $(grep -cE '^vfs_' $T/available_filter_functions)" "$(filter_of mine) $(filter_of most | wc -w)"
same "and trace their functions only" schedule "$(ftrace-mux watch --once mine | functions_in)"
same "in no buffer anything else" 0 "$(ftrace-mux watch --once most | functions_in | tr ' ' '\n' | grep -cv '^vfs_')"
trace-cmd start -p function -l vfs_open > out 2> err
same "trace-cmd start: the top level's filter" vfs_open "$(grep -v '^#' $T/set_ftrace_filter)"
cat /etc/hostname > /dev/null
trace-cmd stop
same "and buffer" vfs_open "$(functions_in < $T/trace)"
check "trace-cmd stat reads it" grep -q vfs_open <(trace-cmd stat 2> /dev/null)
trace-cmd start -p nop > out 2> err
echo > $T/set_ftrace_filter
ftrace-mux del most

# A recording of a tracer that runs already
cat /etc/hostname > /dev/null
trace-cmd extract -B mine -o d.dat > out 2> err
same "trace-cmd extract" schedule "$(report -i d.dat)"
rmdir $T/instances/* 2> /dev/null

# The multiplexer's events
ftrace-mux add early -l vfs_read
run 0 "record with the multiplexer's events" record -t opens:vfs_open -e ftrace_mux -o e.dat -- \
	ftrace-mux add late -l vfs_read
events -i e.dat
check "a registration with its ID" grep -qE "mux_tracer_register: +late id=$(cat $T/tracers/late/id)" report
check "a retargeting with the name known from it" grep -qE \
	'mux_retarget: +sites=[0-9]+ redirects=[0-9]+ waits=[0-9]+ time=[0-9]+\.[0-9]{3}us tracers=0x[0-9a-f]+ \{[^}]*late[^}]*\}' report
id=$(cat $T/tracers/late/id)
recorded "the events alone" -e ftrace_mux -o f.dat ftrace-mux filter late vfs_open
events -i f.dat
check "tracers that were there before are numbers" grep -qE "mux_retarget: .*\{#$id\}" report
events -O "ftrace_mux:names=$id=late" -i f.dat
check "unless they are named" grep -qE "mux_retarget: .*\{late\}" report
events -N -i f.dat
check "without the plugin: a mask" grep -qE 'mux_retarget: +sites=[0-9]+ redirects=[0-9]+ waits=[0-9]+ ns=[0-9]+ mask=0x' report
ftrace-mux del early late
run 0 "the kernel is content" check
finish
