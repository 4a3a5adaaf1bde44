#!/bin/bash
# guest: KERNEL=mux THREAD=single TIMEOUT=300 APPEND=trace_options=function-mux
#
# The session of the RFC (Jiri Olsa, 29 April 2011), command by command, with each output as it stands there and
# today's symbols for sys_read and sys_write. Then the tracers do what it says.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh
cd $T || exit 1

session='# echo function > current_tracer
# cat function_tracers
*trace
# echo 1 > function_profile_enabled
# cat function_tracers
trace
*trace_profile
# cat set_ftrace_filter
[ trace] #### all functions enabled ####
[ trace_profile] #### all functions enabled ####
# echo __x64_sys_read > set_ftrace_filter
# cat set_ftrace_filter
[ trace] #### all functions enabled ####
[ trace_profile] __x64_sys_read
# echo trace > function_tracers
# cat function_tracers
*trace
trace_profile
# echo __x64_sys_write > set_ftrace_filter
# cat set_ftrace_filter
[ trace] __x64_sys_write
[ trace_profile] __x64_sys_read'

session=${session//__x64_sys/$sys}

# Run the commands of the transcript and print it with what they print
replay()
{
	local line

	while IFS= read -r line; do
		case $line in
		'# '*)
			printf '%s\n' "$line"
			eval "${line#\# }" 2>&1
			;;
		esac
	done <<< "$session"
}

replay > /tmp/played
check 'each command of the session prints what the RFC says' \
	diff <(printf '%s\n' "$session") /tmp/played
check 'masks agree with the filters and the text' masks_ok

# What the buffer and the statistics hold, function by function
traced()
{
	sed -n '/^#/!s/.*: \([^ ]*\) <-.*/\1/p' trace | sort -u
}
profiled()
{
	awk 'FNR > 2 { print $1 }' trace_stat/function* | sort -u
}

# The profile starts afresh when it is enabled; its filter stays
echo 0 > function_profile_enabled
echo 1 > function_profile_enabled
echo > trace
dd if=/dev/zero of=/dev/null bs=1 count=100 2> /dev/null
ls -lR /sys/kernel/tracing/events/sched > /dev/null
echo 0 > tracing_on
same "the buffer holds ${sys}_write and nothing else" "${sys}_write" "$(traced)"
same "the statistics hold ${sys}_read and nothing else" "${sys}_read" "$(profiled)"

writes=$(grep -c "${sys}_write <-" trace)
check "and all of it: $writes of 100 calls or more" test "$writes" -ge 100
hits=$(awk -v f="${sys}_read" '$1 == f { n += $2 } END { print n + 0 }' trace_stat/function*)
check "and all of it: $hits of 100 hits or more" test "$hits" -ge 100

echo 1 > tracing_on
echo 0 > function_profile_enabled
same 'the default goes back to the tracer that remains' '*trace' "$(cat function_tracers)"
echo nop > current_tracer
same 'no tracer, no line' '' "$(cat function_tracers)"
echo > set_ftrace_filter
check 'nothing is left in the text' all_gone
finish
