#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=300 MODULES=1
#
# `:mod:` through every way there is to a tracer's filter, with the module loaded and with the module to come: the
# files at the top with each default, tracers/NAME/, an instance's own. What is written for one tracer is remembered
# for it, or refused; no other tracer's filter changes, and nobody is left without functions.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh
cd $T || exit 1

target()
{
	insmod $modules/mux_target.ko
}

# write WORDS FILE: the error, or nothing
write()
{
	{ echo "$1" > "$2"; } 2>&1 | sed 's/.*: //'
}

# words FILE: what is in it, without the names of modules
words()
{
	sed 's/ \[.*\]$//' "$1" | sort | paste -sd ' '
}

# all: each tracer's filter in one line, what waits for a module included
all()
{
	local t

	for t in trace foo bar trace_graph; do
		if [ $t = trace ]; then
			echo trace > function_tracers
			printf '%s: %s\n' trace "$(words set_ftrace_filter)"
		elif [ -e tracers/$t ]; then
			printf '%s: %s\n' $t "$(words tracers/$t/set_ftrace_filter)"
		fi
	done | paste -sd ';'
}

# start_all: four tracers, each with its own filter; bar is function_graph in an instance
start_all()
{
	local t

	for t in trace foo bar trace_graph; do
		if [ $t = trace ]; then
			echo trace > function_tracers
			echo vfs_read > set_ftrace_filter
		else
			echo vfs_write > tracers/$t/set_ftrace_filter
		fi
	done
}

# way NAME: TRACER FILE, with the default that it needs
way()
{
	case $1 in
	top:*) echo "${1#top:}" > function_tracers; echo set_ftrace_filter ;;
	dir:*) echo "tracers/${1#dir:}/set_ftrace_filter" ;;
	own:*) echo "instances/${1#own:}/set_ftrace_filter" ;;
	esac
}

mkdir instances/foo instances/bar
echo function > instances/foo/current_tracer
echo function_graph > instances/bar/current_tracer
echo function_graph > current_tracer
start_all
rest='trace: vfs_read;foo: vfs_write;bar: vfs_write;trace_graph: vfs_write'
same 'four tracers with filters of their own' "$rest" "$(all)"

# changed TRACER FILTER: what `all` says then
changed()
{
	sed "s/\(^\|;\)$1: [^;]*/\1$1: $2/" <<< "$rest"
}

ways='top:trace top:foo top:bar top:trace_graph dir:foo dir:bar dir:trace_graph own:foo own:bar'
target
for w in $ways; do
	start_all
	same "$w: a loaded module is taken" '' "$(write 'tg_fn1:mod:mux_target' "$(way $w)")"
	same "$w: its function is in this filter only" "$(changed ${w#*:} tg_fn1)" "$(all)"
done
rmmod mux_target

for w in $ways; do
	start_all
	: > error_log
	error=$(write '*:mod:mux_target' "$(way $w)")
	case $w in
	*:trace_graph)
		same "$w: a module to come is refused" 'No such device' "$error"
		check "$w: error_log says why" grep -q 'error: Load the module first' error_log
		same "$w: no filter has changed" "$rest" "$(all)"
		target
		same "$w: and none when it comes" "$rest" "$(all)"
		;;
	*)
		same "$w: a module to come is remembered" '' "$error"
		same "$w: for this filter only" "$(changed ${w#*:} '*:mod:mux_target')" "$(all)"
		target
		same "$w: then it has its functions" "$(changed ${w#*:} 'tg_fn0 tg_fn1 tg_fn2 tg_fn3')" "$(all)"
		;;
	esac
	rmmod mux_target
done

# A write that fails takes back what it has emptied
for f in set_ftrace_filter instances/foo/set_ftrace_filter instances/foo/set_ftrace_notrace; do
	echo trace > function_tracers
	printf 'tg_fn0:mod:mux_target\ntg_fn1:mod:mux_target\n' > $f
	before=$(words $f)
	{ echo nosuch > $f; } 2> /dev/null
	same "$f: a write that fails leaves what it waits for" "$before" "$(words $f)"
	{ echo 'tg_fn3:mod:mux_target nosuch' > $f; } 2> /dev/null
	same "$f: also one that fails in the middle" "$before" "$(words $f)"
	target
	same "$f: and it comes" 'tg_fn0 tg_fn1' "$(words $f)"
	rmmod mux_target
	echo > $f
done

# What somebody else has added with success meanwhile stays
for f in set_ftrace_filter instances/foo/set_ftrace_filter instances/foo/set_ftrace_notrace; do
	echo 'tg_fn0:mod:mux_target' > $f
	exec 5> $f
	echo 'tg_fn1:mod:mux_target' >> $f
	{ echo 'tg_fn3:mod:mux_target nosuch' >&5; } 2> /dev/null
	exec 5>&-
	same "$f: two writers, one of whom fails" 'tg_fn0:mod:mux_target tg_fn1:mod:mux_target' \
		"$(grep -v '^#' $f | sort | paste -sd ' ')"
	echo > $f
done
# The write is right, but its tracer has gone when the file is closed
echo 'tg_fn0:mod:mux_target' > instances/foo/set_ftrace_filter
exec 5> tracers/foo/set_ftrace_filter
echo nop > instances/foo/current_tracer
{ exec 5>&-; } 2> /dev/null
same 'the tracer has gone at close: its filter waits as before' 'tg_fn0:mod:mux_target' \
	"$(words instances/foo/set_ftrace_filter)"
echo > instances/foo/set_ftrace_filter
echo function > instances/foo/current_tracer

# function_graph at the top has no list of its own, and that of the function tracer is not its to empty or to show
start_all
echo trace > function_tracers
echo 'tg_fn2:mod:mux_target' >> set_ftrace_filter
rest=$(all)
echo vfs_write > tracers/trace_graph/set_ftrace_filter
echo > tracers/trace_graph/set_ftrace_notrace
same 'what trace waits for outlives a rewrite of trace_graph' "$rest" "$(all)"
same '! in the file of trace_graph' 'No such device' "$(write '!*:mod:mux_target' tracers/trace_graph/set_ftrace_filter)"
same 'does not take it back either' "$rest" "$(all)"
target
same 'and comes to trace' 'trace: tg_fn2 vfs_read;foo: vfs_write;bar: vfs_write;trace_graph: vfs_write' "$(all)"
rmmod mux_target

echo nop > current_tracer
echo > set_ftrace_filter
rmdir instances/foo instances/bar

# The profiler follows the filter of trace until it gets its own
echo 'tg_fn3:mod:mux_target' > set_ftrace_filter
echo 1 > function_profile_enabled
profile=tracers/trace_profile
same 'a follower of a filter that waits: excluding is refused' 'Device or resource busy' \
	"$(write schedule $profile/set_ftrace_notrace)"
check 'and error_log says what to do' grep -q 'error: The filter that it follows waits for a module' error_log
{ echo vfs_read >> $profile/set_ftrace_filter; } 2> /dev/null
same 'nor is anything added' 'tg_fn3:mod:mux_target 0' "$(cat set_ftrace_filter $profile/functions | paste -sd ' ')"
target
same 'the module comes: the follower has its function' 1 "$(cat $profile/functions)"
same 'and can go its own way now' '' "$(write schedule $profile/set_ftrace_notrace)"
same 'with the filter that it had' tg_fn3 "$(words $profile/set_ftrace_filter)"
rmmod mux_target
echo 0 > function_profile_enabled
echo > set_ftrace_filter
echo nop > current_tracer
check 'nothing is left in the text' all_gone
finish
