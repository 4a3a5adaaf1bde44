/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The life of a slot of the multiplexer, against tasks that run callers.
 *
 * Tracer S traces the function all the time, in slot 0. Slot 1 is used by a dynamic tracer that is freed after it
 * is unregistered, then by a static one that becomes a zombie and comes back, and after that by another static one.
 * TASKS tasks call the function. Each may be preempted at any step: at the stub, between the load of the slot's ops
 * and the jump to its function, and in the tracer's function.
 *
 * Steps that the kernel makes atomic are atomic here: a stub and a slot's jump change at once (text poking), the ops
 * pointer is one store. Which stub a call site calls, and when one may change, is in stubs.pml.
 *
 * It must hold for every call: S sees it exactly once; a tracer's function gets its own ops; none runs for an ops
 * whose memory has been freed; and none runs for an ops at a function that this ops never traced.
 *
 * With one of the following defined, a rule of the kernel code is broken, and the checker has to find the error:
 *   NO_GRACE_DYNAMIC   unregistering a dynamic ops does not wait before its memory is freed
 *   NO_GRACE_REPOINT   a zombie's slot is given to another ops without waiting
 *   STUB_FIRST         the stub is redirected before the slot is published
 *   UNPUBLISH_EARLY    the slot is given away before the stub is redirected
 */

#ifndef TASKS
#define TASKS	2
#endif
#ifndef CALLS
#define CALLS	2
#endif

#define S	1	/* stays */
#define DYN	2	/* dynamic: freed */
#define STA	3	/* static: zombie, comes back */
#define STB	4	/* static: gets the zombie's slot */
#define NR_OPS	5

#define BIT0	1
#define BIT1	2

byte stub = BIT0;	/* mask of the caller that it leads to */
byte slot_ops[2];	/* the pointer that a slot loads */
byte slot_func[2];	/* the tracer whose function it jumps to */
bool freed[NR_OPS];
bool traced[NR_OPS];	/* has it ever traced this function? */

/* A grace period: every task that was inside when it began has left since */
bool inside[TASKS];
byte left[TASKS];

inline wait_for_callers()
{
	byte was[TASKS];
	bool in[TASKS];
	byte t;

	atomic {
		t = 0;
		do
		:: t < TASKS -> was[t] = left[t]; in[t] = inside[t]; t++
		:: else -> break
		od;
	}
	t = 0;
	do
	:: t < TASKS ->
		(!in[t] || left[t] != was[t]);
		t++
	:: else -> break
	od
}

inline publish(slot, ops)
{
	slot_ops[slot] = ops;
	slot_func[slot] = ops;
}

inline start(ops)
{
	traced[ops] = true;
#ifdef STUB_FIRST
	stub = BIT0 | BIT1;
	publish(1, ops);
#else
	publish(1, ops);
	stub = BIT0 | BIT1;
#endif
}

inline stop()
{
#ifdef UNPUBLISH_EARLY
	publish(1, 0);
#endif
	stub = BIT0;
}

/* One tracer is called through a slot: load the ops, jump to the function */
inline call_slot(slot)
{
	ops = slot_ops[slot];
	func = slot_func[slot];
	assert(func != 0);
	assert(ops == func);
	assert(!freed[func]);
	assert(traced[func]);
	if
	:: func == S -> seen++
	:: else
	fi;
	/* In the tracer's function; its memory must stay until it returns */
	assert(!freed[func]);
}

proctype task(byte me)
{
	byte n, mask, ops, func, seen;

	do
	:: n < CALLS ->
		seen = 0;
		/* The call instruction; and the jump of the stub */
		inside[me] = true;
		mask = stub;
		if
		:: mask & BIT0 -> call_slot(0)
		:: else
		fi;
		if
		:: mask & BIT1 -> call_slot(1)
		:: else
		fi;
		atomic { inside[me] = false; left[me]++ }
		assert(seen == 1);
		n++
	:: else -> break
	od
}

proctype updater()
{
	/* A dynamic ops comes and goes */
	start(DYN);
	stop();
#ifndef NO_GRACE_DYNAMIC
	wait_for_callers();
#endif
	freed[DYN] = true;

	/* A static ops takes the slot, leaves it as a zombie, comes back to it at once, and goes */
	start(STA);
	stop();
	start(STA);
	stop();

	/* Another one needs the slot. It does not trace this function, only others. */
#ifndef NO_GRACE_REPOINT
	wait_for_callers();
#endif
	publish(1, STB);
}

init
{
	byte t;

	atomic {
		publish(0, S);
		traced[S] = true;
		t = 0;
		do
		:: t < TASKS -> run task(t); t++
		:: else -> break
		od;
		run updater()
	}
}
