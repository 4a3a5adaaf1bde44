#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Run by series-each.test in the guest: two tracers share functions, one has its own trampoline, and all call sites are
# nops again. The multiplexer's own check, if there is one, finds nothing. Prints how many unit tests passed at boot.
set -eu
cd /sys/kernel/tracing

lacks()
{
	if grep -q "$@"; then
		echo "found: $*"
		exit 1
	fi
}

mkdir instances/a instances/b
echo 'vfs_*' > set_ftrace_filter
echo vfs_read > instances/a/set_ftrace_filter
echo ksys_read > instances/b/set_ftrace_filter
for dir in . instances/a instances/b; do
	echo function > $dir/current_tracer
done
cat /etc/passwd > /tmp/copy
for dir in . instances/a instances/b; do
	echo 0 > $dir/tracing_on
done
grep -q vfs_read trace
grep -q vfs_write trace
grep -q vfs_read instances/a/trace
lacks vfs_write instances/a/trace
grep -q ksys_read instances/b/trace
lacks vfs_read instances/b/trace
grep -q '^vfs_read (2)' enabled_functions
for dir in . instances/a instances/b; do
	echo nop > $dir/current_tracer
done
rmdir instances/a instances/b
lacks . enabled_functions
[ ! -f function_mux_check ] || grep -q "^ok:" function_mux_check
dmesg | sed 's/^\[[^]]*\] //' | awk '/^    ok [0-9]+ / { n++ } END { print "passed: " n + 0 }'
