#!/bin/bash
# guest: KERNEL=mux SMP=2 TIMEOUT=900 MODULES=1 THREAD=single
# arch: x86_64
# slow
#
# The patches that make text poking cheap. Function tracing pokes exactly the sites that it is asked for, perf is
# told of each, and nothing but what was there before is left afterwards. Static keys (also with sites that lie on two
# pages), static calls (also conditional tail calls), probes, tracepoints, modules and function tracing patch the
# kernel at the same time, while the patched code runs, and all of it does what it should.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh

seconds=${SECONDS_PER_STEP:-20}
M=/sys/module/mux_poke/parameters
X=/sys/kernel/debug/mux_poke/text
stop=/tmp/poke-stop
nop5=0f1f440000

symbol()
{
	awk -v s="$1" '$3 == s { print "0x" $1 }' /proc/kallsyms
}

# tracers TRACER...: instances i1 and i2 each run this one on all functions
tracers()
{
	local i=0 tracer

	for tracer; do
		i=$((i + 1))
		echo "$tracer" > $T/instances/i$i/current_tracer || return
	done
}

# everything on|off: what has static keys or static calls in the kernel, and all function tracers
everything()
{
	if [ "$1" = on ]; then
		echo 1 > $T/events/enable && tracers function function
	else
		echo 0 > $T/events/enable && tracers nop nop
	fi
}

# The addresses of all functions in the kernel's text that can be traced
functions()
{
	awk -v from="${stext#0x}" -v to="${etext#0x}" '{ a = $1 "" } a >= from && a < to { print a }' \
		$T/available_filter_functions_addrs | sort
}

# calls_poked: all functions call what did nothing before, and return the same
calls_poked()
{
	awk -v nop=$nop5 '$2 == nop && $4 { print $1 }' $X | sort > /tmp/poked
	functions | diff - /tmp/poked || return
	[ "$(awk -v nop=$nop5 '$2 == nop && $4 { print $4 }' $X | sort -u | wc -l)" = 1 ]
}

# events_exact ON|OFF FILE: perf was told of all functions, each once, and what was there and is there now
events_exact()
{
	if [ "$1" = on ]; then
		awk -v nop=$nop5 '$3 == nop && $4 ~ /^e8/ { print $2 }' "$2"
	else
		awk -v nop=$nop5 '$4 == nop && $3 ~ /^e8/ { print $2 }' "$2"
	fi | awk -v from="${stext#0x}" -v to="${etext#0x}" '$1 "" >= from && $1 "" < to' | sort > /tmp/told
	functions | diff - /tmp/told
}

# events_linked FILE: the old bytes of an event are the new bytes of the event before it at that address. A breakpoint
# is reported as one byte, the jump that takes its place as five.
events_linked()
{
	sort -n "$1" | awk '
		NF < 4 { next }
		$2 in last {
			n = length($3) < length(last[$2]) ? length($3) : length(last[$2])
			if (substr($3, 1, n) != substr(last[$2], 1, n)) {
				print $2 ": " $3 ", but it was told " last[$2]
				bad = 1
			}
		}
		{ last[$2] = $4 substr(last[$2], length($4) + 1); pokes++ }
		END { print pokes + 0 " pokes of " length(last) " sites"; exit bad || !pokes }'
}

text_unchanged()
{
	[ ! -s $X ] && return
	head -n 20 $X
	return 1
}

# agent COMMAND: does it again and again until the stop file is there
agent()
{
	while [ ! -e $stop ]; do
		"$1" 2> /dev/null
	done &
}

agent_tracers()
{
	tracers function nop
	tracers function function
	tracers nop function
	tracers nop nop
}

agent_events()
{
	echo 1 > $T/events/enable
	echo 0 > $T/events/enable
}

agent_modules()
{
	insmod $modules/mux_target.ko
	rmmod mux_target
}

# Probes of the entry (with ftrace's help) and of what follows it: breakpoints first, jumps a moment later
agent_probes()
{
	local offset

	for offset in $offsets; do
		echo "p:poke/p$offset mux_poke:poke_probed+$offset" >> $T/kprobe_events
	done
	echo 1 > $T/events/poke/enable
	sleep 0.2
	grep -c 'OPTIMIZED' /sys/kernel/debug/kprobes/list >> /tmp/optimized
	echo 0 > $T/events/poke/enable
	echo > $T/kprobe_events
}

# The instructions of the probed function: where a probe is accepted
probe_offsets()
{
	local offset

	for offset in $(seq 0 30); do
		echo "p:poke/p mux_poke:poke_probed+$offset" > $T/kprobe_events && echo "$offset"
		echo > $T/kprobe_events
	done 2> /dev/null
}

under_load()
{
	local end=$((SECONDS + $1)) name

	rm -f $stop
	shift
	for name; do
		agent "agent_$name"
	done
	while [ $SECONDS -lt $end ]; do
		sleep 1
	done
	touch $stop
	wait
}

stext=$(symbol _stext)
etext=$(symbol _etext)
echo 0 > $T/tracing_on
mkdir $T/instances/i1 $T/instances/i2
echo 0 > $T/instances/i1/tracing_on
echo 0 > $T/instances/i2/tracing_on
check 'the module loads' insmod $modules/mux_poke.ko stext="$stext" etext="$etext"
check 'some of its sites cross a page' test "$(cat $M/crossing)" -gt 0
offsets=$(probe_offsets)
diag "$(cat $M/sites) sites of its key, $(cat $M/crossing) cross a page; probes at" $offsets

# What is switched on once and stays so is not what is looked for.
everything on
everything off
echo 1 > $X
check 'all off: the text is as it was' text_unchanged

for n in 1 2; do
	set -- function
	[ $n = 1 ] || set -- function function
	check "$n on everything: it starts" $modules/poke-events /tmp/events bash -c "
		for i in \$(seq $n); do echo function > $T/instances/i\$i/current_tracer; done"
	check "$n on everything: each function calls, and nothing else does" calls_poked
	[ $n = 2 ] || check "$n on everything: perf was told of each" events_exact on /tmp/events
	check "$n on everything: perf was told what was there" events_linked /tmp/events
	check "$n on everything: it ends" $modules/poke-events /tmp/events bash -c "
		for i in \$(seq $n); do echo nop > $T/instances/i\$i/current_tracer; done"
	[ $n = 2 ] || check "$n on everything: perf was told of the end of each" events_exact off /tmp/events
	check "$n on everything: the text is as it was" text_unchanged
done

toggles=$(cat $M/toggles)
under_load "$seconds" tracers events probes modules
everything off
diag "$(($(cat $M/toggles) - toggles)) times toggled, $(cat $M/reads) times run," \
	"up to $(sort -n /tmp/optimized | tail -n 1) probes with jumps"
check 'everything at once: what is patched does what it should' test "$(cat $M/errors)" = 0
check 'everything at once: it was patched' test "$(cat $M/toggles)" -gt $((toggles + 20))
check 'everything at once: some probes were jumps' grep -qv '^0$' /tmp/optimized
check 'everything at once: the text is as it was' text_unchanged

export -f under_load agent agent_tracers tracers agent_probes
export T M stop offsets
check 'perf follows: it is not overrun' $modules/poke-events /tmp/events bash -c 'under_load 5 tracers probes'
check 'perf follows: it is told what was there' events_linked /tmp/events
diag "$(events_linked /tmp/events | tail -n 1)"
check 'perf follows: the text is as it was' text_unchanged

check 'no error at the end' test "$(cat $M/errors)" = 0
rmmod mux_poke
rmdir $T/instances/i1 $T/instances/i2
finish
