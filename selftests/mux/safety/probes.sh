#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=300 MODULES=1
#
# What a traced call goes through on its way to the tracers, and what is poked, cannot be probed or traced: kprobes at
# every byte of it, fprobes, what `perf probe` writes, the function tracer. Such a probe is refused, and nothing has
# changed. The other functions of the multiplexer may be probed, and all tracers see their calls meanwhile.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh
cd $T || exit 1
P=/sys/module/mux_kprobe/parameters

# SYMBOL SIZE of what is in the text of callers_64.S: from the first slot's entry, where the architecture has one, to the end
# of the callers
awk '$2 ~ /^[tT]$/ && NF == 3 { print $1, $3 }' /proc/kallsyms | sort > /tmp/text
awk '
	function number(hex, n, i) {
		for (i = 9; i <= 16; i++)
			n = 16 * n + index("0123456789abcdef", substr(hex, i, 1)) - 1
		return n
	}
	name != "" { print name, number($1) - start; if (name == "ftrace_mux_callers") exit }
	{ name = "" }
	$2 ~ /^ftrace_mux_(first|slot|stub|callers|body)/ { name = $2; start = number($1) }' /tmp/text > /tmp/ours
slots=$(grep -c '^ftrace_mux_slot_[0-9]' /tmp/ours)
first=$(head -n 1 /tmp/ours | cut -d ' ' -f 1)
[ "$(uname -m)" != x86_64 ] || [ "$slots" -ge 2 ] && grep -q '^ftrace_mux_callers ' /tmp/ours
ok $? "slots, callers and what else is there: $(wc -l < /tmp/ours) symbols"

# offsets SIZE: all of them, or of something large some
offsets()
{
	if [ "$1" -le 64 ]; then
		seq 0 $(($1 - 1))
	else
		seq 0 40
		seq 41 $(($1 / 150 + 1)) $(($1 - 1))
	fi
}

# none_taken FILE [PREFIX]: every probe is refused that is written there; those that are taken are printed
none_taken()
{
	local symbol size offset

	while read -r symbol size; do
		for offset in $(offsets "$size"); do
			{ echo "${2:-}$symbol+$offset" > "$1"; } 2> /dev/null && echo "$symbol+$offset is taken"
		done
	done < /tmp/ours > /tmp/taken
	head -n 10 /tmp/taken
	[ ! -s /tmp/taken ]
}

# The kprobes blacklist knows them
blacklisted()
{
	local symbol size

	while read -r symbol size; do
		awk -v s="$symbol" '$2 == s { found = 1 } END { exit !found }' /sys/kernel/debug/kprobes/blacklist ||
			echo "$symbol is not in the blacklist"
	done < /tmp/ours > /tmp/missing
	head -n 10 /tmp/missing
	[ ! -s /tmp/missing ]
}

for id in 0 1 2; do
	tracer $id 0xffffffff "$([ $id = 1 ] && echo regs)"
done
check 'all of them are in the blacklist of kprobes' blacklisted
insmod $modules/mux_kprobe.ko
check 'no kprobe is taken, at no byte' none_taken $P/try
check 'nor is one through tracefs' none_taken kprobe_events 'p '
check 'and no return probe' none_taken kprobe_events 'r '
echo > kprobe_events
none_of()
{
	awk '{ print "^" $1 "( |$)" }' /tmp/ours > /tmp/patterns
	! grep -E -f /tmp/patterns "$1"
}
check 'the function tracer does not know them' none_of available_filter_functions
! echo "$first" 2> /dev/null > set_ftrace_filter
ok $? 'nor takes them'
if grep -q 'f\[:' README; then
	! echo "f:mux_probe $first" 2> /dev/null > dynamic_events
	ok $? 'no fprobe is taken'
fi
# perf probe counts from _text
text=$(awk '$2 == "_text" { print $1 }' /tmp/text)
at=$(awk -v s="$first" '$2 == s { print $1 }' /tmp/text)
! echo "p:probe/mux _text+$((0x$at - 0x$text))" 2> /dev/null > kprobe_events
ok $? 'what perf probe would write is refused'
same 'and leaves nothing' '' "$(cat kprobe_events)"

# The others: those that the kernel takes do no harm
sed -n 's/^[0-9a-f]* \(\(arch_\)\{0,1\}ftrace_mux_[a-z_]*\)$/\1/p' /tmp/text | sort -u |
	grep -vxF "$(awk '{ print $1 }' /tmp/ours)" > /tmp/others
n=0
while read -r symbol; do
	{ echo "$symbol+0" > $P/hold; } 2> /dev/null && n=$((n + 1))
done < /tmp/others
check "$n of $(wc -l < /tmp/others) other functions are probed" [ $n -ge 10 ]
mt reset
mt call '*' 20
cat function_mux function_mux_check function_tracers > /dev/null
mt unreg 2
mt reg 2
mt call '*' 20
check "the probes are hit, $(cat $P/hits) times" [ "$(cat $P/hits)" -gt 0 ]
check 'nobody loses a call for that' no_errors
same 'nor sees one twice' '40 40' "$(count 0 5) $(count 1 5)"
check 'masks agree' masks_ok
rmmod mux_kprobe
finish
