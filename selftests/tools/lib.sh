# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For the tests of the command line tool: installs it, counts results, looks after a clean slate.

T=/sys/kernel/tracing
nr=0
bad=0

ok()
{
	nr=$((nr + 1))
	echo "ok $nr - $*"
}

not_ok()
{
	nr=$((nr + 1))
	bad=$((bad + 1))
	echo "not ok $nr - $*"
	[ ! -s /tmp/out ] || sed 's/^/#   out: /' /tmp/out | head -20
	[ ! -s /tmp/err ] || sed 's/^/#   err: /' /tmp/err | head -20
}

# is NAME COMMAND...: passes when COMMAND succeeds
is()
{
	local name=$1

	shift
	if "$@"; then ok "$name"; else not_ok "$name"; fi
}

# run STATUS NAME ARGS...: ftrace-mux ARGS must end with STATUS; its output is in /tmp/out and /tmp/err
run()
{
	local want=$1 name=$2 status=0

	shift 2
	timeout --foreground 300 ftrace-mux "$@" > /tmp/out 2> /tmp/err < /dev/null || status=$?
	if [ "$status" = "$want" ]; then
		ok "$name"
	else
		not_ok "$name (exit status $status, not $want)"
		return 1
	fi
}

out_has()
{
	is "$1" grep -qE -- "$2" /tmp/out
}

err_has()
{
	is "$1" grep -qE -- "$2" /tmp/err
}

same()
{
	if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1: '$2' is not '$3'"; fi
}

filter_of()
{
	grep -v '^#' "$T/instances/$1/set_ftrace_filter" | sort | paste -sd' ' -
}

instances()
{
	(cd "$T/instances" && printf '%s\n' * | grep -vx '\*' | paste -sd' ' -) || true
}

# the functions that stand in a trace (text on standard input), each once
functions_in()
{
	sed -n 's/.*: \([A-Za-z0-9_.]*\) <-.*/\1/p' | sort -u | paste -sd' ' -
}

done_testing()
{
	echo "1..$nr"
	[ "$bad" = 0 ]
	exit
}

# standard error is the console, a terminal: no progress, no colours there
exec 2> >(cat >&2)
cp -a /files/tools-root/. /
ldconfig 2> /dev/null || true
