#!/bin/bash
# guest: KERNEL=mux SMP=2 TIMEOUT=7200 MODULES=1 FILES=selftests/mux ALLOW="Call Trace:"
# slow
#
# Each of many calls is in each buffer once: entries, overwritten, dropped and read events are exactly the calls, in
# rounds on all processors, with signals, interrupts and NMIs. In each round something else is done to the buffers: they
# wrap, are full, are read; one is resized, which records nothing meanwhile; another one is emptied, switched, snapshot
# and shrunk; all have another clock; or each call is interrupted at an instruction of the short way. Of the pages that
# are read, each event is well-formed, and no time goes back.
# On the kernel's command line:
#   mux.calls=N     calls on all processors together: 100,000,000 unless set
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh
# shellcheck source=selftests/mux/recording/buffers.sh
. /files/mux/recording/buffers.sh
calls=$(arg calls 100000000)
cpus=$(nproc)
fn=$(getppid_function)
I=/sys/module/mux_interrupt/parameters
insmod $modules/mux_interrupt.ko
echo 3 > $I/burst
body=function_trace_call
! grep -q ' ftrace_mux_record_group$' /proc/kallsyms || body=ftrace_mux_record_group
clocks=(global counter mono x86-tsc perf)

# disturb: what can be done to d, again and again
disturb()
{
	local n=0

	while :; do
		n=$((n + 1))
		# On stock too, the clock goes back if it is changed while an event is written. Emptying waits for those that are
		echo 0 > tracing_on
		echo > trace
		echo "${clocks[n % ${#clocks[@]}]}" > trace_clock
		echo local > trace_clock
		echo 1 > tracing_on
		echo $((n % 2 + 1)) > tracing_cpumask
		echo f > tracing_cpumask
		echo 1 > snapshot
		echo 1 > per_cpu/cpu$((n % cpus))/snapshot
		echo $((n % 3 * 64 + 64)) > buffer_size_kb
		echo > trace
	done 2> /dev/null
}

# Backtraces of all processors: NMIs that nobody chose the instruction of
nmis()
{
	while sleep 5; do
		echo l > /proc/sysrq-trigger
	done
}

# round KIND CALLS: of each processor
round()
{
	local kind=$1 n=$2 wanted got name extra pids=() offset=0 made=0

	for name in a b c d; do
		echo 64 > $T/instances/$name/buffer_size_kb
		echo 1 > $T/instances/$name/options/overwrite
		echo > $T/instances/$name/trace
	done
	case $kind in
	full) echo 0 > $T/instances/b/options/overwrite ;;
	clock)
		for name in a b c; do
			echo ${clocks[rounds % ${#clocks[@]}]} > $T/instances/$name/trace_clock
		done
		;;
	interrupted)
		while ! echo "$body+$((offset = (RANDOM << 15 | RANDOM) % 700))" > $I/at; do :; done 2> /dev/null
		echo 0 > $I/calls
		;;
	disturbed)
		cd $T/instances/d || exit
		disturb &
		pids+=($!)
		cd /
		;;
	esac
	[ $kind = clock ] || reading a
	$rb load "$n" "$cpus" 2000 > /dev/null &
	extra=$!
	if [ $kind = resized ]; then
		for name in 128 192 64 512; do
			echo $name > $T/instances/b/buffer_size_kb
			sleep 0.2
		done
	fi
	wait $extra
	[ ${#pids[@]} = 0 ] || { kill "${pids[@]}"; wait "${pids[@]}"; } 2> /dev/null
	if [ $kind = interrupted ]; then
		echo > $I/at
		read -r made < $I/calls
	fi
	wanted=$((n * cpus + made))
	if [ $kind != clock ]; then
		# shellcheck disable=SC2154 # set by reading()
		kill "$reader_a"
		wait "$reader_a" || { echo "# round $rounds ($kind): pages of a"; sed 's/^/# /' /tmp/a.read; bad=$((bad + 1)); }
		# A page that is full to its end has no room for the number of lost events
		[ $(($(found a events) + $(found a lost))) = $wanted ] || [ "$(found a unnumbered)" -gt 0 ] || {
			echo "# round $rounds ($kind): a: read $(found a events) and lost $(found a lost) of $wanted"
			bad=$((bad + 1))
		}
		events=$((events + $(found a events)))
		nmi=$((nmi + $(found a nmi)))
	fi
	for name in a b c; do
		got=$(recorded $name)
		[ "$got" != $wanted ] || continue
		[ "$kind $name" != 'resized b' ] || [ "$got" -gt $wanted ] || continue
		echo "# round $rounds ($kind, at $offset): $name: $got of $wanted"
		bad=$((bad + 1))
	done
	if [ $kind = clock ]; then
		for name in a b c; do
			echo local > $T/instances/$name/trace_clock
		done
	fi
	done_calls=$((done_calls + wanted))
}

new a "$fn"
new b "$fn"
new c "$fn"
new d
for name in a b c d; do
	[ $name = d ] || echo mi_fn >> $T/instances/$name/set_ftrace_filter
	start $name
done
# Everything is traced in d only while something is done to it
echo nop > $T/instances/d/current_tracer
nmis 2> /dev/null &
nmis=$!
rounds=0 bad=0 done_calls=0 events=0 nmi=0
each=$((calls / cpus / 40))
[ $each -gt 1000 ] || each=1000
while [ $done_calls -lt "$calls" ]; do
	for kind in wraps full resized clock interrupted disturbed; do
		n=$each
		[ $kind != interrupted ] || n=$((each / 20))
		[ $kind != disturbed ] || echo function > $T/instances/d/current_tracer
		round $kind "$n"
		echo nop > $T/instances/d/current_tracer
		rounds=$((rounds + 1))
	done
	echo "# $rounds rounds, $done_calls calls"
done
kill $nmis
wait $nmis 2> /dev/null
same "$done_calls calls in three buffers on $cpus processors, $events events read, $nmi in NMIs: all counted" 0 $bad
check 'the kernel never saw the clock go back' sh -c '! dmesg | grep "clock went backwards"'
gone a b c d
rmmod mux_interrupt
finish
