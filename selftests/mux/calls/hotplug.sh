#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=600 MODULES=1
#
# Processors go off and on line while tracers change their filters under load, and while three tracers trace the
# whole kernel, idle and hotplug paths included (invariant 7). Upstream: 4b3338aaa74d and the like, functions of the
# idle path traced, for which there is func_hotplug.tc.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh

cpu=/sys/devices/system/cpu/cpu1/online
[ -w $cpu ] || { skip 'processors off and on line' 'no second processor'; finish; }

hotplug()
{
	local i

	mt reset
	mt load 2
	mt timer 1
	for ((i = 0; i < $1; i++)); do
		echo 0 > $cpu || return
		mt ips 1 "0xf$((i % 10))f" || return
		mt ips 2 "0xff$((i % 10))0" || return
		echo 1 > $cpu || return
		mt unreg 2 && mt reg 2 || return
	done
	mt timer 0
	mt load 0
	no_errors
}

for id in 0 1 2 3; do
	tracer $id 0xffffff "$([ $id = 1 ] && echo regs)"
done
check 'a processor goes and comes while tracers change' hotplug 8
mt unreg 1
mt unreg 2
check 'the stable ones saw exactly all calls' counts_exact
mt reg 1
mt reg 2
check 'masks agree' masks_ok

for i in x y z; do
	mkdir $T/instances/$i
	echo 0 > $T/instances/$i/tracing_on
	echo function > $T/instances/$i/current_tracer
done
check 'a processor goes and comes with three whole-kernel tracers' hotplug 2
check 'masks agree with three whole-kernel tracers' masks_ok
rmdir $T/instances/[xyz]
finish
