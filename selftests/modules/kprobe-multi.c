// SPDX-License-Identifier: GPL-2.0
/*
 * kprobe-multi FUNCTION: counts entries and returns of a function by two BPF
 * programs of the kind kprobe_multi. Prints both numbers whenever a byte comes
 * from standard input, until that is a q. A program of the guest, not of the
 * kernel.
 */
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define POINTER(p)	((unsigned long)(p))
#define INSNS		6

static int bpf(const char *what, int cmd, union bpf_attr *attr)
{
	int ret = syscall(SYS_bpf, cmd, attr, sizeof(*attr));

	if (ret < 0) {
		perror(what);
		exit(1);
	}
	return ret;
}

/* The counters: entries and returns */
static int make_map(void)
{
	union bpf_attr attr = {
		.map_type	= BPF_MAP_TYPE_ARRAY,
		.key_size	= sizeof(unsigned int),
		.value_size	= 2 * sizeof(unsigned long long),
		.max_entries	= 1,
	};

	return bpf("map", BPF_MAP_CREATE, &attr);
}

/* A program that adds 1 to a counter of the map */
static int load_program(int map, int counter)
{
	struct bpf_insn program[INSNS] = {
		{ BPF_LD | BPF_DW | BPF_IMM, 1, BPF_PSEUDO_MAP_VALUE, 0, map },
		{ 0, 0, 0, 0, counter * sizeof(unsigned long long) },
		{ BPF_ALU64 | BPF_MOV | BPF_K, 2, 0, 0, 1 },
		{ BPF_STX | BPF_DW | BPF_ATOMIC, 1, 2, 0, BPF_ADD },
		{ BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0 },
		{ BPF_JMP | BPF_EXIT, 0, 0, 0, 0 },
	};
	union bpf_attr attr = {
		.prog_type	= BPF_PROG_TYPE_KPROBE,
		.expected_attach_type = BPF_TRACE_KPROBE_MULTI,
		.insns		= POINTER(program),
		.insn_cnt	= INSNS,
		.license	= POINTER("GPL"),
	};

	return bpf("program", BPF_PROG_LOAD, &attr);
}

static void attach(const char *function, int program, int flags)
{
	union bpf_attr attr = {
		.link_create = {
			.prog_fd	= program,
			.attach_type	= BPF_TRACE_KPROBE_MULTI,
			.kprobe_multi	= {
				.flags	= flags,
				.cnt	= 1,
				.syms	= POINTER(&function),
			},
		},
	};

	bpf("link", BPF_LINK_CREATE, &attr);
}

static void print(int map)
{
	unsigned long long counters[2];
	unsigned int key = 0;
	union bpf_attr attr = {
		.map_fd	= map,
		.key	= POINTER(&key),
		.value	= POINTER(counters),
	};

	bpf("lookup", BPF_MAP_LOOKUP_ELEM, &attr);
	printf("%llu,%llu\n", counters[0], counters[1]);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	int map;
	char c;

	if (argc != 2)
		return 2;
	map = make_map();
	attach(argv[1], load_program(map, 0), 0);
	attach(argv[1], load_program(map, 1), BPF_F_KPROBE_MULTI_RETURN);
	puts("ready");
	fflush(stdout);
	while (read(0, &c, 1) > 0 && c != 'q')
		print(map);
	return 0;
}
