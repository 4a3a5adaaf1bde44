#!/bin/bash
# guest: KERNEL=debug SMP=2 THREAD=single TIMEOUT=900 MODULES=1
# arch: x86_64
#
# BPF next to tracers: programs of the kinds fentry and fexit, which the kernel attaches by a direct call, and of the kind
# kprobe_multi. They come before the tracers and after them, stay when the tracers go, and come and go while two CPUs call
# the function. Each program and each tracer counts each call once.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh
I=$T/instances
instances=() kinds=()

# start KIND [MODULE]: attaches two programs of that kind to mt_fn04
start()
{
	counter_start "$1" bpf-calls "$1" mt_fn04 "${@:2}" && kinds+=("$1")
}

# stop KIND
stop()
{
	counter_stop "$1"
	mapfile -t kinds < <(printf '%s\n' "${kinds[@]}" | grep -vx "$1")
}

# programs: "KIND ENTRIES RETURNS", those that are attached
programs()
{
	local kind counts

	for kind in "${kinds[@]}"; do
		counts=$(counter_read "$kind")
		echo "$kind ${counts/,/ }"
	done | sort
}

# all_exact: a hundred calls of each function
all_exact()
{
	local i seen before after bad=0

	for i in "${instances[@]}"; do
		echo > "$I/$i/trace"
	done
	before=$(programs)
	exact_calls 100 || bad=1
	after=$(programs)
	seen=$(join <(echo "$before") <(echo "$after") | awk 'NF == 5 { print $1, $4 - $2, $5 - $3 }')
	[ "$seen" = "$(for i in "${kinds[@]}"; do echo "$i 100 100"; done | sort)" ] || { echo "programs: $seen"; bad=1; }
	for i in "${instances[@]}"; do
		seen=$(grep -c mt_fn04 "$I/$i/trace")
		[ "$seen" = 100 ] || { echo "$i: $seen calls"; bad=1; }
	done
	return $bad
}

# tracers_on: three of the module, the function tracer and function graph of an instance each
tracers_on()
{
	tracer 0 0x10 && tracer 1 0xffff && tracer 2 0xf0 regs || return
	instances=(function function_graph)
	for i in "${instances[@]}"; do
		mkdir $I/$i && echo mt_fn04 > $I/$i/set_ftrace_filter && echo $i > $I/$i/current_tracer || return
	done
}

tracers_off()
{
	for i in "${instances[@]}"; do
		echo nop > $I/$i/current_tracer && rmdir $I/$i || return
	done
	instances=()
	free_all
}

[ -s /sys/kernel/btf/mux_test ] || { echo 'Bail out! the module has no BTF'; exit 1; }
check 'fentry alone' start fentry mux_test
check 'counts each call' all_exact
check 'tracers come' tracers_on
check 'all are exact' all_exact
check 'kprobe_multi comes' start kprobe_multi
check 'all are exact again' all_exact
stop fentry
check 'fentry goes: the others are exact' all_exact
check 'and comes after the tracers' start fentry mux_test
check 'all are exact still' all_exact
check 'tracers go' tracers_off
check 'the programs are exact' all_exact
stop kprobe_multi
stop fentry
check 'no function is traced' all_gone

check 'tracers again' tracers_on
mt reset
mt load 2
for round in 1 2 3 4 5; do
	start fentry mux_test && start kprobe_multi || break
	mt ips 1 "$(printf 0x%x $((round * 0x1111)))"
	stop fentry
	stop kprobe_multi
done
mt load 0
same 'programs come and go while the function is called' 5 "$round"
check 'no call was lost or seen twice' no_errors
check 'all are exact at the end' all_exact
check 'tracers go at the end' tracers_off
finish
