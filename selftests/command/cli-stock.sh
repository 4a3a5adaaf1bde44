#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# guest: KERNEL=stock SMP=2 THREAD=single TIMEOUT=1200 TOOLS=1
#
# The command line tool on a kernel that does not multiplex: it says what is missing and does what instances allow.
# shellcheck source=selftests/command/lib.sh
. /files/command/lib.sh

run 3 "status says that the kernel does not multiplex" status
out_has "which files are missing" "$T/function_tracers $T/function_mux"
out_has "which option was not set" 'CONFIG_FTRACE_MUX is not set'
for c in "view on" check "default foo" "which --callers"; do
	# shellcheck disable=SC2086 # words
	run 3 "$c: not on this kernel" $c
	err_has "$c: names the option" 'CONFIG_FTRACE_MUX'
done

run 3 "add --graph: not on this kernel" add below --graph vfs_read
err_has "names the file" 'instances/below/set_graph_function'
check "leaves no instance" test ! -e $T/instances/below

. /files/command/common.sh
. /files/command/live.sh
. /files/command/attach.sh
finish
