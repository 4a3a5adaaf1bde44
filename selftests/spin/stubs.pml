/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The life of a stub of the multiplexer and the order of an update, against tasks that run callers.
 *
 * Tracer S stays: it traces function 0, and function 1 or not. The filters of C, which has an ID, and of L, which has
 * none, change at random. A set with L in it is a list. Each of TASKS tasks calls a function and may be preempted at any
 * step: at the stub, between the stub and the reading of the list, and while it walks the list.
 *
 * Which stubs are redirected the model leaves to chance: any set that a call site of a stub wants, or none; and whether
 * a grace period ends in time. If not, nothing is redirected, and the call sites are patched once more.
 *
 * It must hold for every call: a tracer whose filter has the function while the call runs sees it once, S always; one
 * whose filter does not have it in all that time does not see it; and no list is read that has been freed.
 *
 * With one of the following defined, a rule of the kernel code is broken, and the checker has to find the error:
 *   NO_STRICT           a stub is redirected though call sites have left it since the last grace period
 *   NO_LEFT             a stub does not remember that a call site has left it
 *   REDIRECT_FIRST      the stubs are redirected before the call sites are patched
 *   MOVE_TO_REDIRECTED  a call site moves to a stub that is redirected in the same update
 *   NO_GRACE_REUSE      a stub without call sites gets another set without a grace period
 *   POINT_LATE          the call site is patched before the stub is pointed
 *   SITE_VIA_NOP        the call site becomes a nop for a moment when its stub changes
 *   GRACE_EARLY         a grace period counts for what is left while it runs
 *   LIST_FREED          a list that no stub leads to is freed without a grace period
 */

#ifndef TASKS
#define TASKS	1
#endif
#ifndef UPDATES
#define UPDATES	2
#endif
#ifndef STUBS
#define STUBS	3
#endif

#define FUNCS	2

/* Sets: the tracers in them */
#define S	1
#define C	2
#define L	4
#define SETS	8

/* What a call site can call besides the stubs 1 to STUBS */
#define NOP	0
#define LIST_FUNC	99	/* ftrace_caller, whose list function asks the filters for each call */

byte s_filter, c_filter, l_filter;	/* functions as bits */
#define WANT(f)	((s_filter >> f & 1) * S + (c_filter >> f & 1) * C + (l_filter >> f & 1) * L)

byte site[FUNCS];
byte stub[STUBS + 1];		/* the set that it leads to */
byte next[STUBS + 1];		/* and after the update */
byte stub_left[STUBS + 1];	/* the last update in which a call site left it */

byte seq = 1;			/* counts the updates */
byte clean;			/* the last one that an update has waited for itself */
byte target, ended;		/* the last one that the work waits for, and has waited for */
bool locked;			/* ftrace_lock */
bool pending;			/* the work has been asked for */

/* The lists by their sets: freed ones get another generation */
bool list_made[SETS];
byte list_gen[SETS];
byte list_left[SETS];

/* Of a call that starts now: the tracers that may see it, and that must */
byte may_now[FUNCS], must_now[FUNCS];

bool inside[TASKS];
bool odd[TASKS];		/* the number of calls so far */
byte fn[TASKS], may[TASKS], must[TASKS];

#define COUNT(n)	((site[0] == n) + (site[1] == n))
#define UNUSED(n)	(COUNT(n) == 0)
#define CLEAN(when)	(when <= clean || when <= ended)

#ifdef LIST_FREED
#define MAY_FREE(when)	true
#else
#define MAY_FREE(when)	CLEAN(when)
#endif
#ifdef NO_GRACE_REUSE
#define MAY_REUSE(n)	true
#else
#define MAY_REUSE(n)	CLEAN(stub_left[n])
#endif
#ifdef MOVE_TO_REDIRECTED
#define KEEPS(n, set)	true
#else
#define KEEPS(n, set)	(next[n] == set)
#endif

/* A grace period: every task that was inside when it began has left since */
inline wait_for_callers()
{
	bool was[TASKS], in[TASKS];
	byte w;

	d_step {
		w = 0;
		do
		:: w < TASKS -> was[w] = odd[w]; in[w] = inside[w]; w++
		:: else -> break
		od;
		w = 0
	}
	do
	:: w < TASKS ->
		(!in[w] || !inside[w] || odd[w] != was[w]);
		in[w] = false; was[w] = false;
		w++
	:: else -> break
	od;
	w = 0
}

/* An update waits for what was left in the update when: for the work that has begun, if that is enough */
inline wait_for(when)
{
	if
	:: when <= target -> ended >= when
	:: else ->
		wait_for_callers();
		d_step { clean = seq; seq++ }
	fi
}

/* Nobody else looks at what an update keeps for itself: hence the d_step */

inline make_list(set)
{
	if
	:: set & L -> list_made[set] = true
	:: else
	fi
}

inline leave_set(set)
{
	if
	:: set & L ->
		list_left[set] = seq;
#ifdef LIST_FREED
		free_lists()
#endif
	:: else
	fi
}

inline has_users(set)
{
	users = 0;
	i = 1;
	do
	:: i <= STUBS -> users = users + (stub[i] == set); i++
	:: else -> break
	od
}

inline free_lists()
{
	l = L;
	do
	:: l < SETS ->
		has_users(l);
		if
		:: list_made[l] && users == 0 && MAY_FREE(list_left[l]) -> list_made[l] = false; list_gen[l]++
		:: else
		fi;
		l++
	:: else -> break
	od;
	l = 0; i = 0; users = 0
}

/* The stub leads elsewhere from here on: one jump changes */
inline point(n, set)
{
	d_step {
		old = stub[n];
		make_list(set);
		stub[n] = set;
		next[n] = set;
		leave_set(old);
		old = 0
	}
}

/* found: a stub that has the set and keeps it, an unused clean one, or LIST_FUNC */
inline find_stub(set)
{
	d_step {
		found = LIST_FUNC;
		free = 0;
		n = 1;
		do
		:: n <= STUBS ->
			if
			:: stub[n] == set && KEEPS(n, set) -> found = n
			:: else
			fi;
			if
			:: UNUSED(n) && MAY_REUSE(n) && free == 0 -> free = n
			:: else
			fi;
			n++
		:: else -> break
		od;
		n = 0
	}
}

/* Filters change: from here on until the update ends, calls may be seen by the old and by the new tracers */
inline change_filters()
{
	atomic {
		if
		:: c_filter = 0 :: c_filter = 1 :: c_filter = 2 :: c_filter = 3
		:: l_filter = 0 :: l_filter = 1 :: l_filter = 2 :: l_filter = 3
		fi;
		d_step {
			f = 0;
			do
			:: f < FUNCS ->
				may_now[f] = may_now[f] | WANT(f);
				must_now[f] = must_now[f] & WANT(f);
				f++
			:: else -> break
			od;
			t = 0;
			do
			:: t < TASKS ->
				if
				:: inside[t] ->
					may[t] = may[t] | WANT(fn[t]);
					must[t] = must[t] & WANT(fn[t])
				:: else
				fi;
				t++
			:: else -> break
			od;
			f = 0; t = 0
		}
	}
}

inline decide()
{
	atomic {
		n = 1;
		do
		:: n <= STUBS ->
			if
			:: next[n] = stub[n]
			:: site[0] == n && WANT(0) != 0 -> next[n] = WANT(0); make_list(next[n])
			:: site[1] == n && WANT(1) != 0 -> next[n] = WANT(1); make_list(next[n])
			fi;
			n++
		:: else -> break
		od;
		n = 0
	}
}

#define STAYS(f)	(site[f] == NOP -> WANT(f) == 0 : \
			 site[f] != LIST_FUNC && next[site[f]] == WANT(f) && WANT(f) != 0)

/* Does a call site need a stub, and is there none but would be one after a grace period? Then wait */
inline settle()
{
	d_step { waits = false; f = 0 }
	do
	:: f < FUNCS ->
		find_stub(WANT(f));
		waits = waits || (!STAYS(f) && WANT(f) != 0 && found == LIST_FUNC && free == 0);
		f++
	:: else -> break
	od;
	f = 0; found = 0; free = 0;
	if
	:: waits && (UNUSED(1) || UNUSED(2) || UNUSED(STUBS)) -> wait_for(seq - 1)
	:: waits
	:: else
	fi;
	waits = false
}

/* One call site gets another stub */
inline patch(f)
{
	if
	:: STAYS(f) -> skip
	:: else ->
		if
		:: WANT(f) == 0 -> found = NOP
		:: else ->
			find_stub(WANT(f));
			if
			:: found == LIST_FUNC && free != 0 -> found = free
			:: else -> free = 0
			fi
		fi;
#ifndef POINT_LATE
		if
		:: free != 0 && found == free -> point(free, WANT(f))
		:: else
		fi;
#endif
		d_step {
			if
#ifndef NO_LEFT
			:: site[f] != NOP && site[f] != LIST_FUNC -> stub_left[site[f]] = seq
#endif
			:: else
			fi
		}
#ifdef SITE_VIA_NOP
		site[f] = NOP;
#endif
		site[f] = found;
#ifdef POINT_LATE
		if
		:: free != 0 && found == free -> point(free, WANT(f))
		:: else
		fi;
#endif
		d_step { found = 0; free = 0 }
	fi
}

inline redirect()
{
#ifndef NO_STRICT
	d_step {
		when = 0;
		n = 1;
		do
		:: n <= STUBS ->
			if
			:: stub[n] != next[n] && stub_left[n] > when -> when = stub_left[n]
			:: else
			fi;
			n++
		:: else -> break
		od;
		n = 0
	}
	if
	:: !CLEAN(when) -> wait_for(when)
	:: !CLEAN(when) -> in_vain = true
	:: else
	fi;
	when = 0;
#endif
	n = 1;
	do
	:: n <= STUBS ->
		if
		:: in_vain -> next[n] = stub[n]
		:: !in_vain && stub[n] != next[n] -> point(n, next[n])
		:: else
		fi;
		n++
	:: else -> break
	od;
	n = 0
}

proctype task(byte me)
{
	byte calls, gen, seen;

	do
	:: true ->
		/* The call instruction: which stub, and being there, is one step */
		atomic {
			if
			:: fn[me] = 0
			:: fn[me] = 1
			fi;
			may[me] = may_now[fn[me]];
			must[me] = must_now[fn[me]];
			calls = site[fn[me]];
			inside[me] = true
		}
		/* The jump of the stub, to the body of a set or the entry of a list */
		d_step {
			if
			:: calls == NOP
			:: calls == LIST_FUNC -> seen = WANT(fn[me])
			:: else -> seen = stub[calls]; gen = list_gen[seen]
			fi
		}
		/* The body reads the list, and reads on while it calls the members */
		if
		:: calls != LIST_FUNC && seen & L ->
			assert(list_made[seen] && list_gen[seen] == gen);
			assert(list_made[seen] && list_gen[seen] == gen)
		:: else
		fi;
		d_step {
			/* No tracer saw it that never had the function, and each that had it all the time did */
			assert((seen & ~may[me]) == 0);
			assert((must[me] & ~seen) == 0);
			calls = 0; seen = 0; gen = 0; fn[me] = 0; may[me] = 0; must[me] = 0;
			inside[me] = false;
			odd[me] = !odd[me]
		}
	:: break
	od
}

inline begin_update()
{
	atomic { !locked -> locked = true }
	change_filters()
}

inline end_update()
{
	d_step {
		do
		:: n <= STUBS -> next[n] = stub[n]; n++
		:: else -> break
		od;
		do
		:: f < FUNCS -> may_now[f] = WANT(f); must_now[f] = WANT(f); f++
		:: else -> break
		od;
		n = 0; f = 0;
		seq++;
		pending = true;
		locked = false
	}
}

proctype updater()
{
	byte u, n, f, t, i, l, users, old, found, free, when;
	bool waits, in_vain;

	do
	:: u < UPDATES ->
		begin_update();
		decide();
		settle();
#ifdef REDIRECT_FIRST
		redirect();
#endif
		patch(0);
		patch(1);
		redirect();
		if :: in_vain -> patch(0); patch(1); in_vain = false :: else fi;
		end_update();
		u++
	:: else -> break
	od
}

/* The grace period after an update: only an update that needs it waits for it */
proctype grace()
{
	byte i, l, users;

	do
	:: atomic { pending && !locked -> pending = false; target = seq - 1 };
		wait_for_callers();
#ifdef GRACE_EARLY
		atomic { !locked -> target = seq - 1 };
#endif
		ended = target;
		d_step { !locked -> free_lists() }
	:: atomic { !pending && seq > UPDATES -> break }
	od
}

init
{
	byte t;

	atomic {
		if
		:: s_filter = 1
		:: s_filter = 3; site[1] = 1
		fi;
		site[0] = 1; stub[1] = S; next[1] = S;
		may_now[0] = WANT(0); must_now[0] = WANT(0);
		may_now[1] = WANT(1); must_now[1] = WANT(1);
		do
		:: t < TASKS -> run task(t); t++
		:: else -> break
		od;
		run updater();
		run grace()
	}
}
