# shellcheck shell=bash
# What only a running kernel shows of memory; the rest is in `sizes`.

# Each trampoline of a single ftrace_ops is a page.
trampolines()
{
	grep -c '\[__builtin__ftrace\]' /proc/kallsyms || true
}

topic_memory()
{
	local i

	insmod /files/mux-modules/mux_bench.ko
	figure memory 'bytes per record' "$(cat /sys/module/mux_bench/parameters/record_size)" bytes
	rmmod mux_bench
	instances 7
	figure memory 'trampolines N=0' "$(trampolines)" pages
	for ((i = 1; i <= 7; i++)); do
		echo function > "$T/instances/b$i/current_tracer"
	done
	figure memory 'trampolines N=7' "$(trampolines)" pages
	remove_instances
}
