#!/bin/bash
# guest: KERNEL=mux SMP=2 THREAD=single TIMEOUT=900 MODULES=1
#
# Users of function graph, 2, 4 and 16 of them: each sees the entry and the return of each call of the functions of
# its filter exactly once, and of no other one, whoever comes, goes and changes filters meanwhile, and whatever else is
# attached to the functions.
# shellcheck source=selftests/mux/lib.sh
. /files/mux/lib.sh

G=/sys/kernel/debug/mux_graph
I=$T/instances
P=/sys/module/mux_probes/parameters
seconds=$(arg seconds 3)
insmod $modules/mux_graph.ko

mg()
{
	printf '%s\n' "$*" > $G/cmd
}

mg_value()
{
	awk -v n="$1" '$1 == n { print $2 }' $G/stats
}

# seen USER FN: entries and returns
seen()
{
	awk -v u="$1" -v f="$2" '$1 == "user" && $2 == u && $3 == f { print $4 "," $5; n = 1 }
		END { if (!n) print "0,0" }' $G/stats
}

graph_ok()
{
	[ "$(mg_value errors)" = 0 ] && [ "$(mg_value checked)" -gt 0 ] && return
	head -n 8 $G/stats
	return 1
}

# The line of a function in enabled_functions, who is called only
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

mg filter 0 0x3
mg filter 1 0x6
mg reg 0
check 'one user: the masks and the text agree' masks_ok
[ "$(grep -c '^number ' $T/function_mux)" = 1 ] && grep -q '^number .*: 2 args 0x[0-9a-f]* {\[ftrace_graph_func\]}' $T/function_mux
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
# A user who comes where others are already, and goes
mg filter 2 0x2
mg reg 2
check 'a third user adds no function: the masks and the text agree' masks_ok
same 'it is called' 3 "$(called 01 | grep -o graph_entry | wc -l)"
mg unreg 2
check 'it has gone: the masks and the text agree' masks_ok
same 'it is called no more' 2 "$(called 01 | grep -o graph_entry | wc -l)"
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
same 'who has been there sees the return' 1,1 "$(seen 4 32)"
same 'who has come since does not' 1,0 "$(seen 3 32)"
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

# --- Beside everybody else -----------------------------------------------------------------------------------------

insmod $modules/mux_probes.ko
mg reset
for ((u = 0; u < 4; u++)); do
	mg filter $u $((0x10 | 1 << u)) && mg reg $u
done
mg load 1
mg keep 0x1
mg churn 7
for other in function kprobe kretprobe fprobe direct livepatch; do
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
for other in kprobe kretprobe fprobe direct; do
	[ "$(cat $P/$other)" -ge 100 ]
	ok $? "$other has seen the calls too"
	[ $other = direct ] || echo $other > $P/detach
done
patch_out
ok $? 'the livepatch goes'
echo nop > $I/f/current_tracer
rmdir $I/f
mg load 0
for ((u = 0; u < 16; u++)); do
	mg unreg $u 2> /dev/null
done
check 'beside everybody: the graph users were exact' graph_ok
rmmod mux_probes
rmmod mux_graph
finish
