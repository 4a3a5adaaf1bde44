#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=900 MODULES=1 FILES=selftests/mux APPEND=mux.seconds=40
#
# Everything at once, with an oracle that checks every single call: threads and a timer call functions, module
# tracers change at random, instances, modules, probes and processors come and go, ftrace is switched off and on,
# and memory allocation fails now and then. On the kernel's command line:
#   mux.seed=N      the choices of all agents (default 1); timing stays what it is
#   mux.seconds=N   how long (default 100)
#   mux.calls=N     not longer than until this many calls have been checked, and not fewer
#   mux.agents=LIST instances,modules,hotplug,enabled,faults,probes (default all)
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh

I=$T/instances
P=/sys/module/mux_probes/parameters

seed=$(arg seed 1)
seconds=$(arg seconds 100)
calls=$(arg calls 0)
agents=$(arg agents instances,modules,hotplug,enabled,faults,probes)
stop=/tmp/stress-stop

# In kB, without what the kernel only caches
used()
{
	sync
	echo 3 > /proc/sys/vm/drop_caches
	awk '/^MemTotal:/ { n = $2 } /^(MemFree|Buffers|Cached|SReclaimable):/ { n -= $2 } END { print n }' /proc/meminfo
}

wanted()
{
	case ,$agents, in *,$1,*) ;; *) false ;; esac
}

running()
{
	[ ! -e $stop ]
}

# Each agent has its own sequence of random numbers, and says in a file how much it did.
agent()
{
	local name=$1 done=0
	RANDOM=$((seed * 16 + $2))

	while running; do
		"agent_$name" && done=$((done + 1))
	done 2> /dev/null
	echo "$name $done" >> /tmp/stress-done
}

agent_instances()
{
	local i=$I/s$((RANDOM % 3))

	if [ ! -d "$i" ]; then
		mkdir "$i" || return
		echo 64 > "$i/buffer_size_kb"
		echo "mt_fn$((RANDOM % 4))?" > "$i/set_ftrace_filter" || { rmdir "$i"; return; }
		echo function > "$i/current_tracer"
	fi
	case $((RANDOM % 7)) in
	0) rmdir "$i" ;;
	1) echo nop > "$i/current_tracer" ;;
	2) echo function > "$i/current_tracer" ;;
	3) echo "mt_fn[0-3]$((RANDOM % 10))" > "$i/set_ftrace_filter" ;;
	4) echo "mt_fn$((RANDOM % 4))[0-4]" > "$i/set_ftrace_notrace" ;;
	5) echo $$ > "$i/set_ftrace_pid" ;;
	6) echo > "$i/set_ftrace_pid" ;;
	esac
}

# The two tracers of all functions but those that there were select what a module brings
agent_modules()
{
	[ $((RANDOM % 4)) != 0 ] || echo nop > $I/m$((RANDOM % 2))/current_tracer
	[ $((RANDOM % 2)) != 0 ] || echo function > $I/m$((RANDOM % 2))/current_tracer
	insmod $modules/mux_target.ko && echo 3 > /sys/module/mux_target/parameters/call
	insmod $modules/mux_user.ko regs=$((RANDOM % 2)) filter="mt_fn$((RANDOM % 4))*"
	rmmod mux_target
	rmmod mux_user
}

agent_probes()
{
	local kinds=(kprobe kretprobe fprobe direct) kind

	kind=${kinds[RANDOM % 4]}
	echo "$kind $((RANDOM % 32))" > $P/attach
	sleep 0.2
	echo "$kind 0" > $P/detach
}

agent_hotplug()
{
	local cpu=/sys/devices/system/cpu/cpu$((RANDOM % $(nproc --all)))/online

	[ -w "$cpu" ] || return
	echo 0 > "$cpu" && sleep 0.$((RANDOM % 5))
	echo 1 > "$cpu" && sleep 1
}

agent_enabled()
{
	sleep 0.$((RANDOM % 10 + 5))
	mt suspend 1
	echo 0 > /proc/sys/kernel/ftrace_enabled
	sleep 0.0$((RANDOM % 5))
	echo 1 > /proc/sys/kernel/ftrace_enabled
	mt suspend 0
}

fault_kinds='failslab fail_page_alloc fail_function'

# Allocations of the churn threads fail: in the allocators, and in a function of theirs whose result a kprobe replaces
faults_on()
{
	local f pid

	[ -d /sys/kernel/debug/failslab ] || return
	for f in $fault_kinds; do
		cd /sys/kernel/debug/$f || continue
		echo Y > task-filter
		echo 0 > verbose
		echo 1 > interval
		echo 1000000 > ./times
		echo 5 > probability
		cd /
	done
	echo N > /sys/kernel/debug/failslab/ignore-gfp-wait
	echo N > /sys/kernel/debug/fail_page_alloc/ignore-gfp-wait
	# of whole pages there are few
	echo 0 > /sys/kernel/debug/fail_page_alloc/min-order
	echo 30 > /sys/kernel/debug/fail_page_alloc/probability
	echo should_failslab > /sys/kernel/debug/fail_function/inject
	printf %#x -12 > /sys/kernel/debug/fail_function/should_failslab/retval
	for pid in $(pgrep mux_test_churn); do
		echo 1 > "/proc/$pid/make-it-fail"
	done
}

# Prints how many have failed, of all kinds and of each
faults_off()
{
	local f n total=0 each=

	for f in $fault_kinds; do
		cd /sys/kernel/debug/$f 2> /dev/null || continue
		echo 0 > probability
		n=$((1000000 - $(cat ./times)))
		total=$((total + n))
		each+=" $f: $n"
		cd /
	done
	[ ! -d /sys/kernel/debug/fail_function ] || echo > /sys/kernel/debug/fail_function/inject
	echo "$total${each:+ (${each# })}"
}

rm -f $stop /tmp/stress-done
insmod $modules/mux_probes.ko
before=$(used)
if wanted modules; then
	for i in m0 m1; do
		mkdir $I/$i
		echo 64 > $I/$i/buffer_size_kb
		echo '*' > $I/$i/set_ftrace_notrace
	done
fi

# Four stable tracers: their losses count while the others come and go
for id in 0 1 2 3; do
	mt add $id "$([ $id = 1 ] && echo regs)$([ $id = 2 ] && echo stack)"
done
mt ips 0 0xffffffff
mt ips 1 0x0000ffff
mt ips 2 0x00f0000f
mt ips 3 0x80000001
for id in 0 1 2 3; do
	mt reg $id
done
mt reset
mt load "$(($(nproc) > 2 ? 3 : 2))"
mt timer 1
mt churn 2 "$seed" 4 12
! wanted faults || faults_on
number=0 pids=()
for name in instances modules hotplug enabled probes; do
	number=$((number + 1))
	if wanted $name; then
		agent $name $number &
		pids+=($!)
	fi
done

# exhausted: can no stub get another set now?
exhausted()
{
	grep -q '^stubs: .* 0 clean' $T/function_mux 2> /dev/null
}

enough()
{
	[ "$calls" != 0 ] && [ "$(value checked)" -ge "$calls" ]
}

# Now and then the kernel compares its masks with the records and the text
passes=0 bad=0 without=0
end=$((SECONDS + seconds))
while [ $SECONDS -lt $end ] && ! enough; do
	sleep 2
	masks_ok || { bad=1; break; }
	! exhausted || without=$((without + 1))
	passes=$((passes + 1))
	[ "$(value errors)" = 0 ] || break
done
touch $stop
wait "${pids[@]}"
mt churn 0
faults=$(faults_off)
mt timer 0
mt load 0
ok $bad "masks, records and text agree while it runs ($passes times)"
check 'no call lost, none too many, nobody else'\''s' no_errors

# What it did
retargets=0
for f in filters notraces registers unregisters; do
	retargets=$((retargets + $(value $f)))
done
diag "seed $seed, $(nproc) processors, $((SECONDS - end + seconds)) s; agents: $(sort /tmp/stress-done 2> /dev/null | tr '\n' ';')"
diag "calls checked: $(value checked) (of tracers: $(value pairs)), retargets: $retargets, faults injected: $faults," \
	"refused: $(value failed), lost: $(value lost), spurious: $(value spurious), late: $(value late)"
case $(uname -r) in
*-small) check "stubs ran out: none was clean $without times of $passes" [ $without != 0 ] ;;
esac
if wanted faults && [ -d /sys/kernel/debug/failslab ]; then
	for kind in $fault_kinds; do
		check "memory was missing by $kind" grep -q "$kind: [1-9]" <<< "$faults"
	done
fi
check 'functions were called' [ "$(value checked)" -gt 1000 ]
[ "$calls" = 0 ] || check "$calls calls were checked" [ "$(value checked)" -ge "$calls" ]

# Back to the start
rmmod mux_probes
rmmod mux_target mux_user 2> /dev/null
for i in $I/[ms]*/; do
	[ ! -d "$i" ] || rmdir "$i"
done
for f in /sys/devices/system/cpu/cpu*/online; do
	[ ! -w "$f" ] || echo 1 > "$f"
done 2> /dev/null
free_all
sleep 1
memory_is_back "$before" "$(used)" 8192
finish
