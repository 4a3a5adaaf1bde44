# shellcheck shell=bash
# What the tests of this directory share; sourced by them after selftests/tap.sh, which makes $tmp.
# shellcheck disable=SC2154

# in_guest DESCRIPTION SCRIPT [FILE...]: a script that prints TAP lines, in a guest with the test modules and these
# files, with the environment that selftests/guest/run takes
in_guest()
{
	local what=$1 script=$2 status=0 modules start=$SECONDS
	shift 2

	: > "$tmp/out"
	modules=$(selftests/modules/build "${KERNEL:-mux}" 2> "$tmp/err") &&
		FILES="selftests/mux $modules $*" SMP=2 THREAD=single TIMEOUT=${TIMEOUT:-200} LOGDIR=$tmp/log \
			selftests/guest/run "$script" > "$tmp/out" 2> "$tmp/err" < /dev/null || status=$?
	[ "$status" = 0 ] || {
		grep -aB 12 '^not ok' "$tmp/out" | head -n 40 | sed 's/^[^#]/# &/'
		tail -n 40 "$tmp/err" | sed 's/^/# /'
	}
	ok "$status" "$what ($(grep -ac '^ok' "$tmp/out") checks in $((SECONDS - start)) s)"
}

# variant DESCRIPTION 'FILE PATTERN'...: selftests/kernel-variants/guest.sh, with the function tracer from the command line; the
# patterns say that the guest is this variant
variant()
{
	local what=$1
	shift

	printf '%s\n' "$@" > "$tmp/want"
	APPEND="${APPEND:-} ftrace=function ftrace_filter=vfs_*" in_guest "$what" selftests/kernel-variants/guest.sh "$tmp/want"
}

# ibt: did the last guest run with indirect branch tracking?
ibt()
{
	if grep -q 'ibt: on' "$tmp/out"; then
		ok 0 'indirect branch tracking'
	else
		skip 'indirect branch tracking' 'this QEMU does not imitate it; the kernel is compiled for it'
	fi
}
