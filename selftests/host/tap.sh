# shellcheck shell=bash
# For the tests of this directory: TAP output. A test sources it and ends with `finish`.

nr=0 failed=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# ok STATUS DESCRIPTION
ok()
{
	nr=$((nr + 1))
	if [ "$1" = 0 ]; then
		echo "ok $nr - $2"
	else
		echo "not ok $nr - $2"
		failed=$((failed + 1))
	fi
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
	[ "$2" = "$3" ] || printf '# wanted: %s\n# found:  %s\n' "$2" "$3"
	[ "$2" = "$3" ] && ok 0 "$1" || ok 1 "$1"
}

finish()
{
	echo "1..$nr"
	exit $((failed != 0))
}
