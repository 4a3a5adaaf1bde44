/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The short way of an event into the ring buffer (kernel/trace/ring_buffer_internal.h): its bound, and what an
 * interrupted writer finds.
 *
 * A task writes EVENTS events on the buffer's own processor, the short way if it is open, else the long one, which may
 * open it. What runs at the same time:
 *
 *   IRQS=n     n interrupts of the task, each of which writes an event the long way at any step of the task's, and may
 *              discard it, or not find room on the page and go to the next one
 *   CONTROL    another processor that disables recording, waits for a grace period, and enables it again
 *   WAITER     a reader on another processor that waits for an event
 *
 * The long way is one step: the model does not show that it can be interrupted. Stores of the task to the bound may be
 * delayed until a barrier (the store buffer), and the other processor's two stores may change places without one.
 *
 * It must hold: each event that can be read is complete and has the time at which it was written; in the end all that
 * was written can be read; no event begins while recording is disabled and the grace period is over; a reader that
 * waits is woken by an event that is written after it has begun to wait.
 *
 * With one of the following defined, a guard is missing, and the checker has to find the error:
 *   NO_RECHECK     the opener of the short way does not look again  NO_MB_OPEN    nor is there a barrier
 *   NO_MB_CLOSE    the code that closes it has no barrier           NO_CLOSE      nothing closes it
 *   NO_WAITERS     it is opened although a reader waits             NO_LOOK       a writer looks for no reader
 *   NO_COMMITS     a writer compares the page's write               NO_BEFORE     or looks at one time stamp only
 *   NO_CMPXCHG     or just sets write                               NO_NEGATIVE   or accepts negative deltas
 */

#ifndef EVENTS
#define EVENTS	3
#endif
#ifndef IRQS
#define IRQS	0
#endif

#define ROOM	4	/* events on a page */
#define LIMIT	ROOM	/* an event may end here */
#define LONG	2	/* one of an interrupt, which is longer, may begin here */
#define ABS	100	/* plus the time: an absolute time stamp */
#define PADDING	255

byte clock = 10;

/* Pages: what has been written, and up to where it can be read */
byte time[12];		/* of the events, as the record has it: a delta, or ABS and the time */
byte wrote[12];		/* the time that it has to have */
byte write[3], commit[3];
byte tail, commit_page;
byte before_stamp = 10, write_stamp = 10;
byte committing, commits;

byte limit;
bool delayed;		/* the task's store to the bound is in its store buffer */
bool disabled, off;	/* recording is disabled; a grace period has ended since */
bool inside;		/* the task is in a section without preemption */
byte sections;		/* how many of them have ended */
bool pending, sleeping, woken;
byte readable, seen;	/* events committed */
byte written, found;	/* events that have to be there, and are */
bool done;
byte running;		/* processes that have not ended */

#define EVENT(page, i)	((page) * ROOM + (i))
#define MAY_OPEN	(!disabled && !(pending && !WAITERS_IGNORED))
#ifdef NO_WAITERS
#define WAITERS_IGNORED	1
#else
#define WAITERS_IGNORED	0
#endif

inline wakeups()
{
	if
	:: pending -> pending = false; woken = true
	:: else
	fi
}

/* rb_end_commit() */
inline end_commit()
{
	if
	:: committing == 1 ->
		do
		:: commit_page != tail -> commit[commit_page] = write[commit_page]; commit_page++
		:: else -> break
		od;
		commit[tail] = write[tail];
		readable++
	:: else
	fi;
	committing--
}

/* An event on the long way, with the time now; atomic */
inline long_write(discard)
{
	clock++;
	committing++; commits++;
	if
	:: write[tail] >= ROOM ->
		/* Less than a padding event is left */
		assert(tail < 2);
		tail++
	:: tail < 2 && write[tail] > LONG && write[tail] < ROOM && !discard ->
		/* No room for it: padding takes the rest */
		time[EVENT(tail, write[tail])] = PADDING;
		write[tail] = ROOM;
		tail++
	:: else
	fi;
	if
	:: write[tail] == 0 || before_stamp != write_stamp ->
		time[EVENT(tail, write[tail])] = ABS + clock
	:: else ->
		time[EVENT(tail, write[tail])] = clock - write_stamp
	fi;
	wrote[EVENT(tail, write[tail])] = clock;
	before_stamp = clock; write_stamp = clock;
	write[tail]++; written++;
	if
	:: discard ->
		write[tail]--; written--;
		time[EVENT(tail, write[tail])] = 0;
		before_stamp = 0
	:: else
	fi;
	end_commit();
	wakeups()
}

/* One step of the task, between two of which interrupts come */
#define STEP	atomic {
#define END	}

proctype task()
{
	byte n, ts, page, w, c, after, before;

	do
	:: n < EVENTS ->
		n++;
		STEP inside = true; clock++; ts = clock;
			if
			:: limit == 0 && !delayed -> goto long_way
			:: else
			fi END;
		STEP committing = 1; c = commits END;
		STEP page = tail; w = write[page] END;
		STEP
			if
			:: w + 1 > (delayed -> LIMIT : limit) -> goto cancel
			:: else
			fi END;
		STEP after = write_stamp END;
		STEP before = before_stamp;
#ifndef NO_BEFORE
			if
			:: before != after -> goto cancel
			:: else
			fi;
#endif
#ifndef NO_NEGATIVE
			if
			:: ts < after -> goto cancel
			:: else
			fi;
#endif
			assert(!off) END;
		STEP before_stamp = ts END;
#ifdef NO_CMPXCHG
		STEP write[page] = w + 1; written++ END;
#else
		STEP
			if
			:: write[page] != w -> goto cancel
			:: else -> write[page] = w + 1; written++
			fi END;
#endif
		STEP write_stamp = ts END;
		STEP time[EVENT(page, w)] = ts - after; wrote[EVENT(page, w)] = ts END;
		STEP commit[page] = w + 1; readable++ END;
		STEP committing = 0 END;
		STEP
#ifdef NO_COMMITS
			if
			:: write[page] != w + 1 -> committing++; commits++; end_commit()
			:: else
			fi
#else
			if
			:: commits != c -> committing++; commits++; end_commit()
			:: else
			fi
#endif
			END;
#ifndef NO_LOOK
		STEP
			if
			:: limit == 0 && !delayed -> wakeups()
			:: else
			fi END;
#endif
		goto next;
cancel:
		STEP committing = 0 END;
		STEP
			if
			:: commits != c -> committing++; commits++; end_commit()
			:: else
			fi END;
long_way:
		STEP
			if
			:: disabled -> goto next
			:: else
			fi END;
		STEP long_write(false) END;
		STEP
			if
			:: (limit == 0 && !delayed) && MAY_OPEN -> skip
			:: else -> goto next
			fi END;
#ifdef NO_MB_OPEN
		STEP delayed = true END;
#else
		STEP limit = LIMIT END;
#endif
#ifndef NO_RECHECK
		STEP
			if
			:: !MAY_OPEN -> limit = 0; delayed = false
			:: else
			fi END;
#endif
next:
		STEP	/* A grace period has seen what was stored before */
			if
			:: delayed -> limit = LIMIT; delayed = false
			:: else
			fi;
			inside = false; sections++ END
	:: else -> break
	od;
	atomic { done = true; running-- }
}

/* The store buffer may empty itself at any time */
proctype store_buffer()
{
end:
	do
	:: atomic { delayed -> limit = LIMIT; delayed = false }
	od
}

proctype interrupts()
{
	byte n;

	do
	:: n < IRQS && !done ->
		n++;
		if
		:: atomic { !done -> long_write(false) }
		:: atomic { !done && write[tail] > 0 -> long_write(true) }
		:: done
		fi
	:: else -> break
	od;
	running--
}

proctype control()
{
	byte s;

#ifdef NO_MB_CLOSE
	if
	:: disabled = true; limit = 0
	:: limit = 0; disabled = true
	fi;
#else
	disabled = true;
#ifndef NO_CLOSE
	limit = 0;
#endif
#endif
	/* A grace period */
	atomic { s = sections };
	(!inside || sections != s);
	off = true;
	/* The task may write here, and must not */
	atomic { off = false; disabled = false };
	running--
}

proctype waiter()
{
	atomic { seen = readable; pending = true };
	limit = 0;
	atomic {
		if
		:: readable == seen -> sleeping = true
		:: else
		fi
	};
	running--
}

/* What a reader finds at any time, and all of it in the end */
inline read_all()
{
	byte p, i, t;

	d_step {
		p = 0; t = 0; found = 0;
		do
		:: p <= commit_page ->
			i = 0;
			do
			:: i < commit[p] && time[EVENT(p, i)] == PADDING -> i++
			:: i < commit[p] && time[EVENT(p, i)] != PADDING ->
				assert(wrote[EVENT(p, i)] != 0);
				if
				:: time[EVENT(p, i)] >= ABS -> t = time[EVENT(p, i)] - ABS
				:: else -> t = t + time[EVENT(p, i)]
				fi;
				assert(t == wrote[EVENT(p, i)]);
				i++; found++
			:: else -> break
			od;
			p++
		:: else -> break
		od
	}
}

init
{
	atomic {
		running++; run task();
		run store_buffer();
#if IRQS
		running++; run interrupts();
#endif
#ifdef CONTROL
		running++; run control();
#endif
#ifdef WAITER
		running++; run waiter();
#endif
	};
	(running == 0);
	read_all();
	assert(found == written);
	assert(commit_page == tail && commit[tail] == write[tail]);
	assert(!(sleeping && readable > seen && !woken))
}
