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
instances=()
declare -A to from

# start KIND [MODULE]: attaches two programs of that kind to mt_fn04
start()
{
	local in out ready

	rm -f /tmp/in /tmp/out
	mkfifo /tmp/in /tmp/out
	exec {in}<> /tmp/in {out}<> /tmp/out
	$modules/bpf-calls "$1" mt_fn04 "${@:2}" <&"$in" >&"$out" 2> /tmp/err &
	read -r -t 60 ready <&"$out"
	[ "$ready" = ready ] || { cat /tmp/err; return 1; }
	to[$1]=$in from[$1]=$out
}

# stop KIND
stop()
{
	local in=${to[$1]} out=${from[$1]}

	printf q >&"$in"
	while pgrep -f "bpf-calls $1 " > /dev/null; do sleep 0.1; done
	exec {in}>&- {out}>&-
	unset "to[$1]" "from[$1]"
}

# programs: "KIND ENTRIES RETURNS", those that are attached
programs()
{
	local kind both

	for kind in "${!to[@]}"; do
		printf r >&"${to[$kind]}" && read -r -t 60 both <&"${from[$kind]}"
		echo "$kind ${both/,/ }"
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
	[ "$seen" = "$(for i in "${!to[@]}"; do echo "$i 100 100"; done | sort)" ] || { echo "programs: $seen"; bad=1; }
	for i in "${instances[@]}"; do
		[ "$(grep -c mt_fn04 "$I/$i/trace")" = 100 ] || { echo "$i: $(grep -c mt_fn04 "$I/$i/trace") calls"; bad=1; }
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
