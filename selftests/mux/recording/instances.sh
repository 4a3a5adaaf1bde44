#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=300 MODULES=1
#
# Instances that run `function` with overlapping filters, notrace and pid filters next to tracers of a module: each
# buffer holds a line for every call that its own filter selects, with the true caller, and no other line.
# Upstream: 24311962484385 (pid filter set before and after a site gets a second tracer), 57b76bedc5c5
# (preempt depth).
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh

I=$T/instances

# lines INSTANCE: function and number of calls, for all in the buffer
lines()
{
	awk '!/^#/ { for (i = 1; i <= NF; i++) if ($i ~ /^<-/) n[$(i - 1) " " $i]++ }
		END { for (f in n) print f, n[f] }' "$1/trace" | sort | tr '\n' ';'
}

# expected COUNT FUNCTION...: what lines should say
expected()
{
	local n=$1 f
	shift

	for f; do
		printf 'mt_fn%s <-mt_ret_addr %s\n' "$f" "$n"
	done | sort | tr '\n' ';'
}

clear_all()
{
	local i

	for i in $T $I/*/; do
		echo > "$i/trace"
		echo 1 > "$i/tracing_on"
	done
}

# lost INSTANCE: events that did not fit in the buffer
lost()
{
	awk '/overrun:|dropped events:/ { n += $NF } END { print n + 0 }' "$1"/per_cpu/cpu*/stats
}


for i in a b c; do
	mkdir $I/$i
	echo 4096 > $I/$i/buffer_size_kb
done
echo 'mt_fn0[0-3]' > $I/a/set_ftrace_filter
echo 'mt_fn0[2-5]' > $I/b/set_ftrace_filter
echo 'mt_fn*' > $I/c/set_ftrace_filter
echo 'mt_fn[12]?' > $I/c/set_ftrace_notrace
echo 'mt_fn0[05]' > $T/set_ftrace_filter
for i in $I/a $I/b $I/c $T; do
	echo function > $i/current_tracer
done
tracer 0 "$(mask 3-5)" regs

# workload N: calls every function N times, and stops recording, so that the numbers can be compared
workload()
{
	clear_all
	mt reset
	mt call '*' "$1"
	# A whole-kernel tracer would push out what the others wrote, and trace the reader of its buffer.
	echo 0 | tee $T/tracing_on $I/*/tracing_on > /dev/null
}

all_functions=$(seq -f %02g 0 31)
workload 100
same 'instance a: exactly its own calls' "$(expected 100 00 01 02 03)" "$(lines $I/a)"
same 'instance b: exactly its own calls' "$(expected 100 02 03 04 05)" "$(lines $I/b)"
same 'instance c: exactly its own calls' \
	"$(expected 100 00 01 02 03 04 05 06 07 08 09 30 31)" "$(lines $I/c)"
same 'top level: exactly its own calls' "$(expected 100 00 05)" "$(lines $T)"
check 'module tracer next to them: exact counts' counts_exact 100
check 'module tracer next to them: no error' no_errors
check 'masks, records and text agree' masks_ok
for i in $I/a $I/b $I/c $T; do
	same "nothing lost in ${i##*/}" 0 "$(lost $i)"
done

# The preemption count in the entries does not depend on the number of tracers.
alone=$(awk '!/^#/ && /mt_fn09/ { print substr($3, 4, 1) }' $I/c/trace | sort -u | tr -d '\n')
shared=$(awk '!/^#/ && /mt_fn03/ { print substr($3, 4, 1) }' $I/c/trace | sort -u | tr -d '\n')
if is_mux; then
	same '57b76bedc5c5: the same preempt depth with one and with four tracers' "$alone" "$shared"
else
	skip '57b76bedc5c5: the same preempt depth with one and with four tracers' 'stock adds 1 in its list walk'
fi

# 8: one filtered tracer stays filtered when an unfiltered one comes
echo > $I/b/set_ftrace_filter
workload 20
same 'b without filter, a keeps its own' "$(expected 20 00 01 02 03)" "$(lines $I/a)"
same 'b without filter sees all' "$(expected 20 $all_functions)" \
	"$(lines $I/b | tr ';' '\n' | grep '^mt_fn.. <-mt_ret_addr' | tr '\n' ';')"
echo 'mt_fn0[2-5]' > $I/b/set_ftrace_filter

# pid filters: set while shared, and before
call_as_other_task()
{
	bash -c "echo 'call * $1' > $D/cmd"
}
clear_all
bash -c "echo \$\$ > $I/a/set_ftrace_pid; echo 'call * 30' > $D/cmd"
call_as_other_task 50
same '24311962484385: a follows one task, while others share its functions' \
	"$(expected 30 00 01 02 03)" "$(lines $I/a)"
same '24311962484385: b follows all tasks' "$(expected 80 02 03 04 05)" "$(lines $I/b)"
for i in b c; do
	echo nop > $I/$i/current_tracer
done
mt unreg 0
clear_all
bash -c "echo \$\$ > $I/a/set_ftrace_pid; echo 'call * 7' > $D/cmd"
call_as_other_task 5
same 'pid filter with nobody else on the functions' "$(expected 7 00 01 02 03)" "$(lines $I/a | tr ';' '\n' | sort | tr '\n' ';')"
echo function > $I/b/current_tracer
mt reg 0
clear_all
bash -c "echo \$\$ > $I/a/set_ftrace_pid; echo \$\$ > $I/b/set_ftrace_notrace_pid; echo 'call * 9' > $D/cmd"
call_as_other_task 4
same 'pid filter set before the second tracer came back' "$(expected 9 00 01 02 03)" "$(lines $I/a)"
same 'notrace pid of the second tracer' "$(expected 4 02 03 04 05)" "$(lines $I/b)"
echo > $I/a/set_ftrace_pid
echo > $I/b/set_ftrace_notrace_pid
workload 11
same 'pid filter removed' "$(expected 11 00 01 02 03)" "$(lines $I/a)"
same 'notrace pid removed' "$(expected 11 02 03 04 05)" "$(lines $I/b)"
check 'module tracer after all that: exact counts' counts_exact 11

# Removing an instance that traces, with others on its functions
rmdir $I/a
workload 12
same 'an instance removed while it traces: b continues' "$(expected 12 02 03 04 05)" "$(lines $I/b)"
check 'an instance removed while it traces: masks agree' masks_ok
echo nop > $T/current_tracer
echo > $T/set_ftrace_filter
rmdir $I/b $I/c
finish
