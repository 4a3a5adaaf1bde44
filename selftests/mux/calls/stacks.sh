#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=300 MODULES=1
# arch: x86_64
#
# The stack of a task that is stopped in a tracer is complete, and livepatch relies on it: it patches another function
# at once, and waits for the task to leave the one that is being traced. With the tracer called by a caller of the
# multiplexer as with stock's trampoline for a single tracer.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh
whole='mt_hold_here mt_callback(_[0-9]+)? CALLER FUNCTION mt_call_regs mt_do_call .*do_syscall_64 entry_SYSCALL_64_after_hwframe'

# The stack of the task that sits in the tracer: names, innermost first
stack()
{
	sed -E 's/^\[<0>\] //; s/\+0x.*//' /proc/$task/stack | tr '\n' ' ' | sed 's/ $//'
}

# hold FUNCTION: a task calls it and stops in the tracer
hold()
{
	local i

	mt hold 1
	# Not a task of the shell's own: one that is only there for the call
	bash -c "echo call $1 1 > $D/cmd" &
	task=$!
	for ((i = 0; i < 100; i++)); do
		[[ $(stack) != mt_hold_here* ]] || return 0
		sleep 0.1
	done
	echo "the tracer does not stop: $(stack)"
	return 1
}

let_go()
{
	mt hold 0
	wait $task
}

# complete FUNCTION CALLER: while a task stands in a tracer of the function
complete()
{
	local found wanted=$whole

	wanted=${wanted/FUNCTION/mt_fn0$1}
	wanted=${wanted/CALLER/$2}
	hold "$1" || return
	found=$(stack)
	let_go
	[[ $found =~ ^$wanted$ ]] || { echo "wanted: $wanted"; echo "found:  $found"; return 1; }
}

# Patches function 4 while a task stands in a tracer of FUNCTION: does that wait for the task? 0 no, 1 yes
patch_beside()
{
	local status

	hold "$1" || return 2
	insmod $modules/mux_klp.ko || return 2
	patched 1 "$2"
	status=$?
	let_go
	patched 1 || status=2
	patch_out || status=2
	return $status
}

# The task is not in the function that is patched
patched_at_once()
{
	patch_beside 5 200 || { echo 'the transition waited for a task that is elsewhere'; return 1; }
}

# The task is in it: with half of its stack, livepatch would not wait
patched_later()
{
	patch_beside 4 30
	[ $? = 1 ] || { echo 'the transition did not wait for a task in the function'; return 1; }
}

# stacks DESCRIPTION CALLER HELD OPTIONS...: a tracer for each of the options, HELD is the one to stop in
stacks()
{
	local what=$1 caller=$2 held=$3 id=0 option
	shift 3

	for option; do
		tracer $id 0x30 "${option/-/} $([ $id = "$held" ] && echo hold)"
		id=$((id + 1))
	done
	check "$what: the stack of a task in a tracer is complete" complete 5 "$caller"
	mt others 1
	check "$what: livepatch relies on it" patched_at_once
	check "$what: livepatch waits for a task in the function" patched_later
	mt others 0
	free_all
}

stacks 'one tracer' ftrace_mux_callers 0 -
stacks 'two tracers, in the first' ftrace_mux_callers 0 - -
stacks 'two tracers, in the second' ftrace_mux_callers 1 - -
stacks 'seven tracers, in the last' ftrace_mux_callers 6 - - - - - - -
stacks 'two tracers with registers, in the first' ftrace_mux_callers 0 regs regs
stacks 'two tracers with registers, in the second' ftrace_mux_callers 1 - regs
# With frame pointers, ftrace_mux_list_func() is a frame of its own: gcc makes no jump of its last call.
list='ftrace_mux_call_members( ftrace_mux_list_func)? ftrace_mux_callers'
stacks 'nine tracers, in the one without an ID' "$list" 8 - - - - - - - - -
stacks 'nine tracers with registers, in the first' "$list" 0 - - - - - - - - regs
finish
