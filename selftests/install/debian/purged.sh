#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# For machine.test: Debian's own kernel, when the packages have gone.
# shellcheck source=selftests/tap.sh
. /files/tap.sh

same 'the system runs' running "$(systemctl is-system-running --wait)"
check "with Debian's own kernel" sh -c 'dpkg -S /boot/vmlinuz-$(uname -r) | grep -q cloud-amd64'
check 'it does not multiplex' test ! -e /sys/kernel/tracing/function_tracers
same 'no package is left' '' "$(dpkg-query -W -f '${Package} ${Status}\n' | grep -E '^ftrace-mux|-mux ')"
same 'nor a file' '' "$(find / -xdev -path /files -prune -o -path /proc -prune -o -name '*ftrace*mux*' -print -o -name '*-mux' -print)"
same 'tracing works' function "$(echo function > /sys/kernel/tracing/current_tracer && cat /sys/kernel/tracing/current_tracer)"
finish
