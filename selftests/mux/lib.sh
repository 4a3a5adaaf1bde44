# shellcheck shell=bash
# What the tests of this directory share; sourced in the guest, with mux_test.ko in /files/mux-modules if the
# test asks for MODULES=1.
#
# A test prints one TAP line per check and ends with `finish`. Everything it registers is gone by then, and
# finish looks that nothing of it is left.

T=/sys/kernel/tracing
D=/sys/kernel/debug/mux_test
modules=/files/mux-modules
# How the symbols of system calls begin
# shellcheck disable=SC2034 # used by the tests
sys=$([ "$(uname -m)" = x86_64 ] && echo __x64_sys || echo __arm64_sys)
# shellcheck source=selftests/tap.sh
. /files/tap.sh

# is_mux: does this kernel multiplex?
is_mux()
{
	[ -e $T/function_mux ]
}

# has FUNCTION: does this kernel have it?
has()
{
	grep -q " $1\$" /proc/kallsyms
}

# mt COMMAND...: a command for the test module
mt()
{
	printf '%s\n' "$*" > $D/cmd
}

# tracer ID FUNCTIONS [FLAGS]: a tracer of the module, registered; FUNCTIONS are a mask of numbers or patterns
tracer()
{
	local how=filter

	[[ $2 != 0x* ]] || how=ips
	mt add "$1" "${@:3}" && mt $how "$1" "$2" && mt reg "$1"
}

# value NAME: a counter of the module
value()
{
	awk -v n="$1" '$1 == n { print $2 }' $D/stats
}

# count TRACER FUNCTION: how often the tracer saw the function
count()
{
	awk -v t="$1" -v f="$2" '$1 == "count" && $2 == t && $3 == f { n = $4 } END { print n + 0 }' $D/stats
}

# calls FUNCTION: how often it ran, by its own count
calls()
{
	awk -v f="$1" '$1 == "fn" && $2 == f && $3 == "calls" { n = $4 } END { print n + 0 }' $D/stats
}

# counts_exact [CALLS]: every registered tracer saw each function of its filter exactly as often as the function
# ran (CALLS times, when that is given), and no other one
counts_exact()
{
	awk -v calls="${1:-}" '
		$1 == "fn" && $3 == "calls" { ran[$2] = $4 }
		$1 == "tracer" && $3 == "registered" { filter[$2] = $4 }
		$1 == "count" { saw[$2, $3] = $4 }
		END {
			for (f = 0; f < 32; f++)
				if (calls != "" && ran[f] + 0 != calls) {
					print "function " f " ran " ran[f] + 0 " times, not " calls
					bad = 1
				}
			for (t in filter) for (f = 0; f < 32; f++) {
				want = substr(filter[t], f + 1, 1) == "1" ? ran[f] + 0 : 0
				if (saw[t, f] + 0 != want) {
					print "tracer " t " function " f ": saw " saw[t, f] + 0 ", wanted " want
					bad = 1
				}
			}
			exit bad
		}' $D/stats
}

# no_errors: the oracle found nothing wrong
no_errors()
{
	[ "$(value errors)" = 0 ] && return
	grep -E '^(errors|lost|spurious|dup|late|bad|first)' $D/stats
	return 1
}

# exact_calls [CALLS]: each function is called that often, each tracer sees what counts_exact says, and the masks agree
exact_calls()
{
	local calls=${1:-20}

	mt reset && mt call '*' "$calls" && counts_exact "$calls" && no_errors && masks_ok
}

# counter_start NAME PROGRAM [ARG...]: a program of $modules that counts. It says `ready`, says its counts for each r that
# it reads, and ends on a q.
counter_start()
{
	local ready

	mkfifo "/tmp/$1-in" "/tmp/$1-out"
	"$modules/$2" "${@:3}" <> "/tmp/$1-in" 1<> "/tmp/$1-out" 2> "/tmp/$1-err" &
	echo $! > "/tmp/$1-pid"
	read -r -t 60 ready <> "/tmp/$1-out"
	[ "$ready" = ready ] || { cat "/tmp/$1-err"; return 1; }
}

# counter_read NAME: its counts
counter_read()
{
	local counts

	printf r 1<> "/tmp/$1-in" && read -r -t 60 counts <> "/tmp/$1-out" && echo "$counts"
}

# counter_stop NAME: it ends, if it is there
counter_stop()
{
	[ -e "/tmp/$1-pid" ] || return 0
	printf q 1<> "/tmp/$1-in"
	while kill -0 "$(< "/tmp/$1-pid")" 2> /dev/null; do sleep 0.1; done
	rm "/tmp/$1"-{in,out,err,pid}
}

G=/sys/kernel/debug/mux_graph

# mg COMMAND...: a command for the module mux_graph
mg()
{
	printf '%s\n' "$*" > $G/cmd
}

# mg_value NAME: a counter of it
mg_value()
{
	awk -v n="$1" '$1 == n { print $2 }' $G/stats
}

# seen USER FN: entries and returns that a user of function graph has seen
seen()
{
	awk -v u="$1" -v f="$2" '$1 == "user" && $2 == u && $3 == f { print $4 "," $5; n = 1 }
		END { if (!n) print "0,0" }' $G/stats
}

# graph_ok: calls were checked, and each was seen by the users that had to see it, and by no other
graph_ok()
{
	[ "$(mg_value errors)" = 0 ] && [ "$(mg_value checked)" -gt 0 ] && return
	head -n 8 $G/stats
	return 1
}

# masks_ok: the kernel recomputes its masks and compares them with the records and the text
masks_ok()
{
	local first

	is_mux || return 0
	first=$(head -n 1 $T/function_mux_check)
	case $first in
	ok:*) ;;
	*) head -n 20 $T/function_mux_check; return 1 ;;
	esac
}

# Nothing is traced: no record in use, no stub in use, no slot used, no tracer without an ID
all_gone()
{
	local left

	left=$(cat $T/enabled_functions)
	if is_mux; then
		left+=$(grep -E '^(stub |no ID|slot [0-9]+: used)' $T/function_mux)
	fi
	[ -z "$left" ] || printf '%s\n' "$left"
	[ -z "$left" ] && masks_ok
}

# memory_is_back BEFORE AFTER LIMIT: of kB in use
memory_is_back()
{
	if grep -q ' kasan_report$' /proc/kallsyms; then
		skip 'memory is back' 'KASAN keeps what was freed'
	else
		check "memory is back: $(($2 - $1)) kB more than $1" [ $(($2 - $1)) -lt "$3" ]
	fi
}

livepatch=/sys/kernel/livepatch/mux_klp

# patched 0|1 [TENTHS]: waits that long until mux_klp has patched function 4, or is out again
patched()
{
	local i

	for ((i = 0; i < ${2:-300}; i++)); do
		if [ "$1" = 0 ] && [ ! -d $livepatch ]; then return; fi
		if [ "$1" = 1 ] && [ "$(cat $livepatch/transition)" = 0 ]; then return; fi
		sleep 0.1
	done
	echo "livepatch: no end of the transition to $1"
	return 1
}

patch_in()
{
	insmod $modules/mux_klp.ko && patched 1
}

patch_out()
{
	echo 0 > $livepatch/enabled && patched 0 && rmmod mux_klp
}

# arg NAME DEFAULT: the value of mux.NAME on the kernel's command line
arg()
{
	sed -n "s/.*\bmux\.$1=\([^ ]*\).*/\1/p" /proc/cmdline | grep . || echo "$2"
}

# mask LIST: function numbers (`0-3,7`) as a mask
mask()
{
	local part f m=0

	for part in ${1//,/ }; do
		for ((f = ${part%-*}; f <= ${part#*-}; f++)); do
			m=$((m | 1 << f))
		done
	done
	printf '0x%x' $m
}

# watch_symbols: from now on perf is told which trampolines of ftrace come and go
watch_symbols()
{
	mkfifo /tmp/symbols-end
	{
		$modules/poke-events -s /tmp/symbols sh -c 'touch /tmp/symbols-begin; cat /tmp/symbols-end'
		echo $? > /tmp/symbols-status
	} &
	while [ ! -e /tmp/symbols-begin ]; do sleep 0.1; done
}

# symbols_left: what has come and not gone since, as perf was told, and that it has been told of some
symbols_left()
{
	: > /tmp/symbols-end
	while [ ! -s /tmp/symbols-status ]; do sleep 0.1; done
	[ "$(< /tmp/symbols-status)" = 0 ] || { echo 'no events, or some were lost'; return; }
	grep -q ' ftrace_trampoline$' /tmp/symbols || echo none
	sort -n /tmp/symbols | awk '$4 == "ftrace_trampoline" { if ($2 == "+") here[$3]; else delete here[$3] }
		END { for (a in here) print a }' | sort
}

# has_trampolines: on arm64 there is a pointer to the ops in front of a function instead
has_trampolines()
{
	[ "$(uname -m)" = x86_64 ]
}

# trampolines: those that /proc/kallsyms lists
trampolines()
{
	awk '$4 == "[__builtin__ftrace]" { print $1 }' /proc/kallsyms | sort
}

# free_all: every tracer of the module
free_all()
{
	local id

	for id in $(awk '$1 == "tracer" { print $2 }' $D/stats); do
		mt free "$id"
	done
}

at_end()
{
	[ -d $D ] || return
	mt load 0
	mt churn 0
	mt timer 0
	free_all
	check 'at the end: the oracle found no error' no_errors
	check 'at the end: no function is traced, masks and counts are zero' all_gone
	rmmod mux_test
}

# An interactive user would mount it; debugfs carries the module's files.
mountpoint -q /sys/kernel/debug || mount -t debugfs debugfs /sys/kernel/debug
mountpoint -q $T || mount -t tracefs tracefs $T
# Only the tests that ask for MODULES=1 have it.
[ ! -d $modules ] || insmod $modules/mux_test.ko || { echo "Bail out! no mux_test.ko"; exit 1; }
