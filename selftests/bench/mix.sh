# shellcheck shell=bash
# Instructions of one call of a function that has users of several kinds at once, each of which does its own work: a
# livepatch, or a direct call, which is how BPF's fentry attaches; a kprobe; and instances that record it, one of a
# monitoring agent and one of the person who debugs. Another instance records other functions meanwhile.

mix_cmd=/sys/kernel/debug/mux_test/cmd
mix_klp=/sys/kernel/livepatch/mux_klp
mix_probes=/sys/module/mux_probes/parameters

# mix_time CALLS: of that many calls, the least of thirty times, because a tick of the timer falls into some
mix_time()
{
	local i ns _ min=

	for ((i = 0; i < 30; i++)); do
		read -r ns _ < <(muxbench write $mix_cmd "call 4 $1")
		[ -n "$min" ] && [ "$min" -le "$ns" ] || min=$ns
	done
	echo "$min"
}

mix_figure()
{
	# What a change leaves to the background ends first
	sleep 1
	figure mix "$*" "$(awk -v a="$(mix_time 200)" -v b="$(mix_time 1200)" 'BEGIN { printf "%.2f", (b - a) / 1000 }')" instructions
}

mix_records()
{
	echo "$2" > "$T/instances/$1/set_ftrace_filter"
	echo 1 > "$T/instances/$1/tracing_on"
	echo function > "$T/instances/$1/current_tracer"
}

mix_wait()
{
	while eval "$1"; do sleep 0.1; done
}

topic_mix()
{
	insmod /files/mux-modules/mux_test.ko
	insmod /files/mux-modules/mux_probes.ko
	instances 3
	mix_records b3 'vfs_*'
	mix_figure nothing
	# The oracle knows that the function itself does not run
	echo 'others 1' > $mix_cmd
	insmod /files/mux-modules/mux_klp.ko
	mix_wait "[ \$(cat $mix_klp/transition) != 0 ]"
	mix_figure livepatch
	echo 'kprobe 4' > $mix_probes/attach
	mix_figure 'livepatch+kprobe'
	mix_records b1 mt_fn04
	mix_figure 'livepatch+kprobe+monitor'
	mix_records b2 mt_fn04
	mix_figure 'livepatch+kprobe+monitor+person'
	echo 0 > $mix_klp/enabled
	mix_wait "[ -d $mix_klp ]"
	rmmod mux_klp
	echo 'others 0' > $mix_cmd
	echo 'direct 4' > $mix_probes/attach
	mix_figure 'fentry+kprobe+monitor+person'
	echo 'kprobe 4' > $mix_probes/detach
	mix_figure 'fentry+monitor+person'
	echo 'direct 4' > $mix_probes/detach
	remove_instances
	rmmod mux_probes mux_test
}
