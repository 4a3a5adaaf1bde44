# shellcheck shell=bash
# The longest time that interrupts were off, in instructions, while a tracer on everything is enabled: in the text
# poking (a histogram of the events irq_disable and irq_enable of __text_poke; up to a thousand of the instructions are
# its own), and anywhere (the kernel's irqsoff tracer, which resolves microseconds). Neither uses function tracing
# itself. Retargeting under `anywhere` is hidden by what is longer, such as the tick, whose functions are all traced.

# The offsets from _stext between which __text_poke is, as a condition on the caller; the symbols of the kernel itself
# come in the order of their addresses
poke_condition()
{
	awk '
		function hex(s,	i, n) {
			for (i = length(s) - 7; i <= length(s); i++)
				n = n * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
			return n
		}
		$3 == "_stext" { base = hex($1) }
		from && !to && $1 != start { to = hex($1) }
		$3 == "__text_poke" { from = hex($1); start = $1 }
		END { if (to) printf "caller_offs >= %d && caller_offs < %d\n", from - base, to - base }' /proc/kallsyms
}

start_histogram()
{
	local condition

	condition=$(poke_condition)
	[ -n "$condition" ] || return
	at_disable="hist:keys=common_cpu:start=common_timestamp if $condition"
	at_enable="hist:keys=common_cpu:off=common_timestamp-\$start:onmax(\$off).save(caller_offs) if $condition"
	echo "$at_disable" > "$T/events/preemptirq/irq_disable/trigger"
	echo "$at_enable" > "$T/events/preemptirq/irq_enable/trigger"
}

# What the files show will not do: Linux 7.2 writes the name of the key twice.
stop_histogram()
{
	echo "!$at_enable" > "$T/events/preemptirq/irq_enable/trigger"
	echo "!$at_disable" > "$T/events/preemptirq/irq_disable/trigger"
}

enable()
{
	muxbench write "$T/instances/b$1/current_tracer" "$2" > /dev/null
}

in_poking()
{
	local i at_disable at_enable

	for i in 1 2 3 4 5 6 7; do
		start_histogram
		enable "$i" function
		figure irqsoff "enable $i: text poking" \
			"$(sed -n 's/.*max: *\([0-9]*\).*/\1/p' "$T/events/preemptirq/irq_enable/hist")" instructions
		stop_histogram
	done
}

anywhere()
{
	local i

	echo 0 > "$T/options/function-trace"
	echo irqsoff > "$T/current_tracer"
	echo 1 > "$T/tracing_on"
	for i in 1 2 3 4 5 6 7; do
		echo 0 > "$T/tracing_max_latency"
		enable "$i" function
		figure irqsoff "enable $i: anywhere" "$(($(cat "$T/tracing_max_latency") * 1000))" instructions
	done
	echo 0 > "$T/tracing_on"
	echo nop > "$T/current_tracer"
	echo 1 > "$T/options/function-trace"
}

topic_irqsoff()
{
	local i

	instances 7
	in_poking
	for i in 1 2 3 4 5 6 7; do
		enable "$i" nop
	done
	anywhere
	remove_instances
}
