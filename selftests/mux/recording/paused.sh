#!/bin/bash
# guest: KERNEL=mux SMP=2 TIMEOUT=400 MODULES=1 ALLOW="Call [Tt]race:"
#
# Tracing is switched on and off from several places at once: by probes on functions that two processors call, in an
# NMI, and through the file. When all of it is over and tracing_on says 1, the next call of a function is recorded; when
# it says 0, none is.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh
cd $T || exit 1

rounds=$(arg rounds 60)
# Something that can be traced and runs in the NMI that prints a stack
nmi=$(grep -x nmi_cpu_backtrace_handler available_filter_functions)

# next_is_recorded FUNCTION: one call, one line, if tracing_on says so
next_is_recorded()
{
	local on

	on=$(cat tracing_on)
	echo > trace
	mt call 5 1
	[ "$(grep -c 'mt_fn05' trace)" = "$on" ] || {
		echo "tracing_on is $on, lines:"
		grep mt_fn05 trace
		return 1
	}
	states[$on]=$((states[on] + 1))
}

# all_at_once: switches tracing in every way, until it is done with it
all_at_once()
{
	local i

	for ((i = 0; i < rounds; i++)); do
		mt call 1 50 &
		mt call 2 50 &
		(echo l > /proc/sysrq-trigger) &
		for o in 0 1 0 1; do
			echo $o > tracing_on
		done
		wait
		next_is_recorded || return
	done
}

echo 'mt_fn05' > set_ftrace_filter
for tracer in function function_graph; do
	states=(0 0)
	echo $tracer > current_tracer
	echo 'mt_fn01:traceoff' >> set_ftrace_filter
	echo 'mt_fn02:traceon' >> set_ftrace_filter
	echo "$nmi:traceon" >> set_ftrace_filter
	grep -q "^$nmi:traceon" set_ftrace_filter
	ok $? "$tracer: something in an NMI can switch it on: $nmi"
	echo 0 > tracing_on
	taskset 1 bash -c 'echo l > /proc/sysrq-trigger'
	sleep 0.5
	same "$tracer: and does" 1 "$(cat tracing_on)"
	next_is_recorded
	ok $? "$tracer: the next call after it is recorded"
	all_at_once
	ok $? "$tracer: switched by all at once, tracing_on says what is recorded (off ${states[0]}, on ${states[1]} times)"
	for f in mt_fn01:traceoff mt_fn02:traceon $nmi:traceon; do
		echo "!$f" >> set_ftrace_filter
	done
	echo 1 > tracing_on
	next_is_recorded
	ok $? "$tracer: on"
	echo 0 > tracing_on
	next_is_recorded
	ok $? "$tracer: off"
	echo nop > current_tracer
done

# A function of set_graph_function is left when it returns, also if tracing was off when it was entered
graphed()
{
	grep -oE 'mt_fn0[4-9]|vfs_read' trace | tr '\n' ' '
}

printf '%s\n' 'mt_fn0*' vfs_read vfs_write > set_ftrace_filter
echo mt_fn05 > set_graph_function
echo function_graph > current_tracer
echo 0 > tracing_on
mt call 5 3
echo > trace
echo 1 > tracing_on
mt call 6 2
same 'set_graph_function: it was called while tracing was off, another function is not traced' '' "$(graphed)"
mt call 5 2
same 'set_graph_function: it is' 'mt_fn05 mt_fn05 ' "$(graphed)"
echo 0 > tracing_on
echo > trace
# The module calls all its functions, by number, in a write()
echo vfs_write > set_graph_function
echo 'mt_fn03:traceon' >> set_ftrace_filter
mt call '*' 1
read -r _ < /proc/version
echo 0 > tracing_on
same 'set_graph_function: what it calls is traced as soon as tracing is on, and nothing when it has returned' \
	'mt_fn04 mt_fn05 mt_fn06 mt_fn07 mt_fn08 mt_fn09 ' "$(graphed)"
same 'set_graph_function: its own return is not recorded, as its entry is not' '' "$(grep "}" trace)"
echo '!mt_fn03:traceon' >> set_ftrace_filter
echo nop > current_tracer
echo > set_graph_function
echo mt_fn05 > set_ftrace_filter

# A snapshot swaps the buffers, and both of them are on or off
echo function > current_tracer
echo 1 > snapshot
for on in 1 0 1; do
	echo $on > tracing_on
	echo 1 > snapshot
	next_is_recorded
	ok $? "after a snapshot with tracing_on $on"
done
echo 0 > snapshot
echo 1 > tracing_on
echo nop > current_tracer
echo > set_ftrace_filter
finish
