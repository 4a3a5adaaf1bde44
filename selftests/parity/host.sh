# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For the tests of this directory: runs a scenario on the stock and on the mux kernel, and compares the two
# transcripts section by section. One TAP line per section, and those that the scenarios print.
# shellcheck source=selftests/tap.sh
. selftests/tap.sh

parity=selftests/parity

# The kernels of tools/kernel/build that are compared
declare -A build_of=([stock]=stock [mux]=mux)

# play KERNEL SCENARIO [WORD...]: leaves the transcript in $tmp/KERNEL
play()
{
	local kernel=$1 scenario=$2 files
	shift 2

	files=$parity
	[ -z "${MODULES:-}" ] || files+=" $(selftests/modules/build "${build_of[$kernel]}")" || return
	KERNEL=${build_of[$kernel]} LOGDIR=$tmp/log-$kernel FILES="$files ${FILES:-}" APPEND="$*" \
		selftests/guest/run "$parity/$scenario" > "$tmp/$kernel" 2> "$tmp/err-$kernel" < /dev/null
}

# sections FILE DIR: a file for each section, in DIR, and their names in DIR/names
sections()
{
	mkdir -p "$2"
	: > "$2/names"
	awk -v dir="$2" '/^== / { name = substr($0, 4); print name > (dir "/names"); file = dir "/" ++n; printf "" > file; next }
		/^(not )?ok - / { next }
		n { print > file }' "$1"
}

# both SCENARIO [WORD...]: on both kernels, the words on the command line of each
both()
{
	local kernel status name n=0

	for kernel in stock mux; do
		status=0
		play $kernel "$@" || status=$?
		[ "$status" = 0 ] || tail -n 30 "$tmp/err-$kernel" | sed 's/^/# /'
		ok "$status" "$1 runs on $kernel"
		rm -rf "$tmp/s-$kernel"
		sections "$tmp/$kernel" "$tmp/s-$kernel"
		while read -r name; do
			ok 0 "$kernel: ${name#ok - }"
		done < <(grep '^ok - ' "$tmp/$kernel")
		while read -r name; do
			ok 1 "$kernel: ${name#not ok - }"
		done < <(grep '^not ok - ' "$tmp/$kernel")
	done
	check "$1: the same sections" diff "$tmp/s-stock/names" "$tmp/s-mux/names"
	while read -r name; do
		n=$((n + 1))
		check "$1: $name" diff "$tmp/s-stock/$n" "$tmp/s-mux/$n"
	done < "$tmp/s-stock/names"
	[ -z "${TRANSCRIPTS:-}" ] || cp "$tmp/stock" "$tmp/mux" "$TRANSCRIPTS"
}
