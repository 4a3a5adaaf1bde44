#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=300 MODULES=1
#
# The events of the system ftrace_mux: who came and went, with which ID; who is the default; how many call sites
# were patched. Its mask has the IDs in the static callers that were put in or taken out; a function with a single
# tracer has none. As text, and for trace-cmd.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh
cd $T || exit 1

# events: name and fields of those in the buffer, one line for each
events()
{
	sed -n 's/.*: \(tracer_register\|tracer_unregister\|default_tracer\|retarget\): /\1 /p' trace |
		sed 's/ns=[0-9]*/ns=N/'
}

# only NAME: of these events
only()
{
	events | grep "^$1 "
}

same 'the four events' 'default_tracer enable filter retarget tracer_register tracer_unregister ' \
	"$(cd events/ftrace_mux && printf '%s\n' * | tr '\n' ' ')"
mkdir instances/foo
echo 'mt_fn0[0-4]' > instances/foo/set_ftrace_filter
echo 'mt_fn0[2-6]' > set_ftrace_filter
echo 1 > events/ftrace_mux/enable

echo function > instances/foo/current_tracer
id=$(cat tracers/foo/id)
same 'an instance starts: registered with its ID' "tracer_register name=foo id=$id" "$(only tracer_register)"
same 'its sites are patched, no static caller' 'retarget sites=5 ns=N mask=0x00' "$(only retarget | tail -n 1)"
echo > trace
echo function > current_tracer
trace_id=$(cat tracers/trace/id)
both=$(printf '0x%02x' $((1 << id | 1 << trace_id)))
same 'the function tracer starts' "tracer_register name=trace id=$trace_id" "$(only tracer_register)"
same 'its sites are patched, three to the caller of both' "retarget sites=5 ns=N mask=$both" "$(only retarget | tail -n 1)"
same 'nobody has chosen a default' '' "$(only default_tracer)"
echo > trace
echo foo > function_tracers
echo foo > function_tracers
same 'a default, once although written twice' 'default_tracer name=foo' "$(events)"
echo > trace
echo mt_fn07 >> set_ftrace_filter
same 'a filter grows by a function: a site' 'retarget sites=1 ns=N mask=0x00' "$(only retarget)"
echo > trace
echo mt_fn06 >> set_ftrace_filter
same 'by one that somebody else traces: the caller of both' "retarget sites=1 ns=N mask=$both" "$(only retarget)"
echo > trace
echo nop > instances/foo/current_tracer
same 'it goes' "tracer_unregister name=foo id=$id" "$(only tracer_unregister)"
same 'and the default with it' 'default_tracer name=trace' "$(only default_tracer)"
same 'its seven sites are patched' "retarget sites=7 ns=N mask=$both" "$(only retarget | tail -n 1)"
echo nop > current_tracer

# More than there are IDs: -1 is the overflow lane
echo > trace
for ((i = 0; i < 10; i++)); do
	mt add $i "name=m$i"
	mt ips $i 0xff
	mt reg $i
done
want=$(for ((i = 0; i < 10; i++)); do
	id=$(cat tracers/m$i/id)
	echo "tracer_register name=m$i id=${id/overflow/-1}"
done)
same 'ten tracers, some in the overflow lane' "$want" "$(only tracer_register)"
check 'some are there' grep -q ' id=-1$' <<< "$want"
free_all
same 'all go with the IDs they had' "${want//tracer_register/tracer_unregister}" "$(only tracer_unregister | sort -k 2.7n)"

# For programs: the format files are enough
echo 0 > events/ftrace_mux/enable
echo > trace
cat > /tmp/work << 'END'
echo function > /sys/kernel/tracing/instances/foo/current_tracer
echo nop > /sys/kernel/tracing/instances/foo/current_tracer
END
check 'trace-cmd records the system' trace-cmd record -q -o /tmp/trace.dat -e ftrace_mux bash /tmp/work
trace-cmd report -q -i /tmp/trace.dat > /tmp/report 2> /tmp/err
same 'trace-cmd understands each of the events' '' "$(grep -i 'fail\|unknown' /tmp/err /tmp/report)"
check 'registered' grep -q 'tracer_register: *name=foo id=[0-6]$' /tmp/report
check 'retargeted' grep -Eq 'retarget: *sites=[0-9]+ ns=[0-9]+ mask=0x[0-9a-f]+$' /tmp/report
check 'unregistered' grep -q 'tracer_unregister: *name=foo id=[0-6]$' /tmp/report
rmdir instances/foo
echo > set_ftrace_filter
finish
