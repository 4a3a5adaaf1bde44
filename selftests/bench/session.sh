# shellcheck shell=bash
# What the user of a recording waits for, in the guest's time: each step of preparing an instance and of letting it go,
# and each write to the files of an instance, while another instance traces everything, and whole recordings of `true`
# with one, three and seven buffers. `session:steps` leaves the recordings out.

# elapsed COMMAND...: its time in tenths of milliseconds
elapsed()
{
	local start=${EPOCHREALTIME/./}

	"$@" > /dev/null 2>&1
	echo $(((${EPOCHREALTIME/./} - start + 50) / 100))
}

# session CASE COMMAND...: the threads of the grace periods of RCU tasks rest for 100 ms after each, which is over
session()
{
	local tenths

	sleep 0.3
	tenths=$(elapsed "${@:2}")
	figure session "$1" "$((tenths / 10)).$((tenths % 10))" ms
}

clear_event_filters()
{
	local file

	for file in "$1"/events/*/filter; do
		echo 0 > "$file"
	done
}

# set_file FILE TEXT
set_file()
{
	echo "$2" > "$1"
}

instance_steps()
{
	local dir=$T/instances/b2

	session 'mkdir' mkdir "$dir"
	session 'clear all event filters' clear_event_filters "$dir"
	session 'empty trace' set_file "$dir/trace" ''
	session 'attach' set_file "$dir/current_tracer" function
	echo 0 > "$dir/tracing_on"
	session 'tracing_on' set_file "$dir/tracing_on" 1
	session 'empty trace with events' set_file "$dir/trace" ''
	session 'detach' set_file "$dir/current_tracer" nop
	session 'rmdir' rmdir "$dir"
}

# write CASE FILE TEXT: one write
write()
{
	session "$1" set_file "$2" "$3"
}

add_line()
{
	echo "$2" >> "$1"
}

event_files()
{
	local dir=$1 waking=$1/events/sched/sched_waking rename=$1/events/task/task_rename

	write 'enable an event' "$waking/enable" 1
	write 'filter of an event: set' "$waking/filter" 'pid == 1'
	write 'filter of an event: change' "$waking/filter" 'pid == 2'
	write 'filter of an event: clear' "$waking/filter" 0
	write 'trigger: set' "$rename/trigger" 'traceoff if pid == 1'
	write 'trigger: remove' "$rename/trigger" '!traceoff if pid == 1'
	write 'set_event_pid: set' "$dir/set_event_pid" 1
	session 'set_event_pid: add' add_line "$dir/set_event_pid" 2
	write 'set_event_pid: clear' "$dir/set_event_pid" ''
	write 'disable an event' "$waking/enable" 0
	write 'set_event: set' "$dir/set_event" sched:sched_waking
	write 'set_event: change' "$dir/set_event" task:task_rename
	write 'set_event: clear' "$dir/set_event" ''
}

buffer_files()
{
	local dir=$1

	write 'buffer_size_kb: more' "$dir/buffer_size_kb" 2048
	write 'buffer_size_kb: less' "$dir/buffer_size_kb" 1024
	write 'buffer_subbuf_size_kb' "$dir/buffer_subbuf_size_kb" 8
	write 'trace_clock' "$dir/trace_clock" mono
	write 'snapshot: take' "$dir/snapshot" 1
	write 'snapshot: take again' "$dir/snapshot" 1
	write 'snapshot: empty' "$dir/snapshot" 2
	write 'snapshot: free' "$dir/snapshot" 0
	echo 0 > "$dir/tracing_on"
	write 'buffer_size_kb: more while off' "$dir/buffer_size_kb" 2048
	write 'buffer_size_kb: less while off' "$dir/buffer_size_kb" 1024
	echo 1 > "$dir/tracing_on"
}

function_files()
{
	local dir=$1 option n

	echo function > "$dir/current_tracer"
	write 'set_ftrace_filter: one of all' "$dir/set_ftrace_filter" vfs_read
	write 'set_ftrace_filter: another' "$dir/set_ftrace_filter" vfs_write
	session 'set_ftrace_filter: a command' add_line "$dir/set_ftrace_filter" vfs_read:traceoff
	session 'set_ftrace_filter: another command' add_line "$dir/set_ftrace_filter" vfs_truncate:traceoff
	session 'set_ftrace_filter: one command less' add_line "$dir/set_ftrace_filter" '!vfs_read:traceoff'
	session 'set_ftrace_filter: no command' add_line "$dir/set_ftrace_filter" '!vfs_truncate:traceoff'
	write 'set_ftrace_pid: set' "$dir/set_ftrace_pid" 1
	session 'set_ftrace_pid: add' add_line "$dir/set_ftrace_pid" 2
	write 'set_ftrace_pid: clear' "$dir/set_ftrace_pid" ''
	for option in func_stack_trace func-no-repeats function-fork event-fork record-tgid overwrite; do
		for n in 1 0; do
			write "options/$option: $n" "$dir/options/$option" "$n"
		done
	done
	write 'function to function_graph' "$dir/current_tracer" function_graph
	write 'function_graph to nop' "$dir/current_tracer" nop
	write 'nop to wakeup' "$dir/current_tracer" wakeup
	write 'wakeup to nop' "$dir/current_tracer" nop
}

kprobe_files()
{
	local dir=$1

	write 'kprobe_events: add' "$T/kprobe_events" 'p:one vfs_read'
	session 'kprobe_events: add another' add_line "$T/kprobe_events" 'r:two vfs_write'
	write 'kprobe: enable' "$dir/events/kprobes/one/enable" 1
	write 'kretprobe: enable' "$dir/events/kprobes/two/enable" 1
	write 'kprobe: disable' "$dir/events/kprobes/one/enable" 0
	write 'kretprobe: disable' "$dir/events/kprobes/two/enable" 0
	session 'kprobe_events: remove one' add_line "$T/kprobe_events" '-:one'
	write 'kprobe_events: clear' "$T/kprobe_events" ''
}

# What only the top level has, on stock
top_files()
{
	write 'function_profile_enabled: 1' "$T/function_profile_enabled" 1
	write 'function_profile_enabled: 0' "$T/function_profile_enabled" 0
	write 'set_graph_function: set' "$T/set_graph_function" vfs_read
	write 'set_graph_function: change' "$T/set_graph_function" vfs_write
	write 'set_graph_function: clear' "$T/set_graph_function" ''
}

file_writes()
{
	local dir=$T/instances/b3

	mkdir "$dir"
	event_files "$dir"
	buffer_files "$dir"
	function_files "$dir"
	kprobe_files "$dir"
	top_files
}

# names COUNT: names of as many buffers
names()
{
	local all=(a b c d e f g)

	printf '%s\n' "${all[@]:0:$1}"
}

# recording COUNT COMMAND WORD...: a recording of `true`; the WORDs are said for each buffer, @ in one is its name
recording()
{
	local name words=()

	while read -r name; do
		words+=("${@:3}")
		words=("${words[@]//@/$name}")
	done < <(names "$1")
	session "$2 record $1" "$2" record -o /tmp/session.dat "${words[@]}" true
	rm -f /tmp/session.dat
}

topic_session()
{
	local n

	instances 1
	echo function > "$T/instances/b1/current_tracer"
	sleep 1
	instance_steps
	file_writes
	remove_instances
	[ "${1:-}" != steps ] || return 0
	cp -a /files/tools-root/. /
	ldconfig 2> /dev/null || true
	sleep 1
	for n in 1 3 7; do
		recording "$n" trace-cmd -B @ -p function
	done
	for n in 1 3 7; do
		recording "$n" ftrace-mux -t '@:*'
	done
}
