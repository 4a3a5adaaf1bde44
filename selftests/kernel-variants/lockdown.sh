#!/bin/bash
# Under lockdown nobody, root included, opens a file of the multiplexer.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh
lockdown=/sys/kernel/security/lockdown

mountpoint -q /sys/kernel/security || mount -t securityfs securityfs /sys/kernel/security
tracer 0 0xf name=mine
cd $T || exit
files=(function_tracers function_mux function_mux_check set_ftrace_filter set_ftrace_notrace tracers/mine/*)
same 'the files of a tracer are among them' 9 "${#files[@]}"
for file in "${files[@]}"; do
	check "$file can be read" cat "$file"
done
echo confidentiality > $lockdown
same 'the kernel is locked' '[confidentiality]' "$(grep -o '\[.*\]' $lockdown)"
for file in "${files[@]}"; do
	# shellcheck disable=SC2016 # expanded there
	check "$file cannot be read" sh -c '! cat "$1"' sh "$file"
	# shellcheck disable=SC2016
	check "$file cannot be written" sh -c '! cat /dev/null >> "$1"' sh "$file"
done
check 'a tracer goes as ever' rmmod mux_test
same 'and its directory with it' '' "$(ls tracers)"
unset -f at_end
finish
