#!/bin/bash
# guest: KERNEL=mux ICOUNT=1 MEM=1500M TIMEOUT=600 MODULES=1
#
# A user of function graph gets the index of one that has gone while 20,000 tasks are in a function that was entered for
# that one. No processor stands still for it: interrupts are off for no longer than the longest text poke of stock takes
# (selftests/bench/accepted.csv: "enable 7: text poking", 12,058 instructions, nanoseconds here), and when all of them
# return, each return goes to the users that have seen the entry.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh

tasks=$(arg tasks 20000)
longest=12
echo $((tasks + 10000)) > /proc/sys/kernel/threads-max
insmod $modules/mux_graph.ko
for ((u = 0; u < 16; u++)); do
	mg filter $u 0x100000000 && mg reg $u
done
check "$tasks tasks" insmod $modules/mux_sleep.ko tasks="$tasks"
# The last of them may not have got there yet
sleep 1
same "are in the function" "$tasks,0" "$(seen 3 32)"
mg unreg 3
mg filter 3 0x1
# A grace period, so that what is measured has none to wait for
sleep 2

echo 0 > $T/options/function-trace
echo irqsoff > $T/current_tracer
echo 0 > $T/tracing_max_latency
mg reg 3
latency=$(cat $T/tracing_max_latency)
echo nop > $T/current_tracer
echo 1 > $T/options/function-trace
check "interrupts are off for at most $longest microseconds while the index changes hands: $latency" \
	[ "$latency" -le $longest ]
same 'its new owner traces something else' 15 \
	"$(sed -n 's/^msleep_interruptible .*{\(.*\)}.*/\1/p' $T/enabled_functions | grep -o graph_entry | wc -l)"
rmmod mux_sleep
same 'all have returned: the user that saw the entries sees the returns' "$tasks,$tasks" "$(seen 4 32)"
same 'the user that came later does not' "$tasks,0" "$(seen 3 32)"
for ((u = 0; u < 16; u++)); do
	mg unreg $u
done
rmmod mux_graph
finish
