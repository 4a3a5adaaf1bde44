# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# When selftests/check starts which test, so that the processors are busy and never overcommitted. Sourced by it; $jobs is
# the number of processors, $results the directory of the results, with the tests in the file list. A line of it is
# PLACES SECONDS NAME FILE.
# shellcheck disable=SC2154 # check has them

# places_of FILE: how many processors it keeps busy
places_of()
{
	local words SMP=${SMP:-2} THREAD=${THREAD:-} ICOUNT=${ICOUNT:-} PLACES=

	mapfile -t words < <({ header host "$1"; header guest "$1"; } | xargs -r -n 1 printf '%s\n')
	[ "${#words[@]}" = 0 ] || local "${words[@]}"
	if [ -z "$(header guest "$1")" ] || [ "$THREAD" = single ] || [ -n "$ICOUNT" ]; then
		SMP=1
	fi
	PLACES=${PLACES:-$SMP}
	echo $((PLACES < jobs ? PLACES : jobs))
}

# seconds_of NAME: how long it takes alone
seconds_of()
{
	awk -v name="$1" '$1 == name { s = $2 } END { print s ? s : 60 }' selftests/times
}

# minutes: how long the tests of standard input take, which are lines of list_tests: `3 minutes`
minutes()
{
	awk -v jobs="$jobs" '{ work += $1 * $2 / jobs; if ($2 > most) most = $2 }
		END {
			n = int(((work > most ? work : most) + 59) / 60)
			print n (n == 1 ? " minute" : " minutes")
		}'
}

# progress: a line that stays at the end of the terminal, and goes with the next one
progress()
{
	[ -t 2 ] || return 0
	printf '\r\033[K' >&2
	[ "${#running[@]}" = 0 ] || printf '%d of %d, about %s left, running: %s' "$done" "$total" \
		"$({ printf '%s\n' "${running[@]}" "${waiting[@]}"; } | minutes)" \
		"$(printf '%s\n' "${running[@]}" | cut -d ' ' -f 3 | paste -sd ' ')" >&2
}

# Starts what the free processors suffice for, in the order of the list
start_tests()
{
	local i places name file

	for i in "${!waiting[@]}"; do
		read -r places _ name file <<< "${waiting[i]}"
		[ "$places" -le "$free" ] || continue
		run_test "$name" "$file" &
		running[$!]=${waiting[i]}
		unset "waiting[i]"
		free=$((free - places))
	done
}

run_tests()
{
	local waiting running=() free=$jobs total done=0 pid places name

	mapfile -t waiting < "$results/list"
	total=${#waiting[@]}
	while start_tests; [ "${#running[@]}" != 0 ]; do
		progress
		wait -n -p pid "${!running[@]}" || true
		read -r places _ name _ <<< "${running[pid]}"
		unset "running[pid]"
		free=$((free + places))
		done=$((done + 1))
		[ ! -t 2 ] || printf '\r\033[K' >&2
		printf '%*d/%d ' ${#total} "$done" "$total"
		# Nothing there: the runner itself failed.
		cat "$results/$name/report" 2> /dev/null || echo "FAIL $name: see $results/$name"
	done
}
