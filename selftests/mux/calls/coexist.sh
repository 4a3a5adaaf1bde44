#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=600 MODULES=1
#
# Invariant 9: everything that can use a function's call site, on one function, attached and detached in many
# orders: each sees each call once, with the true parent; a patched function runs the new code; a kprobe can
# send the call elsewhere; stack traces through the callers are complete.
# perf, function probes and BPF-like direct calls are among them.
# Upstream: 56b3c85e153b, 3e9a18e1c3e9 (livepatch or IPMODIFY next to direct calls), 5bf5743c9589 (profiler next to
# the function tracer).
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh

# A kprobe at the entry of a function is a user of its call site. Elsewhere it comes before the call site: one that
# redirects leaves no call to trace, and tracers see that a kretprobe has replaced the return address.
on_ftrace=
! has kprobe_ftrace_handler || on_ftrace=1
I=$T/instances
P=/sys/module/mux_probes/parameters
fn=mt_fn04
orders=${ORDERS:-4}
insmod $modules/mux_probes.ko

for i in a b graph on; do
	mkdir $I/$i
done
echo 0 > $I/on/tracing_on

# tracer INSTANCE: `function` or another one on our function
tracer_on()
{
	echo $fn > "$1/set_ftrace_filter" && echo "$2" > "$1/current_tracer" && echo > "$1/trace"
}

attach()
{
	case $1 in
	function) tracer_on $T function ;;
	a | b) tracer_on $I/"$1" function ;;
	graph) tracer_on $I/graph function_graph ;;
	traceon) echo "$fn:traceon" > $I/on/set_ftrace_filter ;;
	profile) echo $fn > $T/set_ftrace_filter && echo 1 > $T/function_profile_enabled ;;
	args) mt add 0 $stack && mt ips 0 0x10 && mt reg 0 ;;
	regs) mt add 1 "regs $stack" && mt ips 1 0x10 && mt reg 1 ;;
	livepatch) mt others 1 && patch_in ;;
	redirect) mt others 1 && { echo 'redirect 4' > $P/attach || { mt others 0; false; }; } ;;
	perf) counter_start perf perf-function "ip == $fn" ;;
	*) echo "$1 4" > $P/attach ;;
	esac
}

detach()
{
	case $1 in
	function) echo nop > $T/current_tracer ;;
	a | b | graph) echo nop > $I/"$1"/current_tracer ;;
	traceon) echo "!$fn:traceon" > $I/on/set_ftrace_filter ;;
	profile) echo 0 > $T/function_profile_enabled ;;
	args) mt free 0 ;;
	regs) mt free 1 ;;
	livepatch) patch_out && mt others 0 ;;
	redirect) echo 'redirect 4' > $P/detach && mt others 0 ;;
	perf) counter_stop perf ;;
	*) echo "$1 4" > $P/detach ;;
	esac
}

zero()
{
	local f

	for f in kprobe kretprobe fprobe fprobe_exit direct jump redirect wrong; do
		echo 0 > $P/$f
	done
	for f in $T $I/*/; do
		echo > "$f/trace"
	done
	echo 0 > $I/on/tracing_on
	[ ! -d /sys/module/mux_klp ] || klp_before=$(cat /sys/module/mux_klp/parameters/calls)
	mt reset
}

in_trace()
{
	grep -cE "$2" "$1/trace"
}

# seen USER: how many calls it saw since zero
seen()
{
	case $1 in
	function) in_trace $T "$fn <-mt_ret_addr" ;;
	a | b) in_trace $I/"$1" "$fn <-mt_ret_addr" ;;
	graph) in_trace $I/graph "$fn.*\(\)" ;;
	traceon) cat $I/on/tracing_on ;;
	profile) cat $T/trace_stat/function* | awk -v f=$fn '$1 == f { n += $2 } END { print n + 0 }' ;;
	args) count 0 4 ;;
	regs) count 1 4 ;;
	livepatch) echo $(($(cat /sys/module/mux_klp/parameters/calls) - klp_before)) ;;
	perf) counter_read perf ;;
	fprobe) echo $((($(cat $P/fprobe) + $(cat $P/fprobe_exit)) / 2)) ;;
	*) cat $P/"$1" ;;
	esac
}

# Some only count while nobody sends the call elsewhere: then the function and its return do not happen.
calls_seen()
{
	local user want got bad=0 profiled=0 counted=0

	case " $* " in *\ profile\ *) profiled=$(seen profile) ;; esac
	case " $* " in *\ perf\ *) counted=$(seen perf) ;; esac
	zero
	mt call 4 10
	for user; do
		want=10
		got=$(seen "$user")
		case $user in
		traceon) want=1 ;;
		profile) got=$((got - profiled)) ;;
		perf) got=$((got - counted)) ;;
		esac
		[ "$got" = $want ] || { echo "$user saw $got of $want calls"; bad=1; }
	done
	[ "$(cat $P/wrong)" = 0 ] || { echo "wrong arguments, parent or result in a probe: $(cat $P/wrong)"; bad=1; }
	case " $* " in
	*\ livepatch\ * | *\ redirect\ *) want=0 ;;
	*) want=10 ;;
	esac
	[ "$(calls 4)" = $want ] || { echo "the function ran $(calls 4) times, not $want"; bad=1; }
	no_errors || bad=1
	masks_ok || bad=1
	[ $bad = 0 ] || cat $T/enabled_functions
	return $bad
}

# in_and_out COMING -- GOING
in_and_out()
{
	local on=() user rest gone

	while [ "$1" != -- ]; do
		attach "$1" || { echo "attach $1 failed"; return 1; }
		on+=("$1")
		calls_seen "${on[@]}" || { echo "with ${on[*]}"; return 1; }
		shift
	done
	shift
	for gone; do
		detach "$gone" || { echo "detach $gone failed"; return 1; }
		rest=()
		for user in "${on[@]}"; do
			[ "$user" = "$gone" ] || rest+=("$user")
		done
		on=("${rest[@]}")
		calls_seen "${on[@]}" || { echo "without $gone, with ${on[*]}"; return 1; }
	done
	all_gone
}

# An order that depends on the number alone
shuffled()
{
	local seed=$1
	shift

	printf '%s\n' "$@" | sort -R --random-source=<(yes "seed $seed")
}

# A tracer that is left after a failure is removed, so that the next order starts from nothing.
clean()
{
	local user

	for user; do
		detach "$user"
	done > /dev/null 2>&1
}

# are_there USER...: those of them that this kernel has
are_there()
{
	local user

	for user; do
		case $user in
		fprobe) has register_fprobe || continue ;;
		kretprobe) [ -n "$on_ftrace" ] || continue ;;
		livepatch) has klp_enable_patch || continue ;;
		esac
		echo "$user"
	done
}

run_orders()
{
	local what=$1 i coming going
	shift

	# shellcheck disable=SC2046 # words
	set -- $(are_there "$@")

	for ((i = 0; i < orders; i++)); do
		coming=$(shuffled $i "$@" | tr '\n' ' ')
		going=$(shuffled $((i + 100)) "$@" | tr '\n' ' ')
		# shellcheck disable=SC2086 # words
		check "$what: $coming/ $going" in_and_out $coming -- $going
		clean "$@"
	done
}

# No stack traces where function_graph and fprobe or kretprobe meet: a return address that both have replaced, one
# after the other, is one that the unwinder of the kernel does not find its way back from.
stack=
run_orders livepatch function a b graph traceon perf args regs kprobe kretprobe fprobe livepatch
stack=stack
run_orders graph function graph livepatch kprobe args regs
# In Linux 7.2 fprobe is a user of function_graph.
! grep -q ' fprobe_graph_ops$' /proc/kallsyms || stack=
run_orders direct function a b perf args regs kprobe kretprobe fprobe direct
# Linux 7.2 can jump to a direct function; it continues after the call site itself.
if attach jump 2> /dev/null; then
	detach jump
	run_orders jump function a b perf args regs kprobe kretprobe fprobe jump
	run_orders 'jump alone' jump args
else
	skip 'a direct function that is jumped to' 'not in this version of Linux'
fi
[ -z "$on_ftrace" ] || run_orders redirect function a b args regs redirect
run_orders profile function profile a args

# What cannot share a function must not succeed, in either order, and leave the first one working.
refused()
{
	attach "$1" || return
	! attach "$2" 2> /dev/null || { echo "$2 was not refused next to $1"; return 1; }
	attach args && calls_seen "$1" args
	local status=$?
	detach args
	detach "$1"
	return $status
}
if [ -n "$on_ftrace" ]; then
	check 'a direct call is refused next to a redirecting kprobe' refused redirect direct
	clean redirect direct args
fi

# A kprobe with a post handler, which asks for other ops than one without, on the same function. The last to come is
# the first to be called, and the one that redirects is the last.
joined()
{
	local user

	for user in kprobe kretprobe; do
		attach $user && attach redirect && calls_seen redirect args || return
		detach redirect && calls_seen $user args && detach $user && calls_seen args || return
		attach $user && attach redirect && calls_seen redirect args || return
		detach $user && calls_seen redirect args && detach redirect && calls_seen args || return
		attach redirect && attach $user && calls_seen redirect args || return
		detach redirect && calls_seen $user args && detach $user && calls_seen args || return
	done
}
if [ -n "$on_ftrace" ]; then
	attach args
	check 'a kprobe and a redirecting one share a function, and both go' joined
	detach args
	check 'they have left nothing' all_gone
fi

# The kernel's own examples, on a function that each fork calls: the second one has a post handler
examples()
{
	modprobe kretprobe_example && modprobe kprobe_example && (:) &&
		rmmod kprobe_example && rmmod kretprobe_example && (:) && all_gone
}
check "the kernel's own examples of probes come and go" examples
rmmod mux_probes
rmdir $I/a $I/b $I/graph $I/on
finish
