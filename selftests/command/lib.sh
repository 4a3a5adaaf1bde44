# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For the tests of the command line tool: installs it, runs it, looks after a clean slate.
# shellcheck source=selftests/tap.sh
. /files/tap.sh

T=/sys/kernel/tracing
# How the symbols of system calls begin
# shellcheck disable=SC2034 # used by the tests
sys=$([ "$(uname -m)" = x86_64 ] && echo __x64_sys || echo __arm64_sys)
# shellcheck disable=SC2034 # tap.sh has it
shown=(/tmp/out /tmp/err)

# run STATUS NAME ARGS...: ftrace-mux ARGS must end with STATUS; its output is in /tmp/out and /tmp/err
run()
{
	local want=$1 name=$2 status=0

	shift 2
	timeout --foreground 300 ftrace-mux "$@" > /tmp/out 2> /tmp/err < /dev/null || status=$?
	same "$name" "exit status $want" "exit status $status"
}

out_has()
{
	check "$1" grep -qE -- "$2" /tmp/out
}

err_has()
{
	check "$1" grep -qE -- "$2" /tmp/err
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

# standard error is the console, a terminal: no progress, no colours there
exec 2> >(cat >&2)
cp -a /files/tools-root/. /
ldconfig 2> /dev/null || true
