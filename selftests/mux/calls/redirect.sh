#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=600 MODULES=1
#
# Invariants 1 and 2 where stubs are redirected and call sites leave them in the same update: tracers of the whole
# kernel change to a few functions and back while these are hammered in threads on two CPUs and in interrupts. No call
# is lost or seen twice, neither by those that stay nor by the one that changes.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh

# updates WORD: how many stubs redirected, sites patched or waits all updates had
updates()
{
	sed -n 's/^all updates: //p' $T/function_mux | tr , '\n' | awk -v w="$1" '$0 ~ w { print $1 }'
}

mt add 0
mt filter 0
mt add 1
mt filter 1
mt add 2 regs
mt ips 2 "$(mask 0-15)"
for id in 0 1 2; do
	mt reg $id
done
redirects=$(updates redirected) waits=$(updates waits) sites=$(updates patched)
mt reset
mt load 2
mt timer 1
rounds=0
RANDOM=5
end=$((SECONDS + ${SECONDS_PER_STEP:-30}))
while [ $SECONDS -lt $end ] || [ $rounds -lt 3 ]; do
	# Others each time: call sites that leave a stub once stay together afterwards
	mt ips 1 "$(printf 0x%x $((RANDOM << 15 | RANDOM)))"
	mt filter 1
	mt notrace 1 'mt_fn*[02468]'
	mt notrace 1
	rounds=$((rounds + 1))
done
mt timer 0
mt load 0
check "$rounds rounds: no call lost, none too many, each tracer its own ops" no_errors
check 'masks, records, stubs and text agree' masks_ok
diag "$(value checked) calls checked, $(value pairs) of tracers"
if is_mux; then
	redirects=$(($(updates redirected) - redirects)) waits=$(($(updates waits) - waits)) sites=$(($(updates patched) - sites))
	diag "$redirects stubs redirected, $sites sites patched, $waits waits"
	check 'stubs are redirected for each round' [ $redirects -ge $((2 * rounds)) ]
	[ $waits -ge 1 ] && [ $waits -le $rounds ]
	ok $? 'an update waits where call sites have left the stub'
	# All functions of the kernel came and went in each round
	check 'few call sites are patched' [ $sites -lt $((200 * rounds)) ]
fi
mt reset
mt call '*' 20
check 'exact counts afterwards' counts_exact 20
finish
