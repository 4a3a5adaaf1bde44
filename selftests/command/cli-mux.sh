#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=1500 TOOLS=1
#
# The command line tool on a multiplexing kernel: everything that works on any kernel, and what only this one has.
# shellcheck source=selftests/command/lib.sh
. /files/command/lib.sh

run 0 "status" status
out_has "it multiplexes" '^multiplexing +yes: 8 IDs$'
. /files/command/common.sh

# What is below a function
run 0 "add --graph" add below --graph ksys_read -l ksys_read,vfs_read,vfs_open
cat /etc/hostname > /dev/null
run 0 "stop" stop below
check "the function is there, and what it calls" sh -c "grep -q 'ksys_read()' $T/instances/below/trace && grep -q ' vfs_read()' $T/instances/below/trace"
same "nothing else" 0 "$(grep -c vfs_open $T/instances/below/trace)"
run 0 "list --json" list --json below
out_has "it is in the list" '"graph":\["ksys_read"\]'
run 0 "save" save /tmp/below.json
run 0 "del" del below
run 0 "restore" restore /tmp/below.json
same "it begins there again" ksys_read "$(cat $T/instances/below/set_graph_function)"
run 0 "del" del below

# The masks, as the kernel has them
ftrace-mux add one -l vfs_read,vfs_write
ftrace-mux add two -l vfs_read
run 0 "which" which vfs_read vfs_write schedule
out_has "two tracers: their caller" '^vfs_read +2 +0x[0-9a-f]+ group +one,two$'
out_has "one tracer: a caller, too" '^vfs_write +1 +0x[0-9a-f]+ args +one$'
out_has "nobody: nothing" '^schedule +0 +nop +-$'
run 0 "which --callers" which --callers
out_has "the stub of both, its mask and functions" '^[0-9]+ +0x[0-9a-f]+ +group +1 +one,two$'
same "as many stubs as in function_mux" "$(grep -c '^stub [0-9]' $T/function_mux)" "$(($(wc -l < /tmp/out) - 1))"
run 0 "status" status
out_has "the stubs" '^stubs +2 used, at 2 functions; [0-9]+ clean$'
same "the last update" "$(sed -n 's/^last update: \([0-9]*\) stubs redirected, \([0-9]*\) sites patched.*/\1 \2/p' $T/function_mux)" \
	"$(sed -n 's/^last update *\([0-9]*\) stubs* redirected, \([0-9]*\) sites* patched.*/\1 \2/p' /tmp/out)"
out_has "it patched or redirected" '^last update +([1-9][0-9]* stubs? redirected|0 stubs redirected, [1-9])'
run 0 "status --json" status --json
out_has "IDs with names" '"names":\["one"\]'
out_has "nobody without" '"without_id":\[\]'
out_has "updates" '"updates":\{"last":\{"redirects":[0-9]+,"sites":[0-9]+,"waits":[0-9]+\},"all":'
run 0 "list --json" list --json one
out_has "the ID as in tracers/one/id" "\"id\":$(cat $T/tracers/one/id),"
run 0 "check" check
out_has "the kernel is content" '^ok: '

# The default tracer
run 0 "default" default
same "it is trace" trace "$(cat /tmp/out)"
run 0 "default one" default one
same "the kernel has it" one "$(sed -n 's/^\*//p' $T/function_tracers)"
run 1 "default of nobody" default nobody
same "says so once" 'ftrace-mux: nobody: no such tracer; see ftrace-mux list --all' "$(cat /tmp/err)"
same "the old one stays" one "$(sed -n 's/^\*//p' $T/function_tracers)"
run 0 "a filter by name is not that of the default" filter two vfs_write
same "two has it" vfs_write "$(filter_of two)"
same "one keeps its own" "vfs_read vfs_write" "$(filter_of one)"

# The view
run 0 "view" view
same "off" off "$(cat /tmp/out)"
run 0 "view on" view on
err_has "with a warning" 'warning: the view is on: trace-cmd record .*trace everything themselves; ftrace-mux view off'
run 0 "status with the view on" status
err_has "warns, too" 'warning: .*trace everything themselves'
check "sections" grep -q '^\[ two\] vfs_write' $T/set_ftrace_filter
ftrace-mux default one
run 0 "record while the view is on" record -t rec:schedule -o /tmp/v.dat -- true
same "leaves the default alone" one "$(sed -n 's/^\*//p' $T/function_tracers)"
run 0 "top while the view is on" top -n 1 one
same "leaves the default alone" one "$(sed -n 's/^\*//p' $T/function_tracers)"
run 0 "view off" view off

# Names that the kernel changes, and the filter of trace while it is not the default
mkdir "$T/instances/a\$(b)"
ftrace-mux enable "a\$(b)"
run 0 "list" list
out_has "the tracer, by the kernel's name, and its instance" '^ +a__b_ +[0-9] +on .* a\$\(b\) +function'
run 0 "filter by that name" filter a__b_ vfs_read
# shellcheck disable=SC2016 # the name
same "it has it" vfs_read "$(filter_of 'a$(b)')"
run 0 "del by that name" del a__b_
run 0 "default one" default one
run 0 "list" list
out_has "trace's filter cannot be seen" 'trace .*\? \(not to be seen: one is the default\)'

# Tracers of the kernel have their own filters
run 0 "enable trace" enable trace -p function
run 0 "enable trace_profile" enable trace_profile
run 0 "filter of trace" filter trace vfs_readv
run 0 "filter of trace_profile" filter trace_profile vfs_writev
run 0 "list" list
out_has "trace" 'trace +[0-9]+ +on +1 +function +vfs_readv'
out_has "trace_profile" 'trace_profile +[0-9]+ +on +1 .* vfs_writev'
run 0 "save" save /tmp/all.json
run 0 "disable both" disable trace trace_profile
run 0 "del" del one two
run 0 "restore" restore /tmp/all.json
run 0 "filter of trace" filter trace
same "trace is back" vfs_readv "$(cat /tmp/out)"
run 0 "filter of trace_profile" filter trace_profile
same "trace_profile is back" vfs_writev "$(cat /tmp/out)"
same "instances are back" "vfs_read vfs_write|vfs_write" "$(filter_of one)|$(filter_of two)"
run 0 "check" check
ftrace-mux disable trace trace_profile
ftrace-mux del one two

# More tracers than IDs
for i in 1 2 3 4 5 6 7 8 9; do ftrace-mux add "t$i" -l schedule; done
run 0 "list with nine tracers" list
out_has "the last one has none" ' t9 +- +on'
same "as tracers/t9/id says" none "$(cat $T/tracers/t9/id)"
run 0 "which" which schedule
out_has "it is named" '^schedule +9 +0xff args .*,\+t9$'
run 0 "which --callers" which --callers
out_has "with a stub" '^[0-9]+ +0xff +args +1 +.*,\+t9$'
run 0 "status" status
out_has "who has no ID" '^without ID +t9$'
run 0 "check" check
ftrace-mux del t1 t2 t3 t4 t5 t6 t7 t8 t9
same "all are gone" "" "$(instances)"

. /files/command/live.sh
. /files/command/attach.sh

# The kernel's own events, with names instead of masks
ftrace-mux add seen -l vfs_read
echo 1 > $T/instances/seen/events/ftrace_mux/enable
ftrace-mux add other -l vfs_read
ftrace-mux filter other vfs_write
ftrace-mux del other
echo 0 > $T/instances/seen/events/ftrace_mux/enable
run 0 "watch shows events of the multiplexer" watch --once seen
out_has "a tracer comes, with its ID" 'mux_tracer_register: +other id=[0-9]'
out_has "and goes" 'mux_tracer_unregister: +other'
out_has "a retargeting names the tracers" \
	'mux_retarget: +sites=[0-9]+ redirects=[0-9]+ waits=[0-9]+ time=[0-9.]+us tracers=0x[0-9a-f]+ \{[^}]*other'
ftrace-mux del seen
finish
