# shellcheck shell=bash
# Instructions of filters by name and of reading the functions, while none, one or seven tracers run on everything,
# none of which has the filter that is written. The ring buffers are off.

# cost CASE FILE [TEXT]: thousands of instructions of CPU time to write the filter, or to read the file
cost()
{
	local what=$1
	shift

	figure filter "$what" "$(muxbench cpu "$@" | awk '{ printf "%.0f\n", $1 / 1e3 }')" thousands
}

filter_costs()
{
	local f=$T/instances/b8/set_ftrace_filter

	cost "one exact name N=$1" "$f" vfs_read
	cost "four exact names N=$1" "$f" 'vfs_read vfs_write schedule do_nanosleep'
	cost "vfs_* N=$1" "$f" 'vfs_*'
	cost "*read* N=$1" "$f" '*read*'
	cost "show the filter N=$1" "$f"
	cost "all functions but one N=$1" "$f" '!vfs_read'
	cost "read available_filter_functions N=$1" "$T/available_filter_functions"
	cost "show enabled_functions N=$1" "$T/enabled_functions"
}

topic_filter()
{
	local n running=0

	instances 8
	for n in 0 1 7; do
		while [ "$running" -lt "$n" ]; do
			running=$((running + 1))
			echo function > "$T/instances/b$running/current_tracer"
		done
		sleep 1
		filter_costs "$n"
	done
	remove_instances
}
