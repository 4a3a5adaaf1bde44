#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# For machine.test, in Debian 13 with systemd: the kernel package with the multiplexer, with what else uses ftrace there.
# Each counts the calls of one function, and all have to count the same. Then apt-get removes the packages.
# shellcheck source=selftests/tap.sh
. /files/tap.sh
T=/sys/kernel/tracing
modules=/files/modules
shown=(/tmp/out /tmp/err)
calls=1000

# run STATUS NAME COMMAND...
run()
{
	local want=$1 name=$2 status=0

	shift 2
	timeout 600 "$@" > /tmp/out 2> /tmp/err < /dev/null || status=$?
	same "$name" "exit status $want" "exit status $status"
}

# wait_for COMMAND: a minute or two
wait_for()
{
	local i

	for ((i = 0; i < 600; i++)); do
		if eval "$1" > /dev/null 2>&1; then return; fi
		sleep 0.2
	done
	return 1
}

call()
{
	echo "call 4 $1" > /sys/kernel/debug/mux_test/cmd
}

# What is worse than a notice, but for what each module of ours says when it is loaded
log_of()
{
	dmesg -l emerg,alert,crit,err,warn | grep -vE "callbacks suppressed|$1" | sed 's|^\[[^]]*\] ||'
}

before=$(log_of '^$')

echo "# the system"
same 'the system runs' running "$(systemctl is-system-running --wait)"
systemctl --failed --no-legend | sed 's/^/# /'
check 'the kernel is the package' sh -c 'case $(uname -r) in *-mux) dpkg -S /boot/vmlinuz-$(uname -r);; *) false;; esac'
same 'nothing has tainted it' 0 "$(cat /proc/sys/kernel/tainted)"
for option in DEBUG_INFO_BTF BPF_LSM X86_KERNEL_IBT MITIGATION_RETPOLINE MITIGATION_CALL_DEPTH_TRACKING MODULE_SIG PREEMPT_DYNAMIC \
	SECURITY_LOCKDOWN_LSM LIVEPATCH RANDOMIZE_BASE FTRACE_MUX; do
	check "it has $option" grep -qx "CONFIG_$option=y" "/boot/config-$(uname -r)"
done
same 'as Debian: no lockdown without Secure Boot' '[none] integrity confidentiality' "$(cat /sys/kernel/security/lockdown)"
check 'security modules: BPF is one' grep -q bpf /sys/kernel/security/lsm
check 'its modules are signed' sh -c 'modinfo -F sig_key virtio_blk | grep -q :'
check 'BTF is there' test -s /sys/kernel/btf/vmlinux

echo "# a session"
run 0 'status' ftrace-mux status
check 'it multiplexes' grep -q '^multiplexing *yes' /tmp/out
run 0 'add' ftrace-mux add opens --filter vfs_open --filter '*sys_openat'
run 0 'add' ftrace-mux add files --filter vfs_open --filter vfs_statx
run 0 'which' ftrace-mux which vfs_open vfs_statx
check 'both trace it' grep -qE '^vfs_open .* opens,files$' /tmp/out
run 0 'filter --append' ftrace-mux filter --append files vfs_getattr
ls -l / > /dev/null
run 0 'watch' ftrace-mux watch --once
check 'it shows calls' grep -q '^files .* vfs_statx <-' /tmp/out
run 0 'check' ftrace-mux check
check 'all is well' grep -q '^ok: .* 3 tracers$' /tmp/out
run 0 'save' ftrace-mux save /tmp/tracers.json
run 0 'del' ftrace-mux del opens files
run 0 'restore' ftrace-mux restore /tmp/tracers.json
same 'they are back' 'files opens trace' "$(ftrace-mux list --names | sort | paste -sd ' ' -)"
run 0 'del' ftrace-mux del opens files
rm -f /tmp/tracers.json

echo "# everything on one function"
run 0 'the module of the test' insmod $modules/mux_test.ko
echo 'others 1' > /sys/kernel/debug/mux_test/cmd
run 0 'a livepatch' insmod $modules/mux_klp.ko
check 'it is in' wait_for '[ "$(cat /sys/kernel/livepatch/mux_klp/transition)" = 0 ]'
bpftrace -e 'fentry:mux_test:mt_fn04 { @fentry = count(); } fexit:mux_test:mt_fn04 { @fexit = count(); } kprobe:mt_fn04 { @kprobe = count(); }' \
	> /tmp/bpftrace 2>&1 &
bpf=$!
check 'bpftrace is attached: fentry, fexit, kprobe' wait_for 'grep -q "^Attach" /tmp/bpftrace'
echo 'p:mine/fn04 mt_fn04' >> $T/kprobe_events
perf stat -a -x , -o /tmp/perf -e mine:fn04 sleep 10000 &
perf=$!
check 'perf counts a kprobe' wait_for '[ "$(cat $T/events/mine/fn04/enable)" = 0 ] && pgrep -x sleep'
ftrace-mux add monitor -l mt_fn04 --buffer 2M
sleep 3
run 0 'record with three tracers' ftrace-mux record --buffer 2M -o /tmp/r.dat -t one:mt_fn04 -t two:'mt_fn0*' \
	-t graph:mt_fn04,plugin=function_graph -- sh -c "echo 'call 4 $calls' > /sys/kernel/debug/mux_test/cmd"
check 'nothing is lost' grep -q "one $calls events, 0 lost; two $calls events, 0 lost; graph $((2 * calls)) events, 0 lost" /tmp/err
run 0 'report' ftrace-mux report --json /tmp/r.dat
same 'each has each call, and its function too' 6 "$(grep -oE "\"calls\": *$calls\b" /tmp/out | wc -l)"
same 'so has the one that runs already' $calls "$(grep -c 'mt_fn04 <-' $T/instances/monitor/trace)"
kill -INT $bpf
wait $bpf
for what in fentry fexit kprobe; do
	check "bpftrace: $what" grep -qx "@$what: $calls" /tmp/bpftrace
done
pkill -INT -x sleep
wait $perf
check 'perf' grep -q "^$calls,.*mine:fn04" /tmp/perf
echo '-:mine/fn04' >> $T/kprobe_events
same 'the livepatch' $calls "$(cat /sys/module/mux_klp/parameters/calls)"
run 0 'check' ftrace-mux check
run 0 'trace-cmd' trace-cmd record -q -o /tmp/t.dat -B one -p function -l mt_fn04 -B two -p function -l 'mt_fn0*' -- \
	sh -c "echo 'call 4 $calls' > /sys/kernel/debug/mux_test/cmd"
same 'both buffers have each call' "$calls $calls" \
	"$(trace-cmd report -i /tmp/t.dat 2> /dev/null | awk '/mt_fn04/ { n[$1]++ } END { print n["one:"], n["two:"] }')"
run 0 'from the one that runs already' ftrace-mux record --attach monitor -o /tmp/r.dat -- \
	sh -c "echo 'call 4 $calls' > /sys/kernel/debug/mux_test/cmd"
check 'each call since it runs' grep -q "monitor $((3 * calls)) events, 0 lost" /tmp/err
same 'so the recording says' $((3 * calls)) "$(trace-cmd report -i /tmp/r.dat 2> /dev/null | grep -c mt_fn04)"
echo 0 > /sys/kernel/livepatch/mux_klp/enabled
check 'the livepatch goes' wait_for '[ ! -d /sys/kernel/livepatch/mux_klp ]'
run 0 'its module' rmmod mux_klp
run 0 'the test saw nothing wrong' grep -x 'errors 0' /sys/kernel/debug/mux_test/stats
ftrace-mux del monitor
run 0 'the module of the test goes' rmmod mux_test

echo "# programs of the system"
ftrace-mux add hooks -l 'bpf_lsm_file_open'
run 0 'a service that may open all files' systemd-run -q --wait -p RestrictFileSystems= cat /proc/version
check 'and one that may not open those of proc: BPF of systemd' sh -c \
	'systemd-run -q --wait -p RestrictFileSystems=~proc cat /proc/version; [ $? != 0 ]'
check 'the tracer sees the function that it is attached to' grep -q 'bpf_lsm_file_open <-' $T/instances/hooks/trace
ftrace-mux del hooks
ftrace-mux add everything
run 0 'perf ftrace with a tracer of everything' perf ftrace -T vfs_read -- cat /proc/version
check 'it has its function' grep -q 'vfs_read <-' /tmp/out
run 0 'rtla' rtla timerlat hist -d 3s -c 0
check 'it has measured' grep -q '^ALL: \|^count:' /tmp/out
same 'the tracer runs' function "$(cat $T/instances/everything/current_tracer)"
ftrace-mux del everything

echo "# at the end"
run 0 'the kernel is content' ftrace-mux check
same 'the log has nothing new but the livepatch and modules from elsewhere' "$before" \
	"$(log_of 'loading out-of-tree module|module verification failed|livepatch|tainting kernel')"
run 0 'apt-get purges both' env DEBIAN_FRONTEND=noninteractive apt-get purge -y ftrace-mux "linux-image-$(uname -r)"
same 'nothing of them is in /boot' '' "$(find /boot -name '*mux*')"
check 'Debian has its own kernel' compgen -G '/boot/vmlinuz-*-cloud-amd64'
finish
