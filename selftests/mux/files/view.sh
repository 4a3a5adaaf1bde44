#!/bin/bash
# guest: KERNEL=mux THREAD=single TIMEOUT=300
#
# Both views of set_ftrace_filter and set_ftrace_notrace: the one byte for byte like ftrace's, the other with a
# section for each tracer; the default in each; reading a byte at a time, seeking, and reading while
# another process rewrites the filters.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh
cd $T || exit 1

view()
{
	echo "$1" > options/function-mux
}


same 'the view is off' 0 "$(cat options/function-mux)"
same 'nothing registered, filter' '#### all functions enabled ####' "$(cat set_ftrace_filter)"
same 'nothing registered, notrace' '#### no functions disabled ####' "$(cat set_ftrace_notrace)"
echo schedule > set_ftrace_filter
same 'a filter before anything is registered goes to trace' schedule "$(cat set_ftrace_filter)"
mkdir instances/foo instances/bar
echo function > current_tracer
echo function > instances/foo/current_tracer
same 'view off: the newest is not the default' $'*trace\nfoo' "$(cat function_tracers)"
same 'view off: the default'\''s filter in plain format' schedule "$(cat set_ftrace_filter)"
echo foo > function_tracers
same 'a written name is the default' $'trace\n*foo' "$(cat function_tracers)"
echo vfs_read > set_ftrace_filter
same 'and its filter is what one reads' vfs_read "$(cat set_ftrace_filter)"
same 'the same as in its instance' vfs_read "$(cat instances/foo/set_ftrace_filter)"
same 'and as in its directory' vfs_read "$(cat tracers/foo/set_ftrace_filter)"
echo vfs_write >> set_ftrace_filter
same 'append' $'vfs_write\nvfs_read' "$(sort -r set_ftrace_filter)"
echo '!vfs_read' >> set_ftrace_filter
same 'remove' vfs_write "$(cat set_ftrace_filter)"
same 'trace keeps its own' schedule "$(cat tracers/trace/set_ftrace_filter)"
echo nop > instances/foo/current_tracer
same 'view off: the default goes, back to trace' '*trace' "$(cat function_tracers)"
same 'and so does the filter file' schedule "$(cat set_ftrace_filter)"

# The option is the top level's: an instance has no file for it, and its trace_options refuses it
same 'an instance has no file of the option' 0 "$(find instances/foo/options -name function-mux | wc -l)"
! echo function-mux 2> /dev/null > instances/foo/trace_options
ok $? 'an instance cannot turn the view on'
same 'and the view is off still' 'view: off 0' \
	"$(grep -o '^view: [a-z]*' function_mux) $(cat options/function-mux)"
check 'its error_log says where to set it' grep -q 'error: Set it in the top-level trace_options' instances/foo/error_log
check 'an instance may be told to leave it off, as when saved options are written back' \
	sh -c 'echo nofunction-mux > instances/foo/trace_options'

view 1
! echo function-mux 2> /dev/null > instances/foo/trace_options
same 'with the view on an instance cannot claim it either' 'nofunction-mux 1' \
	"$(grep -x '.*function-mux' instances/foo/trace_options) $(cat options/function-mux)"
echo function > instances/foo/current_tracer
echo function > instances/bar/current_tracer
same 'view on: the newest is the default' $'trace\nfoo\n*bar' "$(cat function_tracers)"
echo do_nanosleep > set_ftrace_notrace
same 'sections of set_ftrace_notrace' \
	$'[ trace] #### no functions disabled ####\n[ foo] #### no functions disabled ####\n[ bar] do_nanosleep' \
	"$(cat set_ftrace_notrace)"
want=$'[ trace] schedule\n[ foo] vfs_write\n[ bar] #### all functions enabled ####'
same 'sections of set_ftrace_filter' "$want" "$(cat set_ftrace_filter)"
same 'a byte at a time' "$want" "$(dd if=set_ftrace_filter bs=1 status=none)"
same 'a hundred bytes at a time' "$want" "$(dd if=set_ftrace_filter bs=100 status=none)"
same 'from the middle' "${want:20}" "$(dd if=set_ftrace_filter bs=1 skip=20 status=none)"
echo foo > function_tracers
same 'a written default stays' $'trace\n*foo\nbar' "$(cat function_tracers)"
echo 'vfs_r*' > set_ftrace_filter
same 'its own directory never has sections' "$(sort instances/foo/set_ftrace_filter)" \
	"$(sort tracers/foo/set_ftrace_filter)"
echo nop > instances/foo/current_tracer
same 'view on: the default goes, to the newest that remains' $'trace\n*bar' "$(cat function_tracers)"
echo 'schedule:traceon' > set_ftrace_filter
same 'a command is in the section' 1 "$(grep -c '^\[ bar\] schedule:traceon:unlimited$' set_ftrace_filter)"
echo '!schedule:traceon' >> set_ftrace_filter

# Readers while filters and the default change: every line is whole and belongs to a tracer
(for ((i = 0; i < 60; i++)); do
	echo trace > function_tracers; echo 'vfs_*' > set_ftrace_filter
	echo bar > function_tracers; echo schedule > set_ftrace_filter
done) &
writer=$!
bad=0
while kill -0 $writer 2> /dev/null; do
	bad=$((bad + $(dd if=set_ftrace_filter bs=7 status=none |
		grep -cvE '^\[ (trace|bar)\] (#### all functions enabled ####|[a-z0-9_.]+)$')))
done
wait $writer
same 'lines that are not whole, read during changes' 0 $bad

view 0
same 'view off again: ftrace'\''s format' schedule "$(cat set_ftrace_filter)"
echo nop > current_tracer
echo > set_ftrace_filter
rmdir instances/foo instances/bar
same 'nothing registered' '' "$(cat function_tracers)"
same 'and tracers/ is empty' '' "$(ls tracers)"
check 'nothing is left in the text' all_gone
finish
