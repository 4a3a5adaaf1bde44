# shellcheck shell=bash
# What a test prints: a TAP line for each check. Sourced by tests of the host and, as /files/tap.sh, in every guest. A test
# ends with `finish`. $tmp is a directory of its own. After a failure the files in `shown` are printed, if they are there.

nr=0 failed=0 shown=()
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

diag()
{
	printf '# %s\n' "$@"
}

# ok STATUS DESCRIPTION
ok()
{
	local file

	nr=$((nr + 1))
	if [ "$1" = 0 ]; then
		echo "ok $nr - $2"
		return
	fi
	echo "not ok $nr - $2"
	failed=$((failed + 1))
	for file in "${shown[@]}"; do
		[ ! -s "$file" ] || head -n 20 "$file" | sed "s/^/# ${file##*/}: /"
	done
}

# skip DESCRIPTION REASON
skip()
{
	nr=$((nr + 1))
	echo "ok $nr - $1 # SKIP $2"
}

# check DESCRIPTION COMMAND...: the command has to succeed; what it prints on failure is the diagnosis
check()
{
	local what=$1 status=0
	shift

	"$@" > "$tmp/check" 2>&1 || status=$?
	[ "$status" = 0 ] || head -n 20 "$tmp/check" | sed 's/^/# /'
	ok "$status" "$what"
}

# same DESCRIPTION WANTED FOUND
same()
{
	[ "$2" = "$3" ] || diag "wanted: $2" "found:  $3"
	[ "$2" = "$3" ] && ok 0 "$1" || ok 1 "$1"
}

# What lib.sh of a directory calls `at_end` comes before the last line
finish()
{
	! declare -F at_end > /dev/null || at_end
	echo "1..$nr"
	[ "$failed" = 0 ]
	exit
}
