#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=900 MODULES=1
#
# The short way into the ring buffer, and a reader, interrupted in front of each of their instructions, one after the
# other: by an NMI that writes one event into the same buffers, and by one that fills a page. Each buffer has all
# events, well-formed and in order, and each can be read once the call has returned.
# Also runs on the kernels stock and alone, where the reader loses events by a fault of stock's own.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh
# shellcheck source=selftests/mux/recording/buffers.sh
. /files/mux/recording/buffers.sh
I=/sys/module/mux_interrupt/parameters
insmod $modules/mux_interrupt.ko
fn=$(getppid_function)

# size_of SYMBOL: bytes up to the next one
size_of()
{
	sort /proc/kallsyms | awk -v s="$1" '
		found && $1 != at { print $1; exit }
		$3 == s && !found { at = $1; found = 1; print at }' | {
		read -r from
		read -r to
		echo $((0x$to - 0x$from))
	}
}

# look_says: sets events to what a reader has said in /tmp/look, without another process
look_says()
{
	local key value

	events=0
	while read -r key value; do
		[ "$key" != events ] || events=$value
	done < /tmp/look
}

# all_there TIMES NAME...: does each of these have TIMES events of each call, all of them readable?
all_there()
{
	local name calls events status

	read -r calls < $I/calls
	for name in "${@:2}"; do
		$rb look $T/instances/"$name" > /tmp/look
		status=$?
		look_says
		[ $status = 0 ] && [ "$events" = $(($1 * (7 + calls))) ] && continue
		echo "# $name: $events events of $((7 + calls)) calls, recorded $(recorded "$name")"
		sed 's/^/# /' /tmp/look
		return 1
	done
}

# interrupt TIMES SYMBOL NAME...: each instruction of the function, while these record
interrupt()
{
	local offset size hits at=0 wrong=0 name

	grep -qE " $2$" /proc/kallsyms || { echo "# no $2 here"; return; }
	size=$(size_of "$2")
	for ((offset = 0; offset < size; offset++)); do
		echo "$2+$offset" > $I/at || continue
		for name in "${@:3}"; do
			echo > $T/instances/"$name"/trace
		done
		echo 0 > $I/calls
		# The first event of a buffer takes the long way
		$rb load 7 1 0 > /dev/null
		read -r hits < $I/hits
		[ "$hits" -ge 6 ] || continue
		at=$((at + 1))
		all_there "$1" "${@:3}" && continue
		echo "# interrupted at $2+$offset"
		wrong=$((wrong + 1))
	done 2> /dev/null
	echo > $I/at
	interrupted=$((interrupted + at))
	same "$2: $at instructions interrupted, with all events" 0 $wrong
}

# interrupt_reader NAME: each instruction that a reader comes to five times and more when it looks for the next page,
# while writers fill a page of the buffer that it reads. It gets all events
interrupt_reader()
{
	local symbol offset size hits calls events most status at=0 wrong=0

	symbol=$(awk '$3 ~ "^(__)?rb_get_reader_page$" { print $3 }' /proc/kallsyms | sort | head -n 1)
	size=$(size_of "$symbol")
	read -r most < $I/most
	echo 10 > $I/most
	for ((offset = 0; offset < size; offset++)); do
		echo > $T/instances/"$1"/trace
		$rb load 7 1 0 > /dev/null
		echo 0 > $I/calls
		echo "$symbol+$offset" > $I/at || continue
		taskset -c 0 $rb read $T/instances/"$1" 0 > /tmp/look &
		sleep 0.1
		kill $!
		wait $!
		status=$?
		read -r hits < $I/hits
		read -r calls < $I/calls
		[ "$hits" -ge 5 ] || continue
		at=$((at + 1))
		look_says
		[ $status = 0 ] && [ "$events" = $((7 + calls)) ] && continue
		echo "# interrupted at $symbol+$offset: status $status, $events events of $((7 + calls)) calls"
		wrong=$((wrong + 1))
	done 2> /dev/null
	echo > $I/at
	echo "$most" > $I/most
	interrupted=$((interrupted + at))
	same "$symbol: $at instructions interrupted, with all events" 0 $wrong
	check "$symbol: at more than 30" [ $at -gt 30 ]
}

new a "$fn"
new b "$fn"
for name in a b; do
	echo mi_fn >> $T/instances/$name/set_ftrace_filter
	start $name
done
interrupted=0
interrupt 1 ftrace_mux_record_group a b
gone b
interrupt 1 function_trace_call a
interrupt_reader a
start a nop
start a function_graph
for name in trace_graph_entry __trace_graph_entry trace_graph_return __trace_graph_return; do
	interrupt 2 $name a
done
check "$interrupted instructions were interrupted" [ $interrupted -gt 300 ]
same 'each in the context of an NMI' 0 "$(cat $I/no_nmi)"
gone a
rmmod mux_interrupt
finish
