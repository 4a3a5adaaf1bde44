# shellcheck shell=bash
# The time, with the grace periods in it, until the function tracer of an instance is attached or detached, on one
# function and on all, while N other instances trace everything. While the guest waits its clock runs: this is the
# guest's time, not only its instructions.

micros()
{
	muxbench write "$@" | awk '{ printf "%.0f\n", $1 / 1000 }'
}

topic_attach()
{
	local n what tracer=$T/instances/b8/current_tracer

	instances 8
	for n in 0 1 2 7; do
		for ((i = 1; i <= n; i++)); do
			echo function > "$T/instances/b$i/current_tracer"
		done
		for what in one all; do
			case $what in
			one) echo vfs_read ;;
			all) echo ;;
			esac > "$T/instances/b8/set_ftrace_filter"
			figure attach "attach $what N=$n" "$(micros "$tracer" function)" microseconds
			figure attach "detach $what N=$n" "$(micros "$tracer" nop)" microseconds
		done
	done
	remove_instances
}
