#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=120 MODULES=1
#
# What an attacker would look for: no page is writable and executable while callers and slots are in use; the callers
# are in the kernel's text and the tables that lead to them are read-only; the files have the modes and owners of
# ftrace's own, also in a tracefs that is mounted for a group; users other than root learn nothing from them, and root
# no address of the kernel.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh
case $(uname -m) in
x86_64)
	pages=/sys/kernel/debug/page_tables/kernel
	tables=(ftrace_mux_caller_offsets ftrace_mux_slot_offsets ftrace_mux_depth_size)
	;;
aarch64)
	pages=/sys/kernel/debug/kernel_page_tables
	tables=(ftrace_mux_caller_offsets ftrace_mux_list_entries)
	;;
esac

# address SYMBOL: in hexadecimal, as the page tables are listed
address()
{
	awk -v s="$1" '$3 == s { print $1; exit }' /tmp/symbols
}

# between SYMBOL FIRST LAST: numbers of 64 bits, all with the same number of digits
between()
{
	local at

	at=$(address "$1")
	[[ -n $at && ! $at < $(address "$2") && $at < $(address "$3") ]] || {
		echo "$1 is at ${at:-no address}, not from $2 $(address "$2") to $3 $(address "$3")"
		return 1
	}
}

# protection SYMBOL: what the page tables say of its page, `ro x` or `RW NX`
protection()
{
	awk -v at="$(address "$1")" '
		match($1, /^0x[0-9a-f]+-0x[0-9a-f]+$/) {
			split($1, range, /-?0x/)
			if (at >= range[2] && at < range[3])
				print ($0 ~ / RW /) ? "RW" : "ro", ($0 ~ / x /) ? "x" : "NX"
		}' /tmp/pages
}

no_writable_code()
{
	cat $pages > /tmp/pages
	[ "$(grep -c ' x ' /tmp/pages)" -gt 0 ] || { echo 'no executable page at all'; return 1; }
	! grep -E ' RW .* x ' /tmp/pages
}

cat /proc/kallsyms > /tmp/symbols
check 'alone: no page is writable and executable' no_writable_code
for ((id = 0; id < 12; id++)); do
	tracer $id 0xff "$([ $id = 11 ] || echo name=secret$id) $([ $((id % 2)) = 1 ] && echo regs)"
done
echo 'mt_fn*' > $T/set_ftrace_filter
echo function > $T/current_tracer
check 'stubs are in use' grep -q '^stub ' $T/function_mux
check 'twelve tracers and the function tracer: no page is writable and executable' no_writable_code
check 'the callers are in the text of the kernel' between ftrace_mux_callers _stext _etext
same 'they can be executed only' 'ro x' "$(protection ftrace_mux_callers)"
for table in "${tables[@]}"; do
	check "$table is read-only data" between $table __start_rodata __end_rodata
	same "$table cannot be written or executed" 'ro NX' "$(protection $table)"
done
same 'what the slots pass is data' 'RW NX' "$(protection ftrace_mux_slots)"

# files: each one that is ours with its kind, and one of ftrace's of that kind
files()
{
	echo function_tracers set_event
	echo function_mux available_filter_functions
	echo function_mux_check available_filter_functions
	echo set_ftrace_filter set_event
	echo set_ftrace_notrace set_event
	echo tracers instances
	echo tracers/trace options
	echo tracers/secret0 options
	echo tracers/secret0/set_ftrace_filter set_event
	echo tracers/secret0/set_ftrace_notrace set_event
	echo tracers/secret0/id available_filter_functions
	echo tracers/secret0/functions available_filter_functions
	echo options/function-mux options/function-trace
}

# Each one as ftrace's, and none is missing
same_modes()
{
	local file like bad=0

	while read -r file like; do
		[ "$(stat -c '%A %u %g' "$T/$file")" = "$(stat -c '%A %u %g' "$T/$like")" ] ||
			{ stat -c '%n: %A %u %g' "$T/$file" "$T/$like"; bad=1; }
	done < <(files)
	(cd $T && find function_mux* function_tracers tracers/secret0 tracers -maxdepth 0; cd $T && find tracers/secret0) |
		grep -vxFf <(files | cut -d ' ' -f 1) && { echo 'not in the list'; bad=1; }
	return $bad
}

# outsider USER GROUP COMMAND...: as somebody without any right
outsider()
{
	setpriv --reuid="$1" --regid="$2" --clear-groups --inh-caps=-all "${@:3}"
}

# no_access USER GROUP: can it open any of the files?
no_access()
{
	local file like bad=0

	while read -r file like; do
		[ -f "$T/$file" ] || continue
		! outsider "$1" "$2" cat "$T/$file" 2> /dev/null || { echo "$file can be read"; bad=1; }
		# shellcheck disable=SC2016 # expanded there
		! outsider "$1" "$2" sh -c ': >> "$1"' sh "$T/$file" 2> /dev/null || { echo "$file can be written"; bad=1; }
	done < <(files)
	return $bad
}

# Reads what the group may read, writes nothing
group_reads()
{
	local file like bad=0

	while read -r file like; do
		[ -f "$T/$file" ] || continue
		outsider 65534 1234 cat "$T/$file" > /dev/null 2>&1 ||
			[ "$(stat -c %A "$T/$like" | cut -c 5)" != r ] || { echo "$file cannot be read"; bad=1; }
		# shellcheck disable=SC2016 # expanded there
		! outsider 65534 1234 sh -c ': >> "$1"' sh "$T/$file" 2> /dev/null || { echo "$file can be written"; bad=1; }
	done < <(files)
	return $bad
}

check "modes and owners are those of ftrace's files" same_modes
check 'nobody: reads and writes none of them' no_access 65534 65534
check 'nobody: does not even see the names' sh -c '! setpriv --reuid=65534 --regid=65534 --clear-groups ls '"$T/tracers"

# As an administrator who lets a group read traces
mount -o remount,gid=1234,mode=755 $T
same 'a tracefs for a group: the directory is open' 755 "$(stat -c %a $T)"
tracer 12 0xff name=secret12
same 'a tracefs for a group: of the group' 1234 "$(stat -c %g $T/function_mux)"
same 'a tracefs for a group: a tracer that came later, too' 1234 "$(stat -c %g $T/tracers/secret12/id)"
check "a tracefs for a group: modes and owners are those of ftrace's files" same_modes
check 'a tracefs for a group: a member reads and writes nothing' group_reads
check 'a tracefs for a group: nobody reads and writes nothing' no_access 65534 65534
mount -o remount,gid=0,mode=700 $T

# Root sees symbols, and no address that would tell where the kernel is
no_address()
{
	local file like bad=0

	while read -r file like; do
		[ -f "$T/$file" ] || continue
		! grep -HE '\b(0x)?ffff[0-9a-f]{12}\b' "$T/$file" | head -n 3 | grep . || bad=1
	done < <(files)
	return $bad
}
check 'a tracer without a name is called by its symbol' grep -q '\[mt_callback' $T/function_mux
check 'no address of the kernel in any of them' no_address
echo nop > $T/current_tracer
echo > $T/set_ftrace_filter
finish
