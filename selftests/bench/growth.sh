# shellcheck shell=bash
# Instructions of the writer of a change (CPU time) while there are many tracers: 48 that trace everything, eight of which
# have an ID, then 48 of which 43 have their own filters. The ring buffers are off.

# growth CASE INSTANCE FILE TEXT
growth()
{
	figure growth "$1" "$(muxbench write "$T/instances/b$2/$3" "$4" | awk '{ printf "%.2f", $2 / 1e6 }')" millions
}

# own CASE INSTANCE FILE TEXT: once what the last change left is clean; before that, call sites are patched, since that is
# cheaper than to wait
own()
{
	sleep 1
	growth "own filters: $1" "${@:2}"
}

# some_functions N: 100 functions, by their indexes, half of which the filter of N - 1 has too
some_functions()
{
	seq -s ' ' "$((1000 + $1 * 50))" "$((1099 + $1 * 50))"
}

topic_growth()
{
	local i one

	one=$(awk '$1 == "vfs_read" { print NR; exit }' "$T/available_filter_functions")
	instances 48
	for i in {1..48}; do
		case $i in
		9 | 24 | 48) growth "enable $i" "$i" current_tracer function ;;
		*) echo function > "$T/instances/b$i/current_tracer" ;;
		esac
	done
	for i in 1 48; do
		growth "all to one function: tracer $i of 48" "$i" set_ftrace_filter "$one"
		growth "one function to all: tracer $i of 48" "$i" set_ftrace_filter ''
	done
	for i in 48 24 9; do
		growth "disable $i" "$i" current_tracer nop
		echo function > "$T/instances/b$i/current_tracer"
	done

	for i in {6..48}; do
		some_functions "$i" > "$T/instances/b$i/set_ftrace_filter"
	done
	own 'disable one' 30 current_tracer nop
	own 'enable one' 30 current_tracer function
	own 'own to one function' 30 set_ftrace_filter "$one"
	own 'one function to all' 30 set_ftrace_filter ''
	own 'all to one function' 30 set_ftrace_filter "$one"
	own 'all to one function with an ID' 1 set_ftrace_filter "$one"
	own 'one function to all with an ID' 1 set_ftrace_filter ''
	remove_instances
}
