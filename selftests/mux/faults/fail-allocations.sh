# shellcheck shell=bash
# Sourced by tests that let allocations of memory fail on the debug kernel, after lib.sh. They define
#
#   module=mt|mg	the module that runs the commands
#   nth_left		what it says about the last command's allocations
#   exact		what is traced is exact
# shellcheck disable=SC2154 # module

# Failures wait for nobody and are not printed. An allocation that may sleep fails too, and one of a single page.
for f in failslab fail_page_alloc; do
	echo N > /sys/kernel/debug/$f/ignore-gfp-wait
	echo 0 > /sys/kernel/debug/$f/verbose
	echo 1000000 > /sys/kernel/debug/$f/times
done
echo 0 > /sys/kernel/debug/fail_page_alloc/min-order

# How many have failed
faults()
{
	echo $((2000000 - $(cat /sys/kernel/debug/failslab/times) - $(cat /sys/kernel/debug/fail_page_alloc/times)))
}

# each_fails WHAT UNDO COMMAND...: tries COMMAND of $module until all of its allocations have failed once; each time
# that it succeeds, does UNDO. WHAT is `refused` if at least one allocation cannot be done without, else `any`.
each_fails()
{
	local what=$1 undo=$2 n left=0 out refused=0 before
	shift 2
	before=$(faults)

	for ((n = 1; left == 0; n++)); do
		if [ $n -gt 1000 ]; then
			echo "$*: no end"
			return 1
		fi
		out=$($module nth $n "$@" 2>&1)
		case $out in
		'') ;;
		*'Cannot allocate memory') refused=$((refused + 1)) ;;
		*) echo "$*: allocation $n fails: $out"; return 1 ;;
		esac
		left=$(value nth_left)
		exact || { echo "$*: allocation $n failed"; return 1; }
		[ -n "$out" ] || $module "$undo" || return
	done
	echo "# $*: $((n - 2)) allocations, refused $refused times" >&3
	[ $(($(faults) - before)) = $((n - 2)) ] && { [ "$what" != refused ] || [ $refused != 0 ]; } && masks_ok
}
exec 3>&1
