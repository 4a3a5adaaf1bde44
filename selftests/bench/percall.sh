# shellcheck shell=bash
# Instructions of one call of a function, by upstream's samples/ftrace/ftrace-ops.ko: R tracers trace the function, I
# others another one. Its init fails on purpose after the measurement, which is in the kernel's log.

ops_ko=$(find "/lib/modules/$(uname -r)" -name 'ftrace-ops.ko*')

mixed_ko=/files/mux-modules/mux_bench.ko

# per_call CALLS PARAMETERS...: nanoseconds of one call, with two decimals; the minimum once it was seen twice, because a
# tick of the timer falls into some measurements
per_call()
{
	local calls=$1 min='' ns i
	shift

	for i in 1 2 3 4; do
		dmesg -C
		insmod "$ops_ko" "nr_function_calls=$calls" "$@" 2> /dev/null || true
		ns=$(dmesg | sed -n 's/.*Attempted [0-9]* calls to .* in \([0-9]*\)ns (.*/\1/p')
		[ -n "$ns" ] || return 1
		if [ "$i" -gt 1 ] && [ "$((ns / calls))" = "$((min / calls))" ]; then
			min=$((ns < min ? ns : min))
			break
		fi
		[ "$i" -gt 1 ] && [ "$ns" -ge "$min" ] || min=$ns
	done
	awk -v ns="$min" -v calls="$calls" 'BEGIN { printf "%.2f\n", ns / calls }'
}

# calls R I: so few that a tick, every 4 million instructions, falls into one measurement of ten at most
calls()
{
	if [ $(($1 + $2)) -le 7 ]; then
		echo 2000
	elif [ $(($1 + $2)) -le 26 ]; then
		echo 1000
	else
		echo 200
	fi
}

measure()
{
	local kind=$1 r=$2 i=$3 others=$2 parameters=() value

	case $kind in
	regs) parameters=(save_regs=1) ;;
	recursion) parameters=(assist_recursion=1) ;;
	mixed) others=$((r - 1)) ;;
	esac
	value=$(per_call "$(calls "$r" "$i")" "nr_ops_relevant=$others" "nr_ops_irrelevant=$i" "${parameters[@]}")
	figure percall "$kind R=$r I=$i" "$value" instructions
}

# One of the R is another module's tracer, which wants the registers while the others do not.
mixed()
{
	local r

	insmod $mixed_ko
	for r in 2 3 4 5 6 7 8 10; do
		measure mixed "$r" 0
	done
	rmmod mux_bench
}

# with_others I WORD: the R that are measured with that many others
with_others()
{
	case $2:$1 in
	full:*) echo 0 1 2 3 4 5 6 7 8 9 10 16 ;;
	*:1 | *:8) echo 0 1 2 4 7 8 10 ;;
	*:100) echo 1 2 7 9 10 16 ;;
	*) echo 1 2 7 ;;
	esac
}

# topic_percall [quick|mixed|full]: quick is what `make check` compares, full every R with every I
topic_percall()
{
	local r i kind kinds=(plain) all_r=(0 1 2 3 4 5 6 7 8 9 10)

	measure plain 1 0 > /dev/null
	if [ "${1:-}" = mixed ]; then
		mixed
		return
	fi
	# Where no tracer can have the registers, there is no module whose tracer wants them.
	[ ! -f $mixed_ko ] || kinds+=(regs)
	for kind in "${kinds[@]}"; do
		for r in "${all_r[@]}"; do
			measure "$kind" "$r" 0
		done
	done
	[ "${1:-}" != quick ] || return 0
	for kind in "${kinds[@]}"; do
		measure "$kind" 16 0
	done
	for i in 1 4 8 16 100; do
		for r in $(with_others "$i" "${1:-}"); do
			measure plain "$r" "$i"
		done
	done
	for i in 0 8; do
		for r in 1 2 4 7 8; do
			measure recursion "$r" "$i"
		done
	done
	[ -f $mixed_ko ] || return 0
	for r in 1 2 7; do
		measure regs "$r" 8
	done
	mixed
}
