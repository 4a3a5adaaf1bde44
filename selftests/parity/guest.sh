# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What the scenarios of this directory share; sourced in the guest. A scenario runs unchanged on the stock and on
# the mux kernel and prints a transcript that has to be the same on both: sections, each begun with `== NAME`. The
# lines `ok - ...` and `not ok - ...` are checks that each kernel has to pass by itself. ../parity/host.sh compares.

T=/sys/kernel/tracing
modules=/files/mux-modules

section()
{
	printf '== %s\n' "$*"
}

# check STATUS DESCRIPTION
check()
{
	[ "$1" = 0 ] && echo "ok - $2" || echo "not ok - $2"
}

is_mux()
{
	[ -e $T/function_mux ]
}

# Of what a program prints only what does not depend on time, place and process remains.
normalise()
{
	sed -E -e '/^ *CPU ?[0-9]+|^CPU[0-9]+ data recorded|bytes in size|^ *[0-9]+ bytes/d' \
		-e 's/0x[0-9a-f]+/0xX/g; s/\[<?[0-9a-f]{16}>?\]/[X]/g; s/ffffffff[0-9a-f]{8}/X/g'
}

# say COMMAND...: the command as the transcript has it, with PID for the number in the variable pid
say()
{
	printf '$ %s\n' "${*//${pid:-no pid}/PID}"
}

# run COMMAND...: the command, what it prints, its exit status
run()
{
	local status

	say "$@"
	"$@" > /tmp/run.out 2>&1 < /dev/null
	status=$?
	normalise < /tmp/run.out
	echo "exit status $status"
}

# quiet COMMAND...: the same without what it prints
quiet()
{
	local status

	say "$@"
	"$@" > /tmp/run.out 2>&1 < /dev/null
	status=$?
	echo "exit status $status"
	[ $status = 0 ] || normalise < /tmp/run.out
}

# by_function: number of lines per function of the test module in a trace (text on standard input), function and
# function_graph alike, and of the other lines whether there are any
by_function()
{
	awk '/^#/ || /^cpus=/ || NF == 0 { next }
		match($0, /mt_fn[0-9][0-9]/) {
			f = substr($0, RSTART, RLENGTH)
			if ($0 !~ /\/\* *mt_fn/) n[f]++
			next
		}
		{ other = 1 }
		END {
			for (f in n) print f, n[f] | "sort"
			close("sort")
			if (other) print "and other lines"
		}'
}

# Two tracers that run all the time while the scenario runs; everything that calls the functions of
# the test module does so through workload.sh, which counts the rounds.
background_start()
{
	mkdir $T/instances/bg1 $T/instances/bg2
	echo 'mt_fn0[0-7]' > $T/instances/bg1/set_ftrace_filter
	echo 'mt_fn*' > $T/instances/bg2/set_ftrace_filter
	echo 'mt_fn[12]?' > $T/instances/bg2/set_ftrace_notrace
	for i in bg1 bg2; do
		echo 2048 > $T/instances/$i/buffer_size_kb
		echo function > $T/instances/$i/current_tracer
	done
	: > /tmp/rounds
}

background_lines()
{
	local wanted=$1 f
	shift

	for f; do
		[ "$wanted" = 0 ] || echo "mt_fn$f $wanted"
	done
}

# background_check DESCRIPTION: both buffers hold each call since the last check and no other line
background_check()
{
	local calls

	calls=$(awk '{ n += $1 } END { print n + 0 }' /tmp/rounds)
	: > /tmp/rounds
	[ "$(by_function < $T/instances/bg1/trace)" = "$(background_lines "$calls" 0{0..7})" ] &&
		[ "$(by_function < $T/instances/bg2/trace)" = "$(background_lines "$calls" 0{0..9} 30 31)" ]
	check $? "$1: two other tracers saw each of $calls calls"
	echo > $T/instances/bg1/trace
	echo > $T/instances/bg2/trace
	! is_mux || grep -q '^ok:' $T/function_mux_check
	check $? "$1: masks, records and text agree"
}

background_stop()
{
	echo nop > $T/instances/bg1/current_tracer
	echo nop > $T/instances/bg2/current_tracer
	rmdir $T/instances/bg1 $T/instances/bg2
}

# Lines of enabled_functions and touched_functions: function, users and flags; no addresses, and not who is called
record_lines()
{
	sed -E -e '/enabled_functions:|touched_functions:/ {' -e 's/\tmux: 0x[0-9a-f]+ \{.*$//; s/->.*$//' \
		-e 's/\t*(tramp|ops|direct|subops): ?.*$//; s/[ \t]+$//' -e '}'
}

# The files whose content changes by itself or with the clock; those that stock has not; those too long to be
# compared each time
readonly not_state='trace trace_pipe snapshot free_buffer trace_marker trace_marker_raw saved_cmdlines saved_tgids
	printk_formats README available_filter_functions available_filter_functions_addrs available_events eval_map
	kprobe_profile uprobe_profile function_tracers function_mux function_mux_check function-mux error_log
	touched_functions stack_max_size stack_trace tracing_max_latency last_boot_info'

# Many functions are shown as their number. Parts that the compiler has split from functions do not count: they
# differ when the code of the function differs.
enabled_count()
{
	awk '/^\.\/enabled_functions:/ { line[n++] = $0; parts += /\.part\.[0-9]/; next }
		{ print }
		END { if (n > 1000) print n - parts " functions enabled"; else for (i = 0; i < n; i++) print line[i] }'
}

# dyn_ftrace_total_info: as many functions as can be traced, by the same rule, and without times
total_info()
{
	sed -E -e '/dyn_ftrace_total_info:ftrace .* time = /d' \
		-e "s/(dyn_ftrace_total_info:)[0-9]+/\1$(grep -vc '\.part\.[0-9]' $T/available_filter_functions)/"
}

# The state that a program leaves: the stock files of tracefs, each line with the name of its file
state()
{
	local name not=()

	for name in $not_state; do
		not+=(! -name "$name")
	done
	(cd $T && find . \( -name events -o -name per_cpu -o -name trace_stat -o -name tracers -o -name rv \) -prune -o \
		-type f "${not[@]}" -print | sort | xargs grep -H '' 2> /dev/null) |
		grep -vE 'trace_options:(no)?function-mux$|instances/[^/]*/(set_graph_(function|notrace)|max_graph_depth):' |
		record_lines | enabled_count | total_info
	echo "ftrace_enabled: $(cat /proc/sys/kernel/ftrace_enabled)"
	echo "stack_tracer_enabled: $(cat /proc/sys/kernel/stack_tracer_enabled)"
}

# Everything as it was in the beginning
clean_slate()
{
	local i

	for i in "$T"/instances/*/; do
		[ ! -d "$i" ] || { echo nop > "$i/current_tracer"; rmdir "$i"; }
	done
	echo nop > $T/current_tracer
	for i in set_ftrace_filter set_ftrace_notrace set_ftrace_pid set_graph_function set_graph_notrace set_event; do
		echo > $T/$i
	done
	echo > $T/trace
	echo 1 > $T/tracing_on
}

cd /tmp || exit
[ ! -d $modules ] || insmod $modules/mux_test.ko || exit
