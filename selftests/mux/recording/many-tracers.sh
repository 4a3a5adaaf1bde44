#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single MEM=1500M TIMEOUT=1200 MODULES=1 APPEND=trace_buf_size=16k
# slow
#
# 200 tracers of everything and 200 with filters of their own come and go, in several orders: each sees the calls of
# its filter and no others, the check says ok each time, and nothing is left. For fewer: APPEND=mux.tracers=20.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh

I=$T/instances
tracers=$(arg tracers 200)
# Eight functions: tracer N of its own filter traces those whose bits N has, so each filter is another one
bits=8

# on LETTER STEP FIRST: starts each STEPth tracer of a kind
on()
{
	local i

	for ((i = $3; i <= tracers; i += $2)); do
		echo function > $I/$1$i/current_tracer || return
	done
}

off()
{
	local i

	for ((i = $3; i <= tracers; i += $2)); do
		echo nop > $I/$1$i/current_tracer || return
	done
}

# seen NAME: how often the buffer has each of the eight functions
seen()
{
	local line lines count=(0 0 0 0 0 0 0 0) pattern='mt_fn0([0-7]) <-'

	# Not line by line: that would seek back for each
	mapfile -t lines < $I/$1/trace
	for line in "${lines[@]}"; do
		! [[ $line =~ $pattern ]] || count[BASH_REMATCH[1]]=$((count[BASH_REMATCH[1]] + 1))
	done
	echo "${count[*]}"
}

# The calls that all are told of
calls()
{
	local f

	for ((f = 0; f < bits; f++)); do
		mt call $f 3
	done
}

# own_seen STEP FIRST CALLS: those of a kind with filters of their own have each call of their functions, and no other one
own_seen()
{
	local i f want bad=0

	for ((i = $2; i <= tracers; i += $1)); do
		want=
		for ((f = 0; f < bits; f++)); do
			want+=" $(((i >> f & 1) * $3))"
		done
		[ " $(seen o$i)" = "$want" ] || { echo "o$i: $(seen o$i), not$want"; bad=1; }
		echo > $I/o$i/trace
	done
	return $bad
}

make_all()
{
	local i f

	for ((i = 1; i <= tracers; i++)); do
		mkdir $I/e$i $I/o$i && echo 0 > $I/e$i/tracing_on || return
		for ((f = 0; f < bits; f++)); do
			! ((i >> f & 1)) || echo mt_fn0$f
		done > $I/o$i/set_ftrace_filter
	done
}

# The buffer of one tracer of everything is on for the calls
everything_sees()
{
	local n

	echo 512 > $I/e$1/buffer_size_kb
	echo 1 > $I/e$1/tracing_on
	calls
	echo 0 > $I/e$1/tracing_on
	n=$(seen e$1)
	echo > $I/e$1/trace
	[ "$n" = '3 3 3 3 3 3 3 3' ] || { echo "e$1: $n"; return 1; }
}

# phase WHAT: of how things stand
phase()
{
	check "$1: masks, records and text agree" masks_ok
}

cd /
check "$((2 * tracers)) instances" make_all
check "$tracers tracers of everything come" on e 1 1
phase 'they are there'
check 'the first one sees the calls' everything_sees 1
check 'the last one does' everything_sees $tracers
check "$tracers with filters of their own come" on o 1 1
phase 'all are there'
same 'those without an ID are all but eight' $((2 * tracers - 8)) \
	"$(grep -c '^no ID: ' $T/function_mux)"
calls
check 'each has its calls' own_seen 1 1 3
check 'every other one of everything goes' off e 2 1
phase 'a half of them is left'
check 'every third with a filter of its own goes' off o 3 3
phase 'two thirds of them are left'
calls
check 'they have their calls' own_seen 3 1 3
check 'these too' own_seen 3 2 3
check 'those that have gone have none' own_seen 3 3 0
check 'those with filters come again' on o 3 3
check 'those of everything go' off e 2 2
phase 'only those with filters are left'
calls
check 'each has its calls' own_seen 1 1 3
check 'those of everything come again' on e 1 1
phase 'all are there again'
check 'one of them sees the calls' everything_sees $((tracers / 2))
check 'those with filters have gone' off o 1 1
check 'the others too' off e 1 1
phase 'none is left'
check 'no function is traced' all_gone
for ((i = 1; i <= tracers; i++)); do
	rmdir $I/e$i $I/o$i
done
same 'no slot is left with a tracer that has gone' '' "$(grep ': zombie ' $T/function_mux)"
finish
