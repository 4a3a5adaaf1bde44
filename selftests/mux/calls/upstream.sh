#!/bin/bash
# guest: KERNEL=debug SMP=2 THREAD=single TIMEOUT=1200 MODULES=1
# arch: x86_64
# slow
#
# Faults that ftrace itself has had, with a test and the commit of the fix for each; the tests of other subjects name
# the rest. Not here, because they cannot happen:
#   cc60ee813b50 (the single user's call skipped the filter, 32-bit): a call site leads to the tracers of its function.
#   __ftrace_enabled_save() around kexec: it clears a variable that no caller reads, on stock and here; what must
#   not run during machine_kexec() is marked notrace and has no call site.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh

I=$T/instances
whole=${WHOLE_SECONDS:-3}

# 64ec8b6ad619: the wait before a tracer's text goes must be for preempted tasks too. Load threads are preempted
# in the callers by a real-time task, while the module that holds the tracer is unloaded.
unload_preempted()
{
	local i hog

	# A third of a processor: the threads that it preempts, and the module loader, have to get on
	chrt -f 10 bash -c 'exec 9<> <(:); while :; do for ((k = 0; k < 50; k++)); do :; done; read -rt 0.01 -u 9; done' &
	hog=$!
	mt reset
	mt load 4
	for ((i = 0; i < 6; i++)); do
		insmod $modules/mux_user.ko regs=$((i % 2)) && sleep 0.1 && rmmod mux_user || break
	done
	mt load 0
	kill $hog
	wait $hog 2> /dev/null
	[ $i = 6 ] && no_errors
}
tracer 0 0xffff
check '64ec8b6ad619: a tracer unloaded while tasks are preempted in the callers' unload_preempted
mt free 0
check '64ec8b6ad619: unloaded while it is the only tracer' unload_preempted

# 657b594b2084: fprobe's data freed right after unregistering
fprobe_loop()
{
	local i

	mt reset
	mt load 2
	for ((i = 0; i < 6; i++)); do
		insmod $modules/mux_probes.ko || return
		echo 'fprobe 4' > /sys/module/mux_probes/parameters/attach || return
		echo 'kretprobe 4' > /sys/module/mux_probes/parameters/attach || return
		echo 'fprobe 4' > /sys/module/mux_probes/parameters/detach || return
		rmmod mux_probes || return
	done
	mt load 0
	no_errors
}
tracer 0 0xffff
check '657b594b2084: fprobe and kretprobe come and go under load, the module goes at once' fprobe_loop
mt free 0

# ee92fa443358: a module whose only traced function is freed after loading leaves an empty page of records
empty_page()
{
	insmod $modules/mux_user.ko filter='mt_fn0*' &&
		tracer 0 'mt_fn*' &&
		mt reset && mt call '*' 10 && counts_exact 10 && masks_ok || return
	insmod $modules/mux_probes.ko && echo 'kprobe 7' > /sys/module/mux_probes/parameters/attach &&
		rmmod mux_probes && rmmod mux_user && mt free 0
}
check 'ee92fa443358: look-ups with an empty page of records' empty_page

# ef378c3b8233: functions that the linker dropped
weak()
{
	local i bad

	for i in a b c; do
		mkdir $I/$i
		echo 0 > $I/$i/tracing_on
		echo function > $I/$i/current_tracer
	done
	bad=$(grep -c __ftrace_invalid_address__ $T/enabled_functions)
	[ "$(cut -d' ' -f1 $T/enabled_functions | sort | uniq -c | sort -rn | awk 'NR == 1 { print $1 }')" -ge 1 ] || bad=1
	masks_ok || bad=1
	[ "$bad" = 0 ]
}
check 'ef378c3b8233: weak functions that are not there are never enabled' weak
by_index()
{
	local n want

	for n in 1 100 5000 $(($(wc -l < $T/available_filter_functions) - 1)); do
		want=$(sed -n "${n}p" $T/available_filter_functions)
		echo "$n" > $I/a/set_ftrace_filter
		[ "$(cat $I/a/set_ftrace_filter)" = "$want" ] || { echo "index $n: $(cat $I/a/set_ftrace_filter), not $want"; return 1; }
	done
	echo > $I/a/set_ftrace_filter
}
check 'ef378c3b8233: filters by index mean the lines of available_filter_functions' by_index

# b0e28a4b5bec: tracers that want RCU to watch, and others that do not care, on the idle path; 15301a570754: the
# whole kernel at once, several times
check 'b0e28a4b5bec: a tracer with the RCU flag on the whole kernel' mt add 0 'rcu other'
mt notrace 0 'mt_fn1*'
mt reg 0
mt add 1 'recursion other'
mt notrace 1 'mt_fn2*'
mt reg 1
mt add 2 other
mt reg 2
sleep "$whole"
mt reset
mt call '*' 50
check 'b0e28a4b5bec: exact counts meanwhile' counts_exact 50
check 'b0e28a4b5bec: no error meanwhile' no_errors
check '15301a570754: six tracers of the whole kernel: masks agree' masks_ok
for id in 0 1 2; do
	mt free $id
done
rmdir $I/a $I/b $I/c

# bfb336cf97df: the file is read slowly while somebody else rewrites what it shows
slow_read()
{
	local i fd n=0

	for ((i = 0; i < 15; i++)); do
		echo 'mt_fn*' > $T/set_ftrace_filter
		exec {fd}< $T/set_ftrace_filter
		read -r -N 5 _ <&$fd
		echo "mt_fn0$((i % 10))" > $T/set_ftrace_filter
		echo > $T/set_ftrace_filter
		while read -r -N 7 _ <&$fd; do n=$((n + 1)); done
		exec {fd}<&-
	done
	[ $n -gt 0 ]
}
check 'bfb336cf97df: a filter file read slowly while it is rewritten' slow_read

# 8c9af478c06b: a command without a newline is carried out when the file is closed
at_close()
{
	printf 'mt_fn04:traceoff' > $T/set_ftrace_filter || return
	grep -q '^mt_fn04 .*:traceoff:' $T/set_ftrace_filter || return
	printf '!mt_fn04:traceoff' > $T/set_ftrace_filter
	! grep -q ':traceoff' $T/set_ftrace_filter
}
check '8c9af478c06b: a command without a newline works at close' at_close

# 9d2ce78ddcee, 3ebc98c1ae7e: lock order; registering, filters, the sysctl and probes at the same time
all_at_once()
{
	local pids=() i

	(for ((i = 0; i < 15; i++)); do
		echo 0 > /proc/sys/kernel/ftrace_enabled
		echo 1 > /proc/sys/kernel/ftrace_enabled
	done) & pids+=($!)
	(for ((i = 0; i < 40; i++)); do
		echo "mt_fn?$((i % 10))" > $T/set_ftrace_filter
		echo "mt_fn0$((i % 10)):traceon" > $T/set_ftrace_filter
		echo "!mt_fn0$((i % 10)):traceon" > $T/set_ftrace_filter
	done) & pids+=($!)
	(for ((i = 0; i < 8; i++)); do
		echo 'direct 4' > /sys/module/mux_probes/parameters/attach
		echo 'kprobe 4' > /sys/module/mux_probes/parameters/attach
		echo 'direct 4' > /sys/module/mux_probes/parameters/detach
		echo 'kprobe 4' > /sys/module/mux_probes/parameters/detach
	done) & pids+=($!)
	(for ((i = 0; i < 10; i++)); do
		echo function > $T/current_tracer
		echo nop > $T/current_tracer
	done) & pids+=($!)
	mt churn 2 7 0 8
	wait "${pids[@]}"
	mt churn 0
	echo > $T/set_ftrace_filter
	free_all
	all_gone
}
insmod $modules/mux_probes.ko
check '9d2ce78ddcee, 3ebc98c1ae7e: everything at once, and nothing is left' all_at_once
rmmod mux_probes

# Livepatch makes ftrace_enabled=0 impossible (PERMANENT): it stays on for everybody
permanent()
{
	patch_in || return
	tracer 0 0x1f && mt add 1 regs && mt ips 1 0x10 && mt reg 1 || return
	! echo 0 > /proc/sys/kernel/ftrace_enabled || return
	mt reset
	mt call '*' 10
	[ "$(count 0 4)" = 10 ] && [ "$(count 1 4)" = 10 ] && [ "$(calls 4)" = 0 ] && no_errors || return
	mt free 0
	mt free 1
	mt reset
	mt call 4 10
	[ "$(calls 4)" = 0 ] || return
	patch_out
}
check 'PERMANENT ops: ftrace_enabled=0 is refused with a livepatch, next to two tracers' permanent 2> /dev/null
finish
