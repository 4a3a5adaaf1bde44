# shellcheck shell=bash
# Instructions of switching tracers on and off on all functions and of changing the filter of one of N such tracers:
# all of them until it is done, in which much is waiting for RCU, and those of the writer, `CPU`. The ring buffers are
# off: they would otherwise record the traced calls that the patcher makes.

b1=$T/instances/b1

# waits: of all updates so far, for a stub that call sites have left
waits()
{
	[ ! -e "$T/function_mux" ] || sed -n 's/^all updates: .* \([0-9]*\) waits$/\1/p' "$T/function_mux"
}

# change CASE FILE TEXT: a step in which an update waits has no figure of the whole
change()
{
	local before after figures

	before=$(waits)
	figures=$(muxbench write "$2" "$3" | awk '{ printf "%.2f %.2f\n", $1 / 1e6, $2 / 1e6 }')
	after=$(waits)
	figure retarget "$1 CPU" "${figures#* }" millions
	if [ "$before" = "$after" ]; then
		figure retarget "$1" "${figures% *}" millions
	else
		figure retarget "$1 with a wait" "${figures% *}" millions
		waited=$((waited + 1))
	fi
}

filter_changes()
{
	local f=$b1/set_ftrace_filter

	change "all to vfs_* N=$1" "$f" 'vfs_*'
	change "vfs_* to $others N=$1" "$f" "$others"
	change "$others to all N=$1" "$f" ''
	change "all to one function N=$1" "$f" "$one"
	change "one function to all N=$1" "$f" ''
}

# What an unregistering takes at best, and how much that varies. It waits for a grace period of RCU tasks, whose thread
# rests for 0.1 seconds after each, and looks again only after 0.1 seconds at a task that it finds running or just about to
# sleep, be it the thread of RCU itself. Both are chance: so this is measured often, with and without the rest.
waiting()
{
	local pause i

	for pause in 0 0 0 0 .13 .17; do
		for i in 8 7 6 5 4 3; do
			sleep "$pause"
			muxbench write "$T/instances/b$i/current_tracer" nop
		done
		for i in 3 4 5 6 7 8; do
			echo function > "$T/instances/b$i/current_tracer"
		done
	done | awk '
		NR == 1 || $1 < least { least = $1 }
		$1 > most { most = $1 }
		END {
			printf "retarget,disable at best,%.2f,millions\n", least / 1e6
			printf "retarget,disable varies,%.2f,millions\n", (most - least) / 1e6
		}'
}

topic_retarget()
{
	local i one waited=0 others='tcp_*'

	# The kernel may be one without networks.
	grep -q '^tcp_' "$T/available_filter_functions" || others='mem*'
	# By its index, which needs no search among the names
	one=$(awk '$1 == "vfs_read" { print NR; exit }' "$T/available_filter_functions")
	instances 8
	for ((i = 1; i <= 8; i++)); do
		change "enable $i" "$T/instances/b$i/current_tracer" function
		case $i in
		1 | 2 | 7 | 8) filter_changes "$i" ;;
		esac
	done
	waiting
	change 'disable first of 8' "$T/instances/b8/current_tracer" nop
	change 'disable first of 7' "$b1/current_tracer" nop
	for ((i = 2; i <= 7; i++)); do
		change "disable next of $((8 - i))" "$T/instances/b$i/current_tracer" nop
	done
	figure retarget 'steps that waited' "$waited" steps
	remove_instances
}
