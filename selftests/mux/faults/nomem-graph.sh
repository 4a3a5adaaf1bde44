#!/bin/bash
# guest: KERNEL=debug SMP=2 THREAD=single TIMEOUT=1800 MODULES=1
# slow
#
# nomem.sh for users of function graph, which have a return stack for each task: each allocation that a change makes
# fails once. A change that is refused has changed nothing, and a user that unregisters is gone even then.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh
# shellcheck source=selftests/mux/faults/fail-allocations.sh
. /files/mux/faults/fail-allocations.sh
module=mg

exact()
{
	local f

	mg reset
	for f in 0 1 2 3 4 5 6 7; do
		mg call $f 1 || return
	done
	graph_ok
}

insmod $modules/mux_graph.ko
mg filter 0 0x0f
mg filter 1 0x3c
mg filter 2 0xf0
check 'the first user of function graph is registered' each_fails any 'unreg 0' reg 0
mg reg 0
check 'its filter changes' each_fails refused 'filter 0 0x0f' filter 0 0x33
check 'a second one is registered' each_fails any 'unreg 1' reg 1
mg reg 1
check 'a third one is registered' each_fails any 'unreg 2' reg 2
mg reg 2
check 'one of three changes its filter' each_fails refused 'filter 1 0x3c' filter 1 0xc3
check 'one of three is unregistered' each_fails any 'reg 2' unreg 2
mg unreg 2
check 'one of two is unregistered' each_fails any 'reg 1' unreg 1
mg unreg 1
check 'the last one is unregistered' each_fails any 'reg 0' unreg 0
mg unreg 0
rmmod mux_graph
finish
