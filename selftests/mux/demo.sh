#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=120
#
# What `make demo` runs in the guest: each command is printed, then run.
cd /sys/kernel/tracing || exit 1
sys=__x64_sys
[ "$(uname -m)" = x86_64 ] || sys=__arm64_sys

title()
{
	printf '\n--- %s\n' "$*"
}

run()
{
	printf '# %s\n' "$*"
	eval "$1"
}

# The functions in a buffer, with the number of calls of each
functions_in()
{
	sed -n '/^#/!s/.*: \([^ ]*\) <-.*/\1/p' "$1" | sort | uniq -c
}

workload()
{
	dd if=/dev/zero of=/dev/null bs=1 count=200
	ls -lR /sys/kernel/tracing/events/sched
	sleep 0.1
} > /dev/null 2>&1

title 'The session of the RFC of 2011: two tracers, one filter file'
run 'echo 1 > options/function-mux'
run 'echo function > current_tracer'
run 'cat function_tracers'
run 'echo 1 > function_profile_enabled'
run 'cat function_tracers'
run 'cat set_ftrace_filter'
run "echo ${sys}_read > set_ftrace_filter"
run 'cat set_ftrace_filter'
run 'echo trace > function_tracers'
run 'cat function_tracers'
run "echo ${sys}_write > set_ftrace_filter"
run 'cat set_ftrace_filter'

title 'Each tracer records what its filter selects, while a workload reads, writes and does more'
echo 0 > function_profile_enabled
echo 1 > function_profile_enabled
echo > trace
workload
run 'functions_in trace'
run 'cat trace_stat/function0'
echo 0 > function_profile_enabled

title 'Two instances and the function tracer, with filters that overlap'
run 'mkdir instances/reads instances/files'
run 'echo function > instances/reads/current_tracer'
run 'echo function > instances/files/current_tracer'
run "echo 'vfs_*'             > tracers/trace/set_ftrace_filter"
run "echo 'vfs_read *sys_read' > tracers/reads/set_ftrace_filter"
run "echo 'vfs_read vfs_statx' > tracers/files/set_ftrace_filter"
run 'cat set_ftrace_filter | grep -v "^\[ trace\]"'
run "grep -E '^(vfs_read|vfs_write|vfs_statx|${sys}_read) ' enabled_functions"
run 'cat function_mux'

title 'Each buffer holds its own functions and no other'
echo > trace
echo > instances/reads/trace
echo > instances/files/trace
workload
# A reader of a buffer calls vfs_read: the buffer would never come to its end.
echo 0 | tee tracing_on instances/*/tracing_on > /dev/null
run 'functions_in instances/reads/trace'
run 'functions_in instances/files/trace'
run 'functions_in trace'
run 'cat function_mux_check'

wrong=$(functions_in instances/reads/trace | grep -cvE ' (vfs_read|[a-z0-9_]*sys_read)$')
wrong=$((wrong + $(functions_in instances/files/trace | grep -cvE ' (vfs_read|vfs_statx)$')))
wrong=$((wrong + $(functions_in trace | grep -cvE ' vfs_')))
title "Functions in a buffer that are not in its tracer's filter: $wrong"
[ $wrong = 0 ]
