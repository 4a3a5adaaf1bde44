#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=300 MODULES=1
#
# The events of the system ftrace_mux: tracers that are registered and unregistered, with their IDs; the default; how
# many call sites were patched and how many stubs were redirected instead. The mask has the IDs of the sets that call
# sites left or moved to, and those that a redirected stub calls now and did not before, or the other way round. As
# text, and for trace-cmd.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh
cd $T || exit 1

# events: name and fields of those in the buffer, one line for each
events()
{
	sed -n 's/.*: \(mux_tracer_register\|mux_tracer_unregister\|mux_default_tracer\|mux_retarget\): /\1 /p' trace |
		sed 's/ns=[0-9]*/ns=N/'
}

# retargeted SITES REDIRECTS ID...: the event's text
retargeted()
{
	local id mask=0

	for id in "${@:3}"; do
		mask=$((mask | 1 << id))
	done
	printf 'mux_retarget sites=%u redirects=%u waits=0 ns=N mask=0x%02x' "$1" "$2" $mask
}

# A grace period has ended since the last call site left its stub
all_clean()
{
	grep -qE '^stubs: 0 used, 255 clean$' function_mux
}

# only NAME: of these events
only()
{
	events | grep "^$1 "
}

same 'the four events' 'enable filter mux_default_tracer mux_retarget mux_tracer_register mux_tracer_unregister ' \
	"$(cd events/ftrace_mux && printf '%s\n' * | tr '\n' ' ')"
mkdir instances/foo
echo 'mt_fn0[0-4]' > instances/foo/set_ftrace_filter
echo 'mt_fn0[2-6]' > set_ftrace_filter
echo 1 > events/ftrace_mux/enable

echo function > instances/foo/current_tracer
id=$(cat tracers/foo/id)
same 'an instance starts: registered with its ID' "mux_tracer_register name=foo id=$id" "$(only mux_tracer_register)"
same 'its sites are patched' "$(retargeted 5 0 "$id")" "$(only mux_retarget)"
echo > trace
echo function > current_tracer
trace_id=$(cat tracers/trace/id)
same 'the function tracer starts' "mux_tracer_register name=trace id=$trace_id" "$(only mux_tracer_register)"
same 'its sites are patched, three to the stub of both' "$(retargeted 5 0 "$id" "$trace_id")" "$(only mux_retarget)"
same 'nobody has chosen a default' '' "$(only mux_default_tracer)"
echo > trace
echo foo > function_tracers
echo foo > function_tracers
same 'a default, once although written twice' 'mux_default_tracer name=foo' "$(events)"
echo > trace
echo mt_fn07 >> set_ftrace_filter
same 'a filter grows by a function: a site' "$(retargeted 1 0 "$id")" "$(only mux_retarget)"
echo > trace
echo mt_fn06 >> set_ftrace_filter
same 'by one that somebody else traces: the stub of both' "$(retargeted 1 0 "$id" "$trace_id")" "$(only mux_retarget)"
echo > trace
echo nop > instances/foo/current_tracer
same 'it goes' "mux_tracer_unregister name=foo id=$id" "$(only mux_tracer_unregister)"
same 'and the default with it' 'mux_default_tracer name=trace' "$(only mux_default_tracer)"
same 'three sites are patched, the stub of the other four is redirected' "$(retargeted 3 1 "$id")" "$(only mux_retarget)"
echo nop > current_tracer
for ((i = 0; i < 100; i++)); do
	all_clean && break
	sleep 0.2
done
check 'all stubs are clean after a while' all_clean

# The same functions for both: one stub
echo 'mt_fn0[2-6]' > instances/foo/set_ftrace_filter
echo function > current_tracer
trace_id=$(cat tracers/trace/id)
echo > trace
echo function > instances/foo/current_tracer
id=$(cat tracers/foo/id)
same 'it comes back: no site, one stub' "$(retargeted 0 1 "$id")" "$(only mux_retarget)"
echo > trace
echo nop > instances/foo/current_tracer
same 'it goes again: no site, one stub' "$(retargeted 0 1 "$id")" "$(only mux_retarget)"
echo > trace
tracer 0 0x7c 'name=all-regs regs'
id=$(cat tracers/all-regs/id)
same 'one that wants all registers: no site either' "$(retargeted 0 1 "$id")" "$(only mux_retarget)"
echo > trace
mt free 0
same 'it goes: no site, one stub' "$(retargeted 0 1 "$id")" "$(only mux_retarget)"
echo nop > current_tracer
echo 'mt_fn0[0-4]' > instances/foo/set_ftrace_filter

# More than there are IDs: -1 is none
echo > trace
for ((i = 0; i < 10; i++)); do
	tracer $i 0xff "name=m$i"
done
want=$(for ((i = 0; i < 10; i++)); do
	id=$(cat tracers/m$i/id)
	echo "mux_tracer_register name=m$i id=${id/none/-1}"
done)
same 'ten tracers, some without an ID' "$want" "$(only mux_tracer_register)"
check 'some are there' grep -q ' id=-1$' <<< "$want"
free_all
same 'all go with the IDs they had' "${want//mux_tracer_register/mux_tracer_unregister}" "$(only mux_tracer_unregister | sort -k 2.7n)"

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
check 'registered' grep -q 'mux_tracer_register: *name=foo id=[0-7]$' /tmp/report
check 'retargeted' grep -Eq 'mux_retarget: *sites=[0-9]+ redirects=[0-9]+ waits=[0-9]+ ns=[0-9]+ mask=0x[0-9a-f]+$' /tmp/report
check 'unregistered' grep -q 'mux_tracer_unregister: *name=foo id=[0-7]$' /tmp/report
rmdir instances/foo
echo > set_ftrace_filter
finish
