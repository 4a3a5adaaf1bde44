# shellcheck shell=bash
# What the tests of buffers share, after lib.sh: instances, what their buffers count, and the reader of raw pages.

# shellcheck disable=SC2154 # lib.sh has modules
rb=$modules/rbcheck
# gawk calls getppid()
shopt -s expand_aliases
alias awk=mawk

# getppid_function: what the load of rbcheck calls
getppid_function()
{
	grep -m 1 -E "^__(x64|arm64|do)_sys_getppid$" $T/available_filter_functions
}

# new NAME [FUNCTIONS]: an instance with a buffer of 64 kB, nothing traced
new()
{
	mkdir $T/instances/"$1"
	echo 64 > $T/instances/"$1"/buffer_size_kb
	echo "${2:-}" > $T/instances/"$1"/set_ftrace_filter
}

# start NAME [TRACER]; the buffer is empty afterwards
start()
{
	echo "${2:-function}" > $T/instances/"$1"/current_tracer
	echo > $T/instances/"$1"/trace
}

# gone NAME...: no longer
gone()
{
	local name

	for name; do
		echo nop > $T/instances/"$name"/current_tracer
		rmdir $T/instances/"$name"
	done
}

# sum NAME FIELD...: of all processors' stats
sum()
{
	cat $T/instances/"$1"/per_cpu/cpu*/stats | awk -F': ' -v want="${*:2}" '
		{ v[$1] += $2 }
		END { n = split(want, w, " "); for (i = 1; i <= n; i++) { gsub("_", " ", w[i]); s += v[w[i]] } print s + 0 }'
}

# recorded NAME: how many events were
recorded()
{
	sum "$1" entries overrun commit_overrun dropped_events read_events
}

# reading NAME: starts a reader of the raw pages
reading()
{
	$rb read $T/instances/"$1" > /tmp/"$1".read &
	eval "reader_$1=$!"
	sleep 0.3
}

# read_by NAME: ends it, and looks at what it says
read_by()
{
	local pid=reader_$1

	kill "${!pid}"
	check "$1: no malformed event, no time goes back" wait "${!pid}"
	grep '^#' /tmp/"$1".read
}

# found NAME FIELD: what it says
found()
{
	awk -v n="$2" '$1 == n { print $2 }' /tmp/"$1".read
}
