# shellcheck shell=bash
# What the user of a recording waits for, in the guest's time: each step of preparing an instance and of letting it go,
# while another instance traces everything, and whole recordings of `true` with one, three and seven buffers.

# elapsed COMMAND...: its time in tenths of milliseconds
elapsed()
{
	local start=${EPOCHREALTIME/./}

	"$@" > /dev/null 2>&1
	echo $(((${EPOCHREALTIME/./} - start + 50) / 100))
}

# session CASE COMMAND...
session()
{
	local tenths

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

	cp -a /files/tools-root/. /
	ldconfig 2> /dev/null || true
	instances 1
	echo function > "$T/instances/b1/current_tracer"
	sleep 1
	instance_steps
	remove_instances
	sleep 1
	for n in 1 3 7; do
		recording "$n" trace-cmd -B @ -p function
	done
	for n in 1 3 7; do
		recording "$n" ftrace-mux -t '@:*'
	done
}
