// SPDX-License-Identifier: GPL-2.0
/*
 * The stubs and callers of kernel/x86 on the processor of this machine, in user space, against a walk of the list of
 * tracers as stock ftrace does it after upstream's ftrace_caller. The traced functions have real fentry call
 * sites, which are patched as the kernel patches them. It shows what a count of instructions cannot: branch prediction
 * and cache lines. It is not the kernel: no speculation mitigations, no interrupts, no real tracers.
 */
#define _GNU_SOURCE
#include <err.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "cycles.h"
#include "callers.h"

#define RUNS	401
#define CALLS	1024

extern char __executable_start[], etext[];
/* Made by gcc -mrecord-mcount: the address of every call of __fentry__ */
extern unsigned long __start___mcount_loc[], __stop___mcount_loc[];

/* Of arch/x86/kernel/ftrace_64.S */
void ftrace_caller(void);
extern char ftrace_call[];
struct ops *function_trace_op;

/* Read by the slots, and by the list body */
struct {
	tracer_fn *func;
	struct ops *ops;
} ftrace_mux_slots[FTRACE_MUX_IDS];
struct ftrace_mux_list *ftrace_mux_lists[FTRACE_MUX_LISTS];

enum dispatch { NOP, LIST, MUX, DISPATCHES };

struct scene {
	const char *name;
	int sites, others;
};

static const struct scene scenes[] = {
	{ "one site", 1, 0 },
	{ "one site, 8 other tracers", 1, OTHERS },
	{ "64 sites, sets at random", TRACEES, 0 },
};

static struct ops ops[TRACERS + OTHERS];
static unsigned int sets[TRACEES];
/* The set of each stub; 0 stands for a nop */
static unsigned int stubs[TRACEES + 1];
static unsigned short order[CALLS];
static unsigned long seen_ip;
static unsigned int seed = 1;

static unsigned int random_below(unsigned int n)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed % n;
}

static unsigned long site(int tracee)
{
	unsigned long *p;

	for (p = __start___mcount_loc; p < __stop___mcount_loc; p++)
		if (*p - (unsigned long)tracees[tracee] < 16)
			return *p;
	errx(1, "no call site");
}

/* A separate function for each tracer, as real ones have: an indirect branch has to be predicted. */
#define NOTHING(n)								\
	static void nothing_##n(unsigned long ip, unsigned long parent_ip, struct ops *op, void *fregs) \
	{									\
		(void)ip, (void)parent_ip, (void)op, (void)fregs;		\
		__asm__ volatile("" : : "i"(n));				\
	}
NOTHING(0) NOTHING(1) NOTHING(2) NOTHING(3) NOTHING(4) NOTHING(5) NOTHING(6) NOTHING(7) NOTHING(8) NOTHING(9)
static tracer_fn *const nothing[TRACERS] = {
	nothing_0, nothing_1, nothing_2, nothing_3, nothing_4, nothing_5, nothing_6, nothing_7, nothing_8, nothing_9
};

static void count_hit(unsigned long ip, unsigned long parent_ip, struct ops *op, void *fregs)
{
	(void)fregs;
	op->hits++;
	if (ip != seen_ip || parent_ip - (unsigned long)__executable_start > (size_t)(etext - __executable_start))
		errx(1, "a tracer got ip %lx for %lx, parent %lx", ip, seen_ip, parent_ip);
}

static void poke(unsigned long at, unsigned char opcode, unsigned long target)
{
	s32 disp = target - at - 5;

	*(volatile unsigned char *)at = opcode;
	memcpy((void *)(at + 1), &disp, sizeof(disp));
}

static unsigned long address_of(int stub)
{
	return (unsigned long)ftrace_mux_callers + (stub - 1) * FTRACE_MUX_STUB_SIZE;
}

/* A list for the set, with the stub's index. As body_of() of kernel/x86/callers.c, returns where the stub jumps */
static unsigned long make_list(int stub, unsigned int set)
{
	struct ftrace_mux_list *list = calloc(1, sizeof(*list));
	int t, n = 0;

	for (t = 0; t < TRACERS; t++) {
		if (set >> t & 1) {
			list->members[n].func = ops[t].func;
			list->members[n++].ops = &ops[t];
		}
	}
	free(ftrace_mux_lists[stub - 1]);
	ftrace_mux_lists[stub - 1] = list;
	return (unsigned long)ftrace_mux_callers + ftrace_mux_list_entries + (stub - 1) * FTRACE_MUX_STUB_SIZE;
}

/* Sites with the same set share a stub */
static void point_stubs(const struct scene *scene)
{
	unsigned long body;
	int i, n;

	memset(stubs, 0, sizeof(stubs));
	for (i = 0; i < scene->sites; i++) {
		for (n = 1; stubs[n] && stubs[n] != sets[i]; n++)
			;
		if (stubs[n])
			continue;
		stubs[n] = sets[i];
		if (sets[i] >> FTRACE_MUX_IDS)
			body = make_list(n, sets[i]);
		else
			body = (unsigned long)ftrace_mux_callers + ftrace_mux_caller_offsets[0][sets[i] - 1];
		poke(address_of(n), 0xe9, body);
	}
}

static int stub_with(unsigned int set)
{
	int n;

	for (n = 1; stubs[n] != set; n++)
		;
	return n;
}

static void patch(unsigned long ip, enum dispatch how, unsigned int set)
{
	static const unsigned char nop[5] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };

	if (how == NOP)
		memcpy((void *)ip, nop, sizeof(nop));
	else if (how == LIST)
		poke(ip, 0xe8, (unsigned long)ftrace_caller);
	else
		poke(ip, 0xe8, address_of(stub_with(set)));
}

/* As ftrace_mux_update_lists() */
static void update_lists(const struct ops *op, tracer_fn *func)
{
	int i, n;

	for (i = 0; i < FTRACE_MUX_LISTS; i++)
		for (n = 0; ftrace_mux_lists[i] && ftrace_mux_lists[i]->members[n].func; n++)
			if (ftrace_mux_lists[i]->members[n].ops == op)
				ftrace_mux_lists[i]->members[n].func = func;
}

/* As arch_ftrace_mux_slot_changed(): past a landing pad */
static void set_function(int tracer, tracer_fn *func)
{
	static const unsigned char endbr[4] = { 0xf3, 0x0f, 0x1e, 0xfa };
	unsigned long target = (unsigned long)func;
	int i;

	ops[tracer].func = func;
	update_lists(&ops[tracer], func);
	if (tracer >= FTRACE_MUX_IDS)
		return;
	if (!memcmp((void *)func, endbr, sizeof(endbr)))
		target += sizeof(endbr);
	ftrace_mux_slots[tracer].ops = &ops[tracer];
	for (i = 0; i < 2; i++)
		poke((unsigned long)ftrace_mux_callers + ftrace_mux_slot_offsets[tracer][i], 0xe9, target);
}

/* Which R of the tracers each site has: the first ones for a single site, any for many; as long as these do, with an ID */
static void choose_sets(const struct scene *scene, int r)
{
	int i;

	for (i = 0; i < scene->sites; i++) {
		sets[i] = 0;
		if (scene->sites == 1 || r == TRACERS)
			sets[i] = BIT(r) - 1;
		while (__builtin_popcount(sets[i]) < r)
			sets[i] |= BIT(random_below(r > FTRACE_MUX_IDS ? TRACERS : FTRACE_MUX_IDS));
	}
}

/* Registers those that have a function, and the others */
static void register_tracers(const struct scene *scene)
{
	unsigned long ips[TRACEES];
	int t, i, n;

	ops_list = &list_end;
	for (t = TRACERS + scene->others - 1; t >= 0; t--) {
		for (i = n = 0; t < TRACERS && i < scene->sites; i++)
			if (sets[i] >> t & 1)
				ips[n++] = site(i);
		if (t >= TRACERS)
			ips[n++] = site(TRACEES - 1) + 1;
		if (!n)
			continue;
		ops[t].filter = make_hash(ips, n);
		ops[t].notrace = make_hash(ips, 0);
		ops[t].next = ops_list;
		ops_list = &ops[t];
	}
}

static inline unsigned long ticks(void)
{
	unsigned int lo, hi;

	__asm__ volatile("lfence; rdtsc; lfence" : "=a"(lo), "=d"(hi) : : "memory");
	return (unsigned long)hi << 32 | lo;
}

static void serialize(void)
{
	unsigned int a = 0, b, c = 0, d;

	__asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d) : : "memory");
}

static void patch_all(const struct scene *scene, enum dispatch how)
{
	int i;

	for (i = 0; i < scene->sites; i++)
		patch(site(i), how, sets[i]);
	serialize();
}

static unsigned long timed_calls(const struct scene *scene)
{
	unsigned long start = ticks();
	int i;

	if (scene->sites == 1)
		call_one(CALLS);
	else
		for (i = 0; i < CALLS; i++)
			tracees[order[i]]();
	return ticks() - start;
}

/* Every tracer of a site sees each call once, by either way */
static void check(const struct scene *scene, enum dispatch how)
{
	unsigned long before;
	int i, t;

	for (t = 0; t < TRACERS + OTHERS; t++)
		ops[t].func = count_hit;
	for (t = 0; t < TRACERS; t++)
		set_function(t, count_hit);
	patch_all(scene, how);
	for (i = 0; i < scene->sites; i++) {
		for (t = 0; t < TRACERS; t++) {
			before = ops[t].hits;
			seen_ip = site(i);
			tracees[i]();
			if (ops[t].hits - before != (how != NOP && sets[i] >> t & 1))
				errx(1, "%s: site %d: tracer %d saw %lu calls", scene->name, i, t,
				     ops[t].hits - before);
		}
	}
	for (t = 0; t < TRACERS; t++)
		set_function(t, nothing[t]);
}

static int compare(const void *a, const void *b)
{
	unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;

	return (x > y) - (x < y);
}

/* The ways take turns, so that other work of this machine hits all of them */
static void measure(const struct scene *scene, double median[DISPATCHES])
{
	static unsigned long took[DISPATCHES][RUNS];
	enum dispatch how;
	int run;

	for (how = NOP; how < DISPATCHES; how++)
		check(scene, how);
	for (run = 0; run < RUNS; run++) {
		for (how = NOP; how < DISPATCHES; how++) {
			patch_all(scene, how);
			timed_calls(scene);
			took[how][run] = timed_calls(scene);
		}
	}
	for (how = NOP; how < DISPATCHES; how++) {
		qsort(took[how], RUNS, sizeof(took[how][0]), compare);
		median[how] = (double)took[how][RUNS / 2] / CALLS;
	}
}

static void run_scene(const struct scene *scene)
{
	double m[DISPATCHES];
	int r;

	printf("\n%-30s %9s %9s %9s %9s\n", scene->name, "nop", "list walk", "callers", "ratio");
	for (r = 1; r <= TRACERS; r++) {
		choose_sets(scene, r);
		register_tracers(scene);
		point_stubs(scene);
		measure(scene, m);
		printf("R=%-28d %9.1f %9.1f %9.1f %9.3f\n", r, m[NOP], m[LIST], m[MUX],
		       (m[MUX] - m[NOP]) / (m[LIST] - m[NOP]));
	}
}

static void prepare(void)
{
	unsigned long start = (unsigned long)__executable_start & -4096UL;
	cpu_set_t cpu;
	int i;

	if (mprotect((void *)start, (unsigned long)etext - start, PROT_READ | PROT_WRITE | PROT_EXEC))
		err(1, "cannot patch this program's text");
	CPU_ZERO(&cpu);
	CPU_SET(sched_getcpu(), &cpu);
	sched_setaffinity(0, sizeof(cpu), &cpu);
	poke((unsigned long)ftrace_call, 0xe8, (unsigned long)list_func);
	for (i = 0; i < TRACERS + OTHERS; i++)
		ops[i].func = nothing[i % TRACERS];
	for (i = 0; i < CALLS; i++)
		order[i] = random_below(TRACEES);
}

int main(void)
{
	size_t i;

	prepare();
	printf("TSC ticks of a traced call in user space, on this machine; median of %d runs of %d calls.\n"
	       "Not the kernel: the callers of kernel/x86 and upstream's ftrace_caller, assembled into a program.\n"
	       "The ratio is that of what tracing adds to a call with a nop. R=9 and R=10 have tracers without an ID.\n",
	       RUNS, CALLS);
	for (i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++)
		run_scene(&scenes[i]);
	return 0;
}
