#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=600 TOOLS=1
#
# What calls return, and with which arguments: what is recorded is what happened. A kernel that records no arguments says
# so; arguments.test runs this on one that does.
# shellcheck source=selftests/command/lib.sh
. /files/command/lib.sh
cd /tmp || exit 1

# A system call without arguments has several names. The shell asks for its parent's PID when it starts
parent=$(grep -m 1 '_sys_getppid$' $T/available_filter_functions)
# shellcheck disable=SC2016 # for that shell
run 0 "record --retval" record --retval --follow -t calls:"$parent",do_sys_openat2 -o a.dat -- \
	sh -c 'echo $PPID > ppid; for i in 1 2 3; do true < /no/such; done 2> /dev/null; true < ppid'
run 0 "report --retval" report --retval '*_sys_getppid' a.dat
out_has "of that function" '^calls: _.*_sys_getppid, 1 call returned$'
out_has "the parent's PID" "^ +1 +[0-9.]+[num]?s \|#+\| $(cat ppid)$"
run 0 "report of a pattern" report --retval '*openat2' a.dat
check "files that are not there" test "$(awk '$NF == "ENOENT" { print $1 }' out)" -ge 3
out_has "and one that is" '^ +[0-9]+ +[0-9.]+[num]?s \|#+ *\| 3$'
run 0 "export" export a.dat
same "what a call returned" "$(cat ppid)" "$(sed -n "s/.*\"name\":\"_[^\"]*_sys_getppid\",\"args\":{\"retval\":\([0-9]*\)}.*/\1/p" out)"
run 1 "report of a function that is not there" report --retval vfs_read a.dat
err_has "how to record it" 'no tracer has return values of vfs_read; ftrace-mux record --retval records them'
run 1 "report of arguments" report --args do_sys_openat2 a.dat
err_has "how to record them" 'no tracer has arguments of do_sys_openat2; ftrace-mux record --args'
run 0 "add" add live -p function_graph -l "$parent"
sh -c : > /dev/null
run 0 "stop" stop live
run 0 "report --live" report --live --retval '*_sys_getppid' live
out_has "a parent's PID" "\|#+ *\| $$$"
run 0 "del" del live

if [ -e $T/options/func-args ]; then
	run 0 "record --args" record --args --follow -t reads:ksys_read -t graph:ksys_read,retval -o b.dat -- \
		dd if=/dev/zero of=/dev/null bs=777 count=50
	same "the top level has no option that was not set" "0 0" "$(cat $T/options/func-args $T/options/funcgraph-args | paste -sd ' ' -)"
	run 0 "report --args" report --args ksys_read b.dat
	out_has "of the tracer of function" '^reads: ksys_read, argument 3 of [0-9]+ calls$'
	out_has "and of function_graph" '^graph: ksys_read, argument 3 of [0-9]+ calls$'
	same "50 calls each had this length" 2 "$(grep -cE '^ +50 \|#+\| 777$' out)"
	run 0 "report --retval" report --retval ksys_read b.dat
	out_has "and returned it" '^ +50 +[0-9.]+[num]?s \|#+\| 777$'
	run 0 "export" export b.dat
	same "the arguments of both" 100 "$(grep -cE '"args":\[0,"0x[0-9a-f]+",777[],]' out)"
	run 2 "the arguments and the stack" record --args -t reads:ksys_read,stack -o b.dat -- touch ran
else
	run 3 "record --args" record --args -t reads:ksys_read -o b.dat -- touch ran
	err_has "what the kernel lacks" 'options/func-args; it needs Linux 6.15 or newer with CONFIG_FUNCTION_TRACE_ARGS'
	run 3 "record --args of function_graph" record --args --retval -t reads:ksys_read -o b.dat -- touch ran
	err_has "what the kernel lacks" 'options/funcgraph-args; it needs'
	check "no recording" test ! -e b.dat
fi
check "nothing ran" test ! -e ran
same "no tracer is left" "" "$(instances)"
run 0 "the kernel is content" check
finish
