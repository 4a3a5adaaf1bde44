#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What runs in the guest: the kernel's ftracetest, unmodified, on the tests that /files/tests names (paths below
# test.d, one per line; empty: all). What it prints comes as it is; then one line per run
#
#   result<tab>PATH or PATH(instance)<tab>RESULT<tab>SECONDS
#
# and, for each that did not pass, the end of its log. The exit status is 0 when ftracetest came to its end.

cd /files/ftrace || exit
mapfile -t tests < <(sed 's,^,test.d/,' /files/tests)
./ftracetest -k -l /tmp/logs "${tests[@]}" 2>&1 | tee /tmp/out
grep -q '^# of passed:' /tmp/out || exit

before=$(date -d "$(head -n 1 /tmp/logs/ftracetest.log)" +%s)
# The log of a run is called NUMBER-TEST-log.XXXXXX, and its first line says which test it is. What comes between
# the last lines of two logs is counted for the second.
sed -n 's/^\[\([0-9]*\)\].*\[\([A-Z]*\)\]$/\1 \2/p' /tmp/out | while read -r number result; do
	log=$(echo /tmp/logs/"$number"-*-log.*)
	path=$(sed -n '1s,^execute.*/test\.d/,,p' "$log")
	case $(head -n 1 "$log") in
	*'(instance)'*) path+='(instance)' ;;
	esac
	end=$(stat -c %Y "$log")
	printf 'result\t%s\t%s\t%s\n' "$path" "$result" $((end - before))
	before=$end
	[ "$result" = PASS ] || {
		printf '==== %s %s\n' "$path" "$result"
		cut -c 1-300 "$log" | tail -n 40
	} >> /tmp/details
done
[ ! -s /tmp/details ] || cat /tmp/details
