#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=7200 MODULES=1 FILES=selftests/mux
#
# Several processes write what is right, nearly right and wrong to function_tracers, to all filter files and to the
# option function-mux, while instances come and go (fuzz.c). Masks, records and text agree all the time, and
# nothing is left of it. On the kernel's command line:
#   mux.seed=N      the choices of all processes (default 1); timing stays what it is
#   mux.writes=N    how many writes
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh
cd $T || exit 1
seed=$(arg seed 1)
writes=$(arg writes "${WRITES:-6000}")

# seen CALL RESULT: how many calls ended so
seen()
{
	awk -v call="$1:" -v result="$2" '$1 == call { for (i = 3; i <= NF; i++) if ($i ~ "^" result ",?$") n += $(i - 1) }
		END { print n + 0 }' /tmp/fuzz
}

# at_least NUMBER CALL RESULT
at_least()
{
	local n

	n=$(seen "$2" "$3")
	check "$2: $n $3, at least $1" [ "$n" -ge "$1" ]
}

# In kB, without what the kernel only caches: here are the hashes, the state of open files, the tracers
slab()
{
	sync
	echo 2 > /proc/sys/vm/drop_caches
	sleep 1
	awk '/^SUnreclaim:/ { print $2 }' /proc/meminfo
}

# No tracer, no filter, no probe, and the options as they were
restore()
{
	local i command

	for i in instances/f*/; do
		[ ! -d "$i" ] || rmdir "$i"
	done
	echo 0 > function_profile_enabled
	echo nop > current_tracer
	for command in traceon traceoff stacktrace snapshot {en,dis}able_event:sched:sched_switch; do
		echo "!*:$command" >> set_ftrace_filter
		echo "!*:$command:1" >> set_ftrace_filter
	done 2> /dev/null
	echo 0 > options/function-mux
	echo trace > function_tracers
	echo > set_ftrace_filter
	echo > set_ftrace_notrace
	echo 0 > events/sched/sched_switch/enable
	echo 0 > snapshot
	echo > trace
	echo > error_log
	echo 1 > tracing_on
}

usable()
{
	ls tracers
	[ -z "$(ls tracers)$(cat function_tracers)" ] || return
	echo vfs_read > set_ftrace_filter
	[ "$(cat set_ftrace_filter set_ftrace_notrace)" = $'vfs_read\n#### no functions disabled ####' ] || return
	echo > set_ftrace_filter
	[ "$(cat set_ftrace_filter)" = '#### all functions enabled ####' ]
}

# round SEED WRITES: with a filter for the first tracer, for one of the whole kernel makes every write dear
round()
{
	local status

	echo '100 mt_fn0*' > set_ftrace_filter
	echo function > current_tracer
	$modules/fuzz -s "$1" -n "$2" -w "${WHOLE:-40}" > /tmp/round
	status=$?
	echo "# $(awk '{ print int($1) }' /proc/uptime) s: $(head -n 1 /tmp/round)"
	restore
	return $status
}

# What is allocated once and kept is there after the first few writes. Then rounds: commands and filters pile up, and
# with much traced a write takes seconds.
round 0 $((writes / 10 < 1000 ? writes / 10 : 1000))
before=$(slab)
status=0
for ((left = writes; left > 0 && status == 0; left -= size)); do
	size=$((left < 10000 ? left : 10000))
	round $((seed++)) $size
	status=$?
	cat /tmp/round >> /tmp/fuzz
done
ok $status 'masks, records and text agree while the files are written'
[ "$status" = 0 ] || sed 's/^/# /' /tmp/round

# The grammar is good enough to reach both what works and what does not
done=$(sed -n 's/.*: \([0-9]*\) writes of.*/\1/p' /tmp/fuzz | awk '{ n += $1 } END { print n + 0 }')
check "$done writes of $writes" [ "$done" -ge "$writes" ]
at_least $((writes / 3)) write good
at_least $((writes / 20)) write EINVAL
at_least $((writes / 200)) write EFAULT
at_least $((writes / 100)) open good
at_least $((writes / 100)) read good
at_least $((writes / 500)) instances good
at_least $((writes / 200)) check good

check 'no tracer is left, and the filters can be used as before' usable
memory_is_back "$before" "$(slab)" 2048
finish
