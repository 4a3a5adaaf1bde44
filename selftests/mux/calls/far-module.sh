#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=400 MODULES=1
# arch: arm64
#
# Functions of a module that is more than 128 MiB away from the kernel, which is further than a BL reaches: their call
# sites call the module's PLT. mux_fill takes the room that is nearer.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh
I=$T/instances

# distance SYMBOL: MiB between it and what a call site calls
distance()
{
	local here there

	here=0x$(awk '$3 == "ftrace_caller" { print $1 }' /proc/kallsyms)
	there=0x$(awk -v s="$1" '$3 == s { print $1 }' /proc/kallsyms)
	echo $(((here > there ? here - there : there - here) >> 20))
}

check 'a module as usual: a branch reaches it' test "$(distance mt_fn04)" -lt 128
tracer 0 0xff
check 'one tracer' exact_calls
free_all
rmmod mux_test
check 'no room is left near the kernel' insmod $modules/mux_fill.ko
insmod $modules/mux_test.ko || exit
check "the module is $(distance mt_fn04) MiB away" test "$(distance mt_fn04)" -gt 128
insmod $modules/mux_target.ko

# Callers with and without what some of the flags need, sets of two and more, lists
mixed=('' '' recursion rcu '' recursion '' rcu '' '')
for ((id = 0; id < 10; id++)); do
	tracer $id 'mt_fn0*,mt_fn1*' "${mixed[id]}"
	check "$((id + 1)) tracers" exact_calls
done
for id in 2 6 0 7 1; do
	mt unreg $id
	check "without tracer $id" exact_calls
done
mt filter 3 'mt_fn2*'
check 'a filter changes' exact_calls

# Instances, and a module that goes while they trace it
mkdir $I/a $I/b
echo 'tg_fn*' > $I/a/set_ftrace_filter
echo 'tg_fn[12]' > $I/b/set_ftrace_filter
echo function | tee $I/a/current_tracer $I/b/current_tracer > /dev/null
check 'two instances: the masks and the text agree' masks_ok
echo 25 > /sys/module/mux_target/parameters/call
echo 0 | tee $I/a/tracing_on $I/b/tracing_on > /dev/null
for line in a:0:25 a:1:25 a:2:25 a:3:25 b:0:0 b:1:25 b:2:25 b:3:0; do
	IFS=: read -r instance fn want <<< $line
	same "instance $instance, tg_fn$fn" "$want" "$(grep -c "tg_fn$fn <-" $I/$instance/trace)"
done
rmmod mux_target
check 'the module has gone' masks_ok
rmdir $I/a $I/b
check 'the others see their calls' exact_calls

# function_graph together with them
echo mt_fn04 > $T/set_ftrace_filter
echo function_graph > $T/current_tracer
check 'function_graph together with tracers' exact_calls
same 'it sees each call' 20 "$(grep -c 'mt_fn04' $T/trace)"
echo nop > $T/current_tracer
echo > $T/set_ftrace_filter
check 'it has gone' exact_calls
free_all
rmmod mux_test
rmmod mux_fill
insmod $modules/mux_test.ko
check 'near again' test "$(distance mt_fn04)" -lt 128
tracer 0 0xff
check 'one tracer again' exact_calls
finish
