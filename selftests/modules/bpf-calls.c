// SPDX-License-Identifier: GPL-2.0
/*
 * bpf-calls kprobe_multi FUNCTION
 * bpf-calls fentry FUNCTION MODULE: counts entries and returns of a function
 * (for fentry: of a module) by two BPF programs. Prints both numbers whenever a
 * byte comes from standard input, until that is a q. A program of the guest,
 * not of the kernel.
 */
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "btf.h"

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

/* Loads a program that adds 1 to a counter of the map; @attr says of which kind it is */
static int load_program(union bpf_attr attr, int map, int counter)
{
	struct bpf_insn program[INSNS] = {
		{ BPF_LD | BPF_DW | BPF_IMM, 1, BPF_PSEUDO_MAP_VALUE, 0, map },
		{ 0, 0, 0, 0, counter * sizeof(unsigned long long) },
		{ BPF_ALU64 | BPF_MOV | BPF_K, 2, 0, 0, 1 },
		{ BPF_STX | BPF_DW | BPF_ATOMIC, 1, 2, 0, BPF_ADD },
		{ BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0 },
		{ BPF_JMP | BPF_EXIT, 0, 0, 0, 0 },
	};

	attr.insns = POINTER(program);
	attr.insn_cnt = INSNS;
	attr.license = POINTER("GPL");
	return bpf("program", BPF_PROG_LOAD, &attr);
}

static void count_by_kprobe_multi(int map, const char *function)
{
	union bpf_attr program = {
		.prog_type	= BPF_PROG_TYPE_KPROBE,
		.expected_attach_type = BPF_TRACE_KPROBE_MULTI,
	};
	union bpf_attr link = {
		.link_create = {
			.attach_type	= BPF_TRACE_KPROBE_MULTI,
			.kprobe_multi	= { .cnt = 1, .syms = POINTER(&function) },
		},
	};

	link.link_create.prog_fd = load_program(program, map, 0);
	bpf("link", BPF_LINK_CREATE, &link);
	link.link_create.prog_fd = load_program(program, map, 1);
	link.link_create.kprobe_multi.flags = BPF_F_KPROBE_MULTI_RETURN;
	bpf("link", BPF_LINK_CREATE, &link);
}

/* The types of a module, as the kernel has them open */
static int module_types(const char *module)
{
	union bpf_attr next = { };

	for (;;) {
		char name[64] = "";
		struct bpf_btf_info info = { .name = POINTER(name), .name_len = sizeof(name) };
		union bpf_attr open = { }, about = { .info.info_len = sizeof(info) };

		bpf(module, BPF_BTF_GET_NEXT_ID, &next);
		next.start_id = next.next_id;
		open.btf_id = next.next_id;
		about.info.bpf_fd = bpf("types", BPF_BTF_GET_FD_BY_ID, &open);
		about.info.info = POINTER(&info);
		bpf("name of types", BPF_OBJ_GET_INFO_BY_FD, &about);
		if (info.kernel_btf && !strcmp(name, module))
			return about.info.bpf_fd;
		close(about.info.bpf_fd);
	}
}

/* A trampoline of BPF calls such a program; for ftrace it is a direct call. */
static void count_by_fentry(int map, const char *function, const char *module)
{
	static const int kinds[] = { BPF_TRACE_FENTRY, BPF_TRACE_FEXIT };
	union bpf_attr link = { }, program = {
		.prog_type	= BPF_PROG_TYPE_TRACING,
		.attach_btf_id	= btf_function(module, function),
		.attach_btf_obj_fd = module_types(module),
	};
	int i;

	for (i = 0; i < 2; i++) {
		program.expected_attach_type = kinds[i];
		link.link_create.prog_fd = load_program(program, map, i);
		link.link_create.attach_type = kinds[i];
		bpf("link", BPF_LINK_CREATE, &link);
	}
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

	if (argc < 3 || strcmp(argv[1], argc == 3 ? "kprobe_multi" : "fentry"))
		return 2;
	map = make_map();
	if (argc == 3)
		count_by_kprobe_multi(map, argv[2]);
	else
		count_by_fentry(map, argv[2], argv[3]);
	puts("ready");
	fflush(stdout);
	while (read(0, &c, 1) > 0 && c != 'q')
		print(map);
	return 0;
}
