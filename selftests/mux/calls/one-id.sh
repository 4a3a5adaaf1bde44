#!/bin/bash
# guest: KERNEL=small SMP=2 THREAD=single TIMEOUT=300 MODULES=1
# slow
#
# A kernel with one ID and two stubs: stubs run out, and what finds none is traced by ftrace's list function.
# The counts are as exact as with more, under load too.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh

same 'one ID' 'ids: 1' "$(head -n 1 $T/function_mux)"
for id in 0 1 2 3; do
	tracer $id 0xff "$([ $id = 3 ] && echo regs)"
done
same 'one of four tracers has the ID' 1 "$(grep -c '^slot 0: used' $T/function_mux)"
same 'three have none' 3 "$(grep -c '^no ID:' $T/function_mux)"
mt reset
mt load 2
mt timer 1
RANDOM=3
for ((round = 0; round < 60; round++)); do
	for id in 0 1 2 3; do
		mt ips $id "$(printf 0x%x $((RANDOM << 17 ^ RANDOM << 8 ^ RANDOM | 1)))"
	done
done
same 'both stubs are used' 'stubs: 2 used' "$(grep -o '^stubs: [0-9]* used' $T/function_mux)"
mt timer 0
mt load 0
check 'nothing lost, nothing twice' no_errors
check 'masks agree' masks_ok
mt reset
mt call '*' 20
check 'exact counts' counts_exact 20
free_all

# --- A grace period that ends while a module is being loaded -----------------------------------------------------

# Two tracers of functions that are not there yet: the module's. Neither has the ID, so they want a list
K=/sys/module/mux_kprobe/parameters
insmod $modules/mux_kprobe.ko
tracer 0 0x0f
for i in a b; do
	mkdir $T/instances/$i
	echo '*' > $T/instances/$i/set_ftrace_notrace
	echo function > $T/instances/$i/current_tracer
done
# One stub is in use, and the other one has just been left
tracer 1 0x100
mt ips 0 0x10f
same 'both stubs are used' 'stubs: 2 used, 0 clean' "$(grep '^stubs:' $T/function_mux)"
# No grace period ends while a task does not leave the kernel
mt call 31 100000000 &
busy=$!
mt ips 0 0x0f
same 'one has been left' 'stubs: 1 used, 0 clean' "$(grep '^stubs:' $T/function_mux)"
# After the address has been chosen, before the record is updated
echo ftrace_get_addr_curr > $K/pause
insmod $modules/mux_target.ko &
for ((i = 0; i < 300; i++)); do
	[ "$(cat $K/paused)" = N ] || break
	sleep 0.1
done
same 'the module is being loaded' Y "$(cat $K/paused)"
kill -9 $busy
sleep 3
echo > $K/pause
wait
check 'the module is loaded: text and records agree' masks_ok
# What has become clean is used after the module
same 'none of its functions has found a stub' 0 "$(grep -c '^tg_fn.*mux:' $T/enabled_functions)"
echo 0 > /proc/sys/kernel/ftrace_enabled
check 'switched off: text and records agree' masks_ok
echo 1 > /proc/sys/kernel/ftrace_enabled
check 'and on: text and records agree' masks_ok
echo 7 > /sys/module/mux_target/parameters/call
for i in a b; do
	echo 0 > $T/instances/$i/tracing_on
	same "instance $i has seen the calls" 28 "$(grep -c 'tg_fn[0-3] <-' $T/instances/$i/trace)"
done
echo 1 > $T/instances/a/tracing_on
echo nop > $T/instances/b/current_tracer
check 'a tracer goes: text and records agree' masks_ok
echo nop > $T/instances/a/current_tracer
rmdir $T/instances/a $T/instances/b
rmmod mux_target
rmmod mux_kprobe
finish
