#!/bin/bash
# guest: KERNEL=mux KASLR=1 SMP=2 THREAD=single TIMEOUT=400 MODULES=1
#
# Modules come and go while their functions are traced, also by filters written for a module that is not there
# yet; tracers of other functions lose nothing (invariant 7).
# Upstream: e60b613df8b6, f914b52c379c, 19ba6c8af938 (use after free in look-ups while modules go), ee92fa443358
# (look-up in an empty page of records).
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh

I=$T/instances

target()
{
	insmod $modules/mux_target.ko
}

call_target()
{
	echo "$1" > /sys/module/mux_target/parameters/call
}

# other ID: calls of functions outside of mux_test that the tracer saw
other()
{
	awk -v t="$1" '$1 == "other" && $2 == t { n = $3 } END { print n + 0 }' $D/stats
}

# lines INSTANCE FUNCTION: its calls in the buffer, which stands still from here on
lines()
{
	# A whole-kernel tracer would trace the reader faster than it reads.
	echo 0 > "$1/tracing_on"
	grep -c "$2 <-" "$1/trace"
}

# Both instances record again, into empty buffers
record()
{
	echo 1 | tee $I/a/tracing_on $I/b/tracing_on > /dev/null
	echo > $I/a/trace
	echo > $I/b/trace
}

mkdir $I/a $I/b
target
# Two module tracers and an instance on the same functions of the module
tracer 0 'tg_fn*' other
tracer 1 'tg_fn[01]' other regs
tracer 2 0xff
echo 'tg_fn[12]' > $I/a/set_ftrace_filter
echo function > $I/a/current_tracer
call_target 25
same 'a module loaded before its tracers: tracer 0' 100 "$(other 0)"
same 'a module loaded before its tracers: tracer 1' 50 "$(other 1)"
same 'a module loaded before its tracers: the instance' '25 25' "$(lines $I/a tg_fn1) $(lines $I/a tg_fn2)"
check 'masks agree with a module loaded' masks_ok
rmmod mux_target
check 'masks agree after the module has gone' masks_ok
mt call '*' 10
check 'others see their calls after the module has gone' counts_exact 10
target
record
call_target 5
same 'the module is back, an instance that had its functions by name does not trace them' 0 \
	"$(lines $I/a tg_fn1)"
check 'masks agree with the module back' masks_ok
rmmod mux_target
mt free 0
mt free 1

# Filters for a module that is not there yet
echo '*:mod:mux_target' > $I/a/set_ftrace_filter
echo 'tg_fn[23]:mod:mux_target' > $I/b/set_ftrace_filter
echo function > $I/b/current_tracer
target
record
call_target 15
same ':mod: filter of an instance, written before the module came' '15 15' \
	"$(lines $I/a tg_fn0) $(lines $I/a tg_fn3)"
same ':mod: filter of a second instance on the same functions' '0 15' \
	"$(lines $I/b tg_fn1) $(lines $I/b tg_fn3)"
check 'masks agree with :mod: filters' masks_ok
rmmod mux_target

# A whole-kernel tracer sees a new module's functions from the first call on, next to an instance
mt add 0
mt notrace 0 'mt_fn*'
mt reg 0
echo > $I/b/set_ftrace_filter
mt reset
record
target
same 'an instance on the whole kernel: the function that initializes the module is traced' 1 "$(lines $I/b tg_init)"
check 'masks agree when its memory is freed' masks_ok
record
call_target 5
echo 0 > $I/b/tracing_on
same 'an instance on the whole kernel: a new module is traced' '5 5' \
	"$(lines $I/b tg_fn0) $(lines $I/b tg_fn3)"
check 'a module tracer on the whole kernel: a new module is traced' [ "$(other 0)" -ge 20 ]
check 'masks agree with two whole-kernel tracers and a new module' masks_ok
rmmod mux_target
check 'masks agree after the new module has gone' masks_ok
echo nop > $I/b/current_tracer
mt free 0

# In a loop, with the filters being rewritten and the functions hammered
loop()
{
	local i

	mt reset
	mt load 1
	for ((i = 0; i < 12; i++)); do
		echo '*:mod:mux_target' > $I/a/set_ftrace_filter
		echo 'tg_fn1:mod:mux_target' >> $I/b/set_ftrace_filter
		target || return
		echo 'tg_fn*' >> $I/a/set_ftrace_filter
		mt ips 2 "0x${i}f" || return
		call_target 3
		echo '!*:mod:mux_target' >> $I/b/set_ftrace_filter
		rmmod mux_target || return
		mt ips 2 0xff
	done
	mt load 0
}
# More lines for modules that are not loaded than a reader gets at once
for ((i = 0; i < 400; i++)); do
	echo "nf$i:mod:nomod$i"
done > /tmp/unloaded
emptied_while_read()
{
	local i

	for ((i = 0; i < 3; i++)); do
		cat /tmp/unloaded > $I/a/set_ftrace_notrace || return
		exec 3< $I/a/set_ftrace_notrace
		dd bs=1 count=1 <&3 2> /dev/null
		echo > $I/a/set_ftrace_notrace
		cat <&3
		exec 3<&-
	done | grep -c . > /dev/null
}
for f in filter notrace; do
	cat /tmp/unloaded > $I/a/set_ftrace_$f
	same "all lines for modules in set_ftrace_$f are read" "$(sort /tmp/unloaded)" \
		"$(grep :mod: $I/a/set_ftrace_$f | sort)"
	echo > $I/a/set_ftrace_$f
done
check 'set_ftrace_notrace is emptied while somebody reads it' emptied_while_read

echo function > $I/b/current_tracer
(for ((i = 0; i < 40; i++)); do
	echo "mt_fn0$((i % 10))" > $I/b/set_ftrace_filter
	echo 'tg_fn0:mod:mux_target' > $I/b/set_ftrace_notrace
	cat $I/a/set_ftrace_filter $I/b/set_ftrace_filter $T/enabled_functions > /dev/null
done) &
check 'e60b613df8b6 and others: module in and out while filters are rewritten' loop
wait
check 'nothing lost meanwhile' no_errors
check 'masks agree' masks_ok
rmdir $I/a $I/b

# What lists a tracer's trampoline, and what names functions of a module, when the module has gone
watch_symbols
target
echo 'tg_fn*' > $T/set_ftrace_filter
echo function > $T/current_tracer
for id in 3 4 5 6 7 8; do
	tracer $id 0xff
done
insmod $modules/mux_user.ko filter='mt_fn2*'
! has_trampolines ||
	same 'a module with a tracer without an ID: its trampoline is listed' 1 "$(trampolines | wc -l)"
call_target 2
rmmod mux_target
rmmod mux_user
same 'it has gone: the trampoline is not listed' '' "$(trampolines)"
! has_trampolines || same 'and perf was told' '' "$(symbols_left)"
echo z > /proc/sysrq-trigger
same 'what a kernel prints when it crashes has the calls of what has gone, by number' 8 \
	"$(dmesg | grep -cE ': 0x[0-9a-f]+ <-')"
echo nop > $T/current_tracer
echo > $T/set_ftrace_filter
finish
