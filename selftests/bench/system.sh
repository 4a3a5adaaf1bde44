# shellcheck shell=bash
# Instructions of whole system calls while N instances run the function tracer on everything (all), or each of them on
# another part of the kernel (own), with the ring buffers off and on; while N instances run function_graph on
# everything (graph); and while one runs it on vfs_read and N - 1 elsewhere (apart). With a ring buffer off the tracer
# is paused.

# Functions of the N-th instance's own, with no function in two of them
own_functions=('vfs_*' 'tcp_*' 'pipe_*' 'sched_*' 'hrtimer_*' 'kmem_*' 'inet_*' 'wake_*' 'mutex_*' 'proc_*')

# system_calls N WHAT ON|OFF
system_calls()
{
	local name ns

	muxbench system | while read -r name ns; do
		figure system "$name N=$1 $2 $3" "$ns" instructions
	done
}

start_own()
{
	local i

	for ((i = 1; i <= 10; i++)); do
		echo "${own_functions[i - 1]}" > "$T/instances/b$i/set_ftrace_filter"
	done
}

start_graph()
{
	start_all
}

# Elsewhere is what the system calls do not reach
start_apart()
{
	local i

	echo vfs_read > "$T/instances/b1/set_ftrace_filter"
	for ((i = 2; i <= 10; i++)); do
		echo "${own_functions[9]}" > "$T/instances/b$i/set_ftrace_filter"
	done
}

start_all()
{
	local dir

	for dir in "$T"/instances/b*; do
		echo > "$dir/set_ftrace_filter"
	done
}

switch()
{
	local i

	for ((i = 1; i <= 10; i++)); do
		echo "$1" > "$T/instances/b$i/tracing_on"
	done
}

# topic_system [quick | apart]: quick is only what is traced everywhere, with the buffers off
topic_system()
{
	local what n running tracer kinds=(all own graph apart) counts

	[ "${1:-}" != quick ] || kinds=(all graph)
	[ "${1:-}" != apart ] || kinds=(apart)
	instances 10
	for what in "${kinds[@]}"; do
		"start_$what"
		running=0
		tracer=function
		[[ $what != graph && $what != apart ]] || tracer=function_graph
		counts=(0 1 2 4 7 10)
		[ $what != apart ] || counts=(1 2 4 8)
		for n in "${counts[@]}"; do
			while [ "$running" -lt "$n" ]; do
				running=$((running + 1))
				echo $tracer > "$T/instances/b$running/current_tracer"
			done
			sleep 1
			system_calls "$n" "$what" off
			if [ "$n" = 0 ] || [ "${1:-}" = quick ]; then
				continue
			fi
			switch 1
			system_calls "$n" "$what" on
			switch 0
		done
		for ((n = 1; n <= 10; n++)); do
			echo nop > "$T/instances/b$n/current_tracer"
		done
	done
	remove_instances
}
