#!/bin/bash
# guest: KERNEL=debug SMP=2 THREAD=single TIMEOUT=900 MODULES=1
#
# Invariant 3: no callback runs after unregistering has returned, and the memory of the ops may be freed at once.
# The module poisons and frees it; KASAN on the debug kernel looks for any use after that.
# Upstream: 0e792b89e680 (two ops with equal filters: removing one changes no call site, so the wait for those
# still in its callback was left out), 657b594b2084 (callback data freed right after unregistering).
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh

rounds=${ROUNDS:-15}

# CONFIG_FTRACE_STARTUP_TEST: the kernel has tested its tracers while it booted
startup_tests()
{
	local test missing=0

	# Their words come in pieces, which other processors may put on lines of their own.
	for test in 'tracer function' 'dynamic ftrace' 'dynamic ftrace ops #1' 'dynamic ftrace ops #2' \
		'ftrace recursion' 'ftrace recursion safe' 'ftrace regs' 'tracer function_graph'; do
		dmesg | awk -v test="Testing $test:" '
			/Testing / { mine = index($0, test) }
			mine && /PASSED/ { passed = 1 }
			END { exit !passed }' || { echo "$test: no PASSED"; missing=1; }
	done
	! dmesg | grep 'Testing .*FAILED' || return
	return $missing
}
check 'the startup tests of the tracers passed' startup_tests

loaded()
{
	mt reset
	mt load 2
	mt timer 1
	"$@"
	local status=$?
	mt timer 0
	mt load 0
	[ $status = 0 ] && no_errors
}

# Equal filters, so that no site changes its set from or to zero
equal_filters()
{
	local i

	tracer 0 0xff "$1"
	for ((i = 0; i < rounds; i++)); do
		tracer 1 0xff "$2" && mt free 1 || return
	done
	mt free 0
}
check '0e792b89e680: equal filters, the second ops unregistered and freed under load' loaded equal_filters '' ''
check '0e792b89e680: the same with registers' loaded equal_filters regs regs
check '0e792b89e680: the same, mixed' loaded equal_filters '' regs

# The first one goes, the later one stays
first_goes()
{
	local i

	for ((i = 0; i < rounds; i++)); do
		tracer 0 0xff &&
			tracer 1 0xff &&
			mt free 0 && mt free 1 || return
	done
}
check '0e792b89e680: the older of two with equal filters is freed first' loaded first_goes

# Slots are used by one ops after the other: a foreign ops' call would be noticed by each callback
slots_reused()
{
	local i id

	tracer 15 0xffffffff
	for ((i = 0; i < rounds; i++)); do
		for id in 0 1 2 3 4 5 6 7 8 9; do
			mt add $(((id + i) % 13)) "$([ $((i % 3)) = 1 ] && echo regs)" &&
				mt ips $(((id + i) % 13)) "0x$((id + 1))00ff" && mt reg $(((id + i) % 13)) || return
		done
		for id in 5 2 9 0 1 3 4 8 7 6; do
			mt free $(((id + i) % 13)) || return
		done
	done
	mt free 15
}
rounds=$((rounds / 5 + 1))
check 'slots reused by other ops under load: never a foreign ops, never a call after unregistering' \
	loaded slots_reused
finish
