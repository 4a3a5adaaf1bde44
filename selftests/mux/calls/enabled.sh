#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=300 MODULES=1
#
# kernel.ftrace_enabled off and on, with tracers that come and go in between, under load (invariant 7).
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh

enabled()
{
	# The oracle expects nothing while it is off, and everything again once it is on.
	[ "$1" = 1 ] || mt suspend 1
	echo "$1" > /proc/sys/kernel/ftrace_enabled || return
	[ "$1" = 0 ] || mt suspend 0
}

seen()
{
	grep -c ^count $D/stats
}

# Linux 7.3 refuses to switch it off, and says so
if ! echo 0 2> /dev/null > /proc/sys/kernel/ftrace_enabled && dmesg | grep -q 'no longer disables ftrace'; then
	skip 'kernel.ftrace_enabled' 'this kernel does not let it be 0'
	finish
fi
echo 1 > /proc/sys/kernel/ftrace_enabled

for id in 0 1 2 3 4 5 6 7 8; do
	mt add $id "$([ $((id % 3)) = 1 ] && echo regs)"
	mt ips $id "0xffff$((id + 1))f"
done
for id in 0 1 2 3; do
	mt reg $id
done
check 'switched off with four tracers' enabled 0
mt call '*' 10
same 'nothing is seen while it is off' 0 "$(seen)"
check 'masks agree while it is off' masks_ok
check 'a tracer comes while it is off' mt reg 4
check 'another one comes while it is off' mt reg 5
check 'a tracer goes while it is off' mt unreg 0
check 'another one goes while it is off' mt unreg 5
check 'a filter changes while it is off' mt ips 2 0xf0f
mt call '*' 10
same 'nothing is seen yet' 0 "$(seen)"
check 'switched on again' enabled 1
mt reset
mt call '*' 10
check 'exact counts for those that are there now' counts_exact 10
check 'masks agree' masks_ok
check 'all go while it is off: off' enabled 0
for id in 1 2 3 4; do
	mt unreg $id
done
check 'all go while it is off: on' enabled 1
check 'nothing is left' all_gone
for id in 0 1 2 3 4 5 6 7 8; do
	mt reg $id
done
mt reset
mt call '*' 10
check 'nine tracers afterwards: exact counts' counts_exact 10

toggled()
{
	local i

	mt reset
	mt load 2
	for ((i = 0; i < 20; i++)); do
		enabled 0 || return
		[ $((i % 3)) != 0 ] || mt unreg 1 || return
		[ $((i % 5)) != 0 ] || mt ips 2 "0xf${i}f" || return
		enabled 1 || return
		[ $((i % 3)) != 0 ] || mt reg 1 || return
	done
	mt load 0
	no_errors
}
check 'switched off and on 20 times under load: nothing lost while it is on' toggled
mt reset
mt call '*' 10
check 'exact counts after that' counts_exact 10
free_all
check 'nothing is left' all_gone

# --- A module that is loaded while it is off ---------------------------------------------------------------------

# Two tracers of everything, whose memory goes
calls_target()
{
	echo 5 > /sys/module/mux_target/parameters/call
}

traced()
{
	awk '/^tg_fn/ { n++ } END { print n + 0 }' $T/enabled_functions
}

everything()
{
	mkdir $T/instances/$1
	echo 0 > $T/instances/$1/tracing_on
	echo function > $T/instances/$1/current_tracer
}

for who in 'both go' 'one stays'; do
	everything a
	everything b
	enabled 0
	insmod $modules/mux_target.ko
	check "$who: masks agree with a module loaded while it is off" masks_ok
	calls_target
	echo nop > $T/instances/a/current_tracer
	[ "$who" = 'one stays' ] || echo nop > $T/instances/b/current_tracer
	check "$who: a function of it that nobody traces is called" calls_target
	same "$who: the text of none says that it is traced" 0 "$(traced)"
	enabled 1
	check "$who: masks agree" masks_ok
	same "$who: functions of the module that are traced now" "$([ "$who" = 'one stays' ] && echo 4 || echo 0)" \
		"$(traced)"
	echo 1 > $T/instances/b/tracing_on
	calls_target
	echo 0 > $T/instances/b/tracing_on
	same "$who: the calls are recorded" "$([ "$who" = 'one stays' ] && echo 5 || echo 0)" \
		"$(grep -c 'tg_fn2 <-' $T/instances/b/trace)"
	# The module goes while it is off
	enabled 0
	rmmod mux_target
	check "$who: masks agree when the module has gone" masks_ok
	enabled 1
	rmdir $T/instances/a $T/instances/b
	check "$who: nothing is left" all_gone
done
# --- A direct call that is moved in place, on and off ------------------------------------------------------------

P=/sys/module/mux_probes/parameters
insmod $modules/mux_probes.ko

# moves WHO: calls before and after each move; what is called is what the last move said
moves()
{
	local was now

	was="$(cat $P/direct) $(cat $P/moved)"
	mt call 4 1
	echo moved > $P/attach
	check "$1: moved, masks agree" masks_ok
	mt call 4 10
	enabled 0
	echo moved > $P/detach
	check "$1: back while it is off, masks agree" masks_ok
	mt call 4 1000
	enabled 1
	check "$1: on again, masks agree" masks_ok
	mt call 4 100
	enabled 0
	echo moved > $P/attach
	enabled 1
	mt call 4 20
	echo moved > $P/detach
	now="$(cat $P/direct) $(cat $P/moved)"
	same "$1: each call went to where it had been moved" "$((${was% *} + 101)) $((${was#* } + 30))" "$now"
}
mt add 0
mt ips 0 0x10
echo direct 4 > $P/attach
moves 'a direct call alone'
mt reg 0
moves 'next to a tracer'
same 'arguments were right' 0 "$(cat $P/wrong)"
check 'the tracer saw what it had to' no_errors
rmmod mux_probes
mt free 0
finish
