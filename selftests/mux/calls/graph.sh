#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=900 MODULES=1
#
# Users of function graph, 2, 4 and 16 of them: each sees the entry and the return of each call of the functions of
# its filter exactly once, and of no other one, while others come, go and change filters, and while everything else is
# attached to the functions.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh

I=$T/instances
P=/sys/module/mux_probes/parameters
seconds=$(arg seconds 3)
insmod $modules/mux_graph.ko

# called FUNCTION: the tracers in its line of enabled_functions
called()
{
	sed -n "s/^mt_fn$1 .*{\(.*\)}.*/\1/p" $T/enabled_functions
}

# overlapping USER: functions 0 to 7 for all, and some for it and its neighbours
overlapping()
{
	printf '0x%x' $((0xff | 0x1ff00 >> (16 - $1) & 0xff00 | 1 << (16 + $1 % 16)))
}

# --- A single user, then another one ------------------------------------------------------------------------------

# One list is made and left again, and no call site is patched for it
mg filter 0 0x3
mg filter 1 0x3
mg reg 0
mg reg 1
same 'two users of the same functions have a list' 'lists: 1 used' "$(grep '^lists:' $T/function_mux)"
mg filter 1 0x30
# After a grace period in the background
for ((i = 0; i < 300; i++)); do
	! grep -qx 'lists: 2 used' $T/function_mux || break
	sleep 0.1
done
same 'it is freed when each has functions of its own' 'lists: 2 used' "$(grep '^lists:' $T/function_mux)"
mg unreg 1
mg unreg 0

mg filter 0 0x3
mg filter 1 0x6
mg reg 0
check 'one user: the masks and the text agree' masks_ok
[ "$(grep -c '^stub ' $T/function_mux)" = 1 ] && grep -q '^stub .*: 2 args 0x[0-9a-f]* {\[ftrace_graph_func\]}' $T/function_mux
ok $? 'a single user is called by the static caller'
mg call 0 10
same 'and sees entries and returns' 10,10 "$(seen 0 0)"

mg reg 1
check 'two users: the masks and the text agree' masks_ok
mg reset
for f in 0 1 2 3; do
	mg call $f 10
done
for want in 0:0:10 0:1:10 0:2:0 1:0:0 1:1:10 1:2:10 0:3:0 1:3:0; do
	IFS=: read -r u f n <<< "$want"
	same "user $u sees function $f $n times" "$n,$n" "$(seen "$u" "$f")"
done
same 'function 0 has one user' '[graph_entry]' "$(called 00 | sed 's/ \[mux_graph\]//g')"
same 'function 1 has two' '[graph_entry],[graph_entry]' "$(called 01 | sed 's/ \[mux_graph\]//g')"

# The functions of both together stay the same
mg filter 0 0x6
mg filter 1 0x3
mg reset
for f in 0 1 2 3; do
	mg call $f 10
done
for want in 0:0:0 0:1:10 0:2:10 1:0:10 1:1:10 1:2:0; do
	IFS=: read -r u f n <<< "$want"
	same "filters changed: user $u sees function $f $n times" "$n,$n" "$(seen "$u" "$f")"
done
check 'filters changed: the masks and the text agree' masks_ok
# A user that registers where others are already, and unregisters
mg filter 2 0x2
mg reg 2
check 'a third user adds no function: the masks and the text agree' masks_ok
same 'it is called' 3 "$(called 01 | grep -o graph_entry | wc -l)"
mg unreg 2
check 'it has gone: the masks and the text agree' masks_ok
same 'it is no longer called' 2 "$(called 01 | grep -o graph_entry | wc -l)"
mg unreg 1
check 'one is left: the masks and the text agree' masks_ok
same 'and is called directly' '[ftrace_graph_func]' "$(called 01)"
mg unreg 0
check 'each of them saw what it had to' graph_ok
check 'nobody is left' all_gone

# --- The same index again and again -------------------------------------------------------------------------------

mg filter 3 0xf
mg reg 3
for ((i = 0; i < 40; i++)); do
	u=$((i % 3))
	mg filter $u $((1 << u))
	mg reg $u
	mg call $u 3
	mg call 3 3
	mg unreg $u
done
mg unreg 3
check 'users come and go 40 times' graph_ok

# --- While tracers have all IDs, so that function graph has none ----------------------------------------------------

ids=$(sed -n 's/^ids: //p' $T/function_mux)
for ((i = 0; i < ids; i++)); do
	tracer $i 0x100
done
for u in 0 1; do
	mg filter $u $((3 << u)) && mg reg $u
done
same 'function graph has no ID' 1 "$(grep -c '^no ID: .*graph' $T/function_mux)"
# each_sees WHAT WANT...: what users 0 and 1 see of 10 calls of each function, USER:FUNCTION:TIMES
each_sees()
{
	local want u f n

	mg reset
	for f in 0 1 2 3; do
		mg call $f 10
	done
	for want in "${@:2}"; do
		IFS=: read -r u f n <<< "$want"
		same "without an ID, $1: user $u sees function $f" "$n,$n" "$(seen "$u" "$f")"
	done
}
each_sees 'two users' 0:0:10 0:1:10 0:2:0 1:0:0 1:1:10 1:2:10
tracer $ids 0x3
each_sees 'next to a tracer' 0:0:10 0:1:10 0:2:0 1:0:0 1:1:10 1:2:10
mt ips $ids 0xc
each_sees 'next to a tracer that changes' 0:0:10 0:1:10 0:2:0 1:0:0 1:1:10 1:2:10
mg filter 0 0x8
each_sees 'with another filter' 0:0:0 0:1:0 0:3:10 1:0:0 1:1:10 1:2:10
check 'without an ID: the masks and the text agree' masks_ok
mg unreg 1
mt ips $ids 0x3
each_sees 'one has gone' 0:0:0 0:3:10 1:1:0 1:2:0
mg unreg 0
check 'without an ID: each of them saw what it had to' graph_ok
free_all

# --- Entered before, left after: 16 users, and the 17th gets the index of one of them -----------------------------

mg reset
for ((u = 0; u < 16; u++)); do
	mg filter $u 0x100000000 && mg reg $u
done
check '16 users: the masks and the text agree' masks_ok
mg sleep 5000 &
sleep 1
same 'a function is entered' 1,0 "$(seen 3 32)"
mg unreg 3
mg filter 3 0x1
mg reg 3
same 'another user has the index now' 15 \
	"$(sed -n 's/^msleep_interruptible .*{\(.*\)}.*/\1/p' $T/enabled_functions | grep -o graph_entry | wc -l)"
same 'before the function returns' 1,0 "$(seen 4 32)"
wait
same 'a user that saw the entry sees the return' 1,1 "$(seen 4 32)"
same 'one that came later does not' 1,0 "$(seen 3 32)"
for ((u = 0; u < 16; u++)); do
	mg unreg $u
done
check 'all have gone' all_gone

# --- 2, 4, 16 users, under load ------------------------------------------------------------------------------------

for n in 2 4 16; do
	mg reset
	for ((u = 0; u < n; u++)); do
		mg filter $u "$(overlapping $u)" && mg reg $u
	done
	check "$n users: the masks and the text agree" masks_ok
	mg load 2
	sleep "$seconds"
	mg load 0
	check "$n users: exact under load ($(mg_value checked) calls)" graph_ok
	mg keep 0x1
	mg churn $((n + 1))
	mg load 2
	sleep "$seconds"
	mg churn 0
	mg load 0
	check "$n users: exact while they change ($(mg_value checked) calls)" graph_ok
	check "$n users: the masks and the text agree after it" masks_ok
	for ((u = 0; u < 16; u++)); do
		mg unreg $u 2> /dev/null
	done
	check "$n users: all have gone" all_gone
done

# --- Next to all other users of the call sites ---------------------------------------------------------------------

insmod $modules/mux_probes.ko
mg reset
for ((u = 0; u < 4; u++)); do
	mg filter $u $((0x10 | 1 << u)) && mg reg $u
done
mg load 1
mg keep 0x1
mg churn 7
probes=(kprobe kretprobe)
! has register_fprobe || probes+=(fprobe)
others=(function "${probes[@]}" direct)
! has klp_enable_patch || others+=(livepatch)
for other in "${others[@]}"; do
	case $other in
	function) mkdir $I/f && echo mt_fn04 > $I/f/set_ftrace_filter && echo function > $I/f/current_tracer ;;
	# A direct call and a livepatch cannot be on the same function
	livepatch) mt call 4 100 && echo direct > $P/detach && patch_in ;;
	*) echo "$other 4" > $P/attach ;;
	esac
	ok $? "with $other on the same function"
	sleep 1
	check "with $other: the graph users are exact" graph_ok
done
mg churn 0
check 'with all of them: the masks and the text agree' masks_ok
for other in "${probes[@]}" direct; do
	[ "$(cat "$P/$other")" -ge 100 ]
	ok $? "$other has seen the calls too"
done
if [ -d $livepatch ]; then
	patch_out
	ok $? 'the livepatch goes'
else
	echo direct > $P/detach
fi
for other in "${probes[@]}"; do
	echo "$other" > $P/detach
done
echo nop > $I/f/current_tracer
rmdir $I/f
mg load 0
for ((u = 0; u < 16; u++)); do
	mg unreg $u 2> /dev/null
done
check 'next to all others: the graph users were exact' graph_ok
rmmod mux_probes

# --- Next to the other users that the kernel has -------------------------------------------------------------------

# The function tracer of two instances, one of which traces a process, the profiler, and BPF's kprobe_multi, which is a
# user of function graph in Linux 7.2
mkdir $I/all $I/one
for i in all one; do
	echo mt_fn04 > $I/$i/set_ftrace_filter
	echo function_graph > $I/$i/current_tracer
done
echo mt_fn04 > $T/set_ftrace_filter
echo 1 > $T/function_profile_enabled
mkfifo /tmp/go
exec 7<> /tmp/go
bpf=
! has bpf_kprobe_multi_link_attach || bpf=1
[ -z "$bpf" ] || check 'kprobe_multi is attached' counter_start bpf bpf-calls kprobe_multi mt_fn04

profiled()
{
	cat $T/trace_stat/function* | awk '$1 == "mt_fn04" { n += $2 } END { print n + 0 }'
}

# A process that calls, and a child of it
caller()
{
	read -r _ <&7
	mt call 4 100
	(mt call 4 50)
	true
}

# all_see WHAT FORK: each of them sees the calls of the shell and of both processes, and the one instance those of the
# process, with function-fork those of its child too
all_see()
{
	local before entries returns pid

	caller &
	pid=$!
	echo "$2" > $I/one/options/function-fork
	echo $pid > $I/one/set_ftrace_pid
	mg reset
	mt reset
	echo > $I/all/trace
	echo > $I/one/trace
	before=$(profiled)
	[ -z "$bpf" ] || IFS=, read -r entries returns <<< "$(counter_read bpf)"
	mt call 4 70
	echo >&7
	wait $pid
	same "$1: the function was called" 220 "$(calls 4)"
	same "$1: users" '220,220 220,220 220,220' "$(seen 0 4) $(seen 1 4) $(seen 2 4)"
	same "$1: an instance" 220 "$(grep -c 'mt_fn04.*()' $I/all/trace)"
	same "$1: an instance with a pid" $((100 + 50 * $2)) "$(grep -c 'mt_fn04.*()' $I/one/trace)"
	same "$1: the profiler" 220 $(($(profiled) - before))
	[ -z "$bpf" ] || same "$1: kprobe_multi" "$((entries + 220)),$((returns + 220))" "$(counter_read bpf)"
	check "$1: the masks and the text agree" masks_ok
	echo > $I/one/set_ftrace_pid
}

for u in 0 1 2; do
	mg filter $u $((0x10 | 1 << u)) && mg reg $u
done
all_see 'one process' 0
mg keep 0x7
mg churn 11
all_see 'and its child, while others come and go' 1
mg churn 0
echo 0 > $T/function_profile_enabled
for ((u = 3; u < 16; u++)); do
	mg unreg $u 2> /dev/null
done
mg reset
mg call 4 10
same 'the profiler has gone: a user' 10,10 "$(seen 0 4)"
counter_stop bpf
wait
same 'only the users are left' 3 "$(called 04 | grep -o graph_entry | wc -l)"
for i in all one; do
	echo nop > $I/$i/current_tracer
	rmdir $I/$i
done
echo > $T/set_ftrace_filter
for u in 0 1 2; do
	mg unreg $u
done
rmmod mux_graph
finish
