#!/bin/bash
# guest: KERNEL=debug SMP=2 THREAD=single TIMEOUT=900 MODULES=1
#
# Functions are searched for by name and listed while a module is loaded and removed all the time, on the kernel that
# checks memory, locks and RCU: its symbols, those of its init section among them, go while names are taken from them.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh
cd $T || exit 1

rounds=$(arg rounds 5)

come_and_go()
{
	while [ ! -e /tmp/end ]; do
		insmod $modules/mux_target.ko && insmod $modules/mux_user.ko || return
		rmmod mux_user && rmmod mux_target || return
	done
}

# Its functions; tg_init() is listed until the module is loaded
functions='tg_(fn[0-3]|init)'

# only REGEXP FILE: no line of the file is another one
only()
{
	! grep -vE "^($1)\$" "$2"
}

searches()
{
	local i all='#### .* ####' of='\[mux_target\]'

	for ((i = 0; i < rounds; i++)); do
		echo tg_fn2 > set_ftrace_filter 2> /dev/null
		only "tg_fn2 $of|$all" set_ftrace_filter || return
		echo '*_fn1' > set_ftrace_filter 2> /dev/null
		only "tg_fn1 $of|$all" set_ftrace_filter || return
		echo '*:mod:mux_target' > set_ftrace_notrace
		only "$functions $of|\*:mod:mux_target|$all" set_ftrace_notrace || return
		grep "$of" available_filter_functions > /tmp/listed
		only "$functions $of" /tmp/listed || return
		echo '*fn*' > instances/i/set_ftrace_filter
		cat enabled_functions > /dev/null
	done
}

mkdir instances/i
echo 0 > instances/i/tracing_on
echo mt_fn01 > instances/i/set_ftrace_filter
echo function > instances/i/current_tracer
come_and_go &
check 'names while a module comes and goes' searches
touch /tmp/end
wait $!
ok $? 'the module was loaded and removed all the time'
insmod $modules/mux_target.ko
echo tg_fn2 > set_ftrace_filter
same 'an exact name of the module' 'tg_fn2 [mux_target]' "$(cat set_ftrace_filter)"
echo 'tg_fn*' > set_ftrace_filter
same 'a pattern' "$(grep '^tg_fn' available_filter_functions)" "$(cat set_ftrace_filter)"
echo > set_ftrace_filter
echo > set_ftrace_notrace
echo nop > instances/i/current_tracer
rmdir instances/i
rmmod mux_target
finish
