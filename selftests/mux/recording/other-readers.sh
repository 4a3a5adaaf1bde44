#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=600 MODULES=1 APPEND="reserve_mem=4M:4096:trace trace_instance=kept@trace"
#
# A group of three recorders writes each call once into each buffer, whatever takes the events from there: an export of
# the kernel, a dump on the console, a reader of one processor's part, of a buffer that is mapped, or of one in memory
# that survives a reboot; and when a processor goes off line and comes back.
# Also runs on the kernel stock.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh
# shellcheck source=selftests/mux/recording/buffers.sh
. /files/mux/recording/buffers.sh
I=$T/instances
fn=$(getppid_function)
calls=500
all=$((calls * 2))

# load PROCESSORS: calls on each of them
load()
{
	$rb load $calls "$1" 0 > /dev/null
}

# empty: all three buffers
empty()
{
	echo > $T/trace
	echo > $I/kept/trace
	echo > $I/c/trace
}

# all_have WHAT CALLS: each of the three buffers has these
all_have()
{
	local dir

	for dir in $T $I/kept $I/c; do
		same "$1: ${dir##*/}" "$2" "$(grep -c "$fn <-" "$dir/trace")"
	done
}

new c "$fn"
for dir in $T $I/kept; do
	echo "$fn" > "$dir/set_ftrace_filter"
	echo function > "$dir/current_tracer"
done
start c
grep -q ' ftrace_mux_record_group$' /proc/kallsyms &&
	check 'the three are a group' grep -qE '^stub .* group 0x[0-9a-f]+ \{trace,kept,c\}$' $T/function_mux

empty
load 2
all_have 'each call' $all
same 'in its part of the first processor' $calls "$(grep -c "$fn <-" $I/kept/per_cpu/cpu0/trace)"
same 'and as raw pages' "$all 0" "$($rb look $I/kept > /tmp/kept.read; echo "$(found kept events) $(found kept errors)")"

empty
insmod $modules/mux_export.ko
load 2
same 'each call is exported for each of them' "$((3 * all)) 0" "$(cd /sys/module/mux_export/parameters && paste -d ' ' events errors)"
all_have 'while it is exported' $all
rmmod mux_export

empty
load 2
dmesg -C
# For all processors, of the top level
echo z > /proc/sysrq-trigger
same 'the dump on the console' $all "$(dmesg | grep -c "$fn <-")"
echo 1 > $T/tracing_on

empty
$rb map $I/c > /tmp/mapped &
map=$!
for _ in $(seq 100); do
	! grep -q mapped /tmp/mapped || break
	sleep 0.02
done
check 'a buffer is mapped' grep mapped /tmp/mapped
reading c
load 2
read_by c
same 'all is read while it is mapped' "$all" "$(found c events)"
kill $map
wait $map 2> /dev/null

empty
echo 0 > /sys/devices/system/cpu/cpu1/online
load 1
echo 1 > /sys/devices/system/cpu/cpu1/online
load 2
all_have 'a processor has gone and come' $((3 * calls))

for dir in $T $I/kept; do
	echo nop > "$dir/current_tracer"
	echo > "$dir/set_ftrace_filter"
done
gone c
finish
