#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=300 MODULES=1
#
# Every tracer of the kernel under its name while it runs; names that are taken; the files of tracers/NAME; and
# `trace`, `trace_graph` and `trace_profile` at the same time, each with its own filter and each exact.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh
cd $T || exit 1
I=$T/instances

# names: the registered tracers in one line
names()
{
	tr '\n' ' ' < function_tracers
}

# in_trace DIR: function and number of lines, `function` and `function_graph` alike
in_trace()
{
	awk '!/^#/ && match($0, /mt_fn[0-9][0-9]/) { n[substr($0, RSTART, RLENGTH)]++; next }
		!/^#/ { n["other"]++ }
		END { for (f in n) print f, n[f] }' "$1/trace" | sort | tr '\n' ' '
}

# want COUNT FUNCTION...: what in_trace should say
want()
{
	local n=$1
	shift

	printf "mt_fn%s $n " "$@"
}

# A filter, so that registering is cheap; the latency tracers' own work does not depend on it
echo 'mt_fn0*' > set_ftrace_filter
for tracer in function:trace function_graph:trace_graph irqsoff preemptoff preemptirqsoff wakeup wakeup_rt wakeup_dl; do
	echo "${tracer%:*}" > current_tracer
	same "current_tracer=${tracer%:*} is ${tracer#*:}" "${tracer#*:} " "$(names | tr -d '*')"
	files='functions id set_ftrace_filter set_ftrace_notrace'
	[ "${tracer#*:}" = trace_graph ] && files="$files max_graph_depth set_graph_function set_graph_notrace"
	same "and has a directory ${tracer#*:}" "$(printf '%s\n' $files | sort)" "$(ls "tracers/${tracer#*:}")"
	same "${tracer#*:}: functions" "$(wc -l < set_ftrace_filter)" "$(cat "tracers/${tracer#*:}/functions")"
	check "${tracer#*:}: masks agree" masks_ok
	echo nop > current_tracer
done
echo 1 > options/display-graph
for tracer in irqsoff wakeup; do
	echo $tracer > current_tracer
	same "$tracer with display-graph" "$tracer " "$(names | tr -d '*')"
	echo nop > current_tracer
done
echo 0 > options/display-graph
echo 0 > options/function-trace
echo irqsoff > current_tracer
same 'irqsoff without function-trace traces no function' '' "$(names)"
echo nop > current_tracer
echo 1 > options/function-trace
echo 'mt_fn0*' > stack_trace_filter
echo 1 > /proc/sys/kernel/stack_tracer_enabled
same 'the stack tracer' 'trace_stack ' "$(names | tr -d '*')"
same 'its filter is stack_trace_filter' "$(cat stack_trace_filter)" "$(cat tracers/trace_stack/set_ftrace_filter)"
echo mt_fn05 > tracers/trace_stack/set_ftrace_filter
same 'and the other way round' 'mt_fn05 [mux_test]' "$(cat stack_trace_filter)"
echo 0 > /proc/sys/kernel/stack_tracer_enabled
echo > stack_trace_filter
echo 1 > function_profile_enabled
same 'the profiler' 'trace_profile ' "$(names | tr -d '*')"
echo 0 > function_profile_enabled
same 'nothing is left' '' "$(names)$(ls tracers)"

# Instances, also with the name of another tracer
mkdir $I/{foo,trace,irqsoff,trace_graph,foo-2}
echo 'mt_fn0*' | tee $I/*/set_ftrace_filter > /dev/null
echo function > $I/foo/current_tracer
same 'an instance' 'foo ' "$(names | tr -d '*')"
echo function_graph > $I/foo/current_tracer
same 'an instance with function_graph' 'foo ' "$(names | tr -d '*')"
echo function > $I/trace/current_tracer
same 'an instance called trace' 'foo trace-2 ' "$(names | tr -d '*')"
echo function > current_tracer
same 'while trace is itself' 'foo trace-2 *trace ' "$(names)"
echo nop > current_tracer
echo function_graph > current_tracer
echo irqsoff > $I/irqsoff/current_tracer 2> /dev/null || echo function > $I/irqsoff/current_tracer
echo function > $I/trace_graph/current_tracer
same 'instances called like tracers of the kernel' 'foo trace-2 trace_graph irqsoff-2 trace_graph-2 ' \
	"$(names | tr -d '*')"
tracer 1 "$(mask 7)" name=foo
tracer 2 "$(mask 8)" name=foo
echo function > $I/foo-2/current_tracer
same 'two modules and an instance of the same name' \
	'foo trace-2 trace_graph irqsoff-2 trace_graph-2 foo-2 foo-3 foo-2-2 ' "$(names | tr -d '*')"
same 'the directories are those names' "$(tr -d '*' < function_tracers | sort)" "$(cd tracers && printf '%s\n' * | sort)"
mt unreg 1
mt reg 1
same 'the same name when it comes back' 'foo-2' "$(tail -n 1 function_tracers | tr -d '*')"
same 'the filter of the second module' 'mt_fn08 [mux_test]' "$(cat tracers/foo-3/set_ftrace_filter)"
for t in $(names | tr -d '*'); do
	id=$(< tracers/"$t"/id)
	check "$t: id $id" grep -qxE '[0-7]|none' tracers/"$t"/id
	[ "$id" = none ] || grep -qE "^slot $id: used (.*,)?$t(,|$)" function_mux
	ok $? "$t: its slot"
done
same 'functions of a module with one' 1 "$(cat tracers/foo-3/functions)"
same 'functions of an instance with ten' 10 "$(cat tracers/trace-2/functions)"
echo > tracers/trace-2/set_ftrace_filter
same 'functions without a filter: all' "$(wc -l < available_filter_functions)" "$(cat tracers/trace-2/functions)"
echo 'mt_fn*' > tracers/trace-2/set_ftrace_notrace
same 'less those of notrace' "$(($(wc -l < available_filter_functions) - 32))" "$(cat tracers/trace-2/functions)"
echo mt_fn00 > tracers/trace-2/set_ftrace_filter
same 'filtered and excluded' 0 "$(cat tracers/trace-2/functions)"
check 'masks agree' masks_ok
mt free 1
mt free 2
for i in "$I"/*/; do
	echo nop > "$i/current_tracer"
	rmdir "$i"
done
echo nop > current_tracer

# The reserved names keep to their owners, even if another tracer comes first
insmod $modules/mux_user.ko name=trace filter=mt_fn00
same 'a module called trace' 'trace-2 ' "$(names | tr -d '*')"
rmmod mux_user
for name in a/b . ..; do
	insmod $modules/mux_user.ko name="$name" filter=mt_fn00 2> /dev/null
	same "a module with a name that cannot be a directory: $name" 1 $?
done
insmod $modules/mux_user.ko name='a,b' filter=mt_fn00
same 'what a list of names cannot hold becomes an underscore' 'a_b ' "$(names | tr -d '*')"
rmmod mux_user
for c in '$' '`' "'" '(' ')' '<' '>' '|' ';' '&' '\'; do
	insmod $modules/mux_user.ko name="a${c}b" filter=mt_fn00
	same "and so does what a shell runs: $c" 'a_b ' "$(names | tr -d '*')"
	rmmod mux_user
done
insmod $modules/mux_user.ko name="$(printf 'x%.0s' {1..300})" filter=mt_fn00
long=$(names | tr -d '* ')
same 'an over-long name is cut after 55 bytes, as ftrace-mux add says' "$(printf 'x%.0s' {1..55})" "$long"
check 'and has a directory' test -f "tracers/$long/id"
rmmod mux_user
for name in 'two words' '*star' 'a,b' 'a"$(b)' "$(printf 'y%.0s' {1..200})"; do
	mkdir "$I/$name"
	echo mt_fn00 > "$I/$name/set_ftrace_filter"
	echo function > "$I/$name/current_tracer"
	mt call 0 5
	same "an instance with any name traces: ${name:0:9}" 5 "$(grep -c 'mt_fn00 <-' "$I/$name/trace")"
	same 'and has a directory' "$(tr -d '*' < function_tracers)" "$(cd tracers && printf '%s\n' *)"
	echo nop > "$I/$name/current_tracer"
	rmdir "$I/$name"
done
same 'nobody is registered' '' "$(names)$(ls tracers)"

# Three tracers of the kernel at once, in both ways round, on overlapping filters
mkdir $I/other
for how in 'function function_graph' 'function_graph function'; do
	read -r top instance <<< "$how"
	echo 'mt_fn0[0-3]' > set_ftrace_filter
	echo 'mt_fn0[2-5]' > $I/other/set_ftrace_filter
	echo 1 > function_profile_enabled
	echo 'mt_fn0[1379]' > tracers/trace_profile/set_ftrace_filter
	echo "$top" > current_tracer
	echo "$instance" > $I/other/current_tracer
	tracer 0 "$(mask 3-6)"
	echo > trace
	echo > $I/other/trace
	mt reset
	mt call '*' 40
	same "$top next to $instance: exactly its own calls" "$(want 40 00 01 02 03)" "$(in_trace .)"
	same "$instance next to $top: exactly its own calls" "$(want 40 02 03 04 05)" "$(in_trace $I/other)"
	same "the profiler next to both: exactly its own" 'mt_fn01 40 mt_fn03 40 mt_fn07 40 mt_fn09 40 ' \
		"$(awk 'FNR > 2 { n[$1] += $2 } END { for (f in n) print f, n[f] }' trace_stat/function* | sort | tr '\n' ' ')"
	check 'a module next to all: exact' counts_exact 40
	check 'masks agree' masks_ok
	same "the filter of $top" 4 "$(wc -l < set_ftrace_filter)"
	mt free 0
	echo nop > current_tracer
	echo nop > $I/other/current_tracer
	echo 0 > function_profile_enabled
done
rmdir $I/other
echo > set_ftrace_filter
finish
