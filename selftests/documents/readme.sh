#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=300 TOOLS=1 MODULES=1 FILES="README.md Documentation/tutorial.md Documentation/trace/ftrace-mux.rst"
# arch: x86_64
#
# The sessions of README.md and Documentation/tutorial.md, which begin in /root as `make shell` does, and of
# Documentation/trace/ftrace-mux.rst, which begins in tracefs: each command after a `# ` in a console block is run in
# the order of the text, and what it prints is compared with what stands below it.
#
# In the text `...` stands for anything, on a line of its own for any number of lines, and a number of four digits and
# more for one that is within two in a hundred of it: kernels differ. On another version than 6.12, which the documents
# show, it is within ten in a hundred. The amount of white space does not count.
# shellcheck source=selftests/tap.sh
. /files/tap.sh
shopt -s extglob
cp -a /files/tools-root/. /
mkdir -p /lib/modules/"$(uname -r)"/extra
cp /files/mux-modules/mux_sample.ko /lib/modules/"$(uname -r)"/extra/
depmod

# The lines of the blocks: fenced in Markdown, indented after `.. code-block:: console` in reStructuredText
blocks()
{
	awk '
		/^```console$/ { on = 1; next }
		/^```$/ { on = 0; next }
		/^\.\. code-block:: console/ { on = 2; next }
		on == 2 && /^[^ ]/ { on = 0 }
		on == 2 { sub(/^    /, "") }
		on' "$1"
}

squeeze()
{
	sed -e 's/[[:space:]]\+/ /g' -e 's/ $//' -e 's/^[^ ]*: line [0-9]*: /bash: /'
}

# What the text shows as a pattern of the shell
pattern()
{
	squeeze <<< "$1" | sed -e 's/[][*?\\()|!+@]/\\&/g' -e 's/[0-9]\{4,\}/+([0-9])/g' -e 's/\.\.\./*/g'
}

# close WANTED FOUND: their numbers of four digits and more are, one by one, where "..." did not take some away
close()
{
	local part=10

	[[ $(uname -r) != 6.12.* ]] || part=50
	paste <(grep -oE '[0-9]{4,}' <<< "$1") <(grep -oE '[0-9]{4,}' <<< "$2") |
		awk -v part=$part '$2 != "" && ($1 - $2) ^ 2 > ($1 / part) ^ 2 { exit 1 }'
}

# play COMMAND EXPECTED
play()
{
	local got want

	eval "$1" > /tmp/output 2>&1 < /dev/null
	got=$(squeeze < /tmp/output)
	want=$(pattern "$2")
	# shellcheck disable=SC2053 # a pattern
	if [[ $got == $want ]] && { [[ $2 == *...* ]] || close "$2" "$got"; }; then
		ok 0 "$doc: $1"
	else
		sed 's/^/# wanted: /' <<< "$2"
		sed 's/^/# found:  /' /tmp/output
		ok 1 "$doc: $1"
	fi
}

session()
{
	local line command='' expected=''

	while IFS= read -r line <&3; do
		case $line in
		'# '*)
			[ -z "$command" ] || play "$command" "${expected%$'\n'}"
			command=${line#'# '}
			expected=
			;;
		'$ '* | '') ;;
		*) expected+=$line$'\n' ;;
		esac
	done 3< <(blocks "/files/$doc")
	[ -z "$command" ] || play "$command" "${expected%$'\n'}"
}

cd /root && ln -sfn /sys/kernel/tracing tracing || exit
for doc in README.md tutorial.md; do
	cd /root || exit
	session
done
cd /sys/kernel/tracing || exit
doc=ftrace-mux.rst
session

# What README says of switching tracers of all functions on
sites=$(tr '\n' ' ' < /files/README.md | sed -n 's/.*one jump instead of \([0-9,]*\) call sites.*/\1/p' | tr -d ,)
echo function > current_tracer
found=$(sed -n 's/^last update: .* \([0-9]*\) sites patched.*/\1/p' function_mux)
check "all functions: README says $sites call sites, they are $found" close "${sites:-1111}" "${found:-0000}"
mkdir instances/second
echo function > instances/second/current_tracer
check 'a second tracer of all: one jump' grep -q '^last update: 1 stubs redirected, 0 sites patched' function_mux
echo nop > instances/second/current_tracer
echo nop > current_tracer
rmdir instances/second
same 'the sessions leave nothing' '' "$(cat /sys/kernel/tracing/{function_tracers,enabled_functions})"
finish
