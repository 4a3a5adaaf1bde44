/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The number of a module's function in the types of the kernel (BTF), by which
 * a BPF program of the kinds fentry and fexit says what it is attached to.
 *
 * /sys/kernel/btf/ has the types of the kernel (vmlinux) and of each module. A
 * module's continue those of the kernel: its first type and its first byte of
 * text have the numbers after the last ones of vmlinux.
 *
 *   header | types: each one with its members, if it has some | text
 *
 * Source: https://docs.kernel.org/bpf/btf.html
 */
#include <linux/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct btf {
	unsigned int types, text;	/* how many types, and bytes of text, with those before */
};

static struct btf_header *btf_read(const char *name)
{
	static const size_t most = 64 << 20;
	char path[256], *data = malloc(most);
	size_t size = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/kernel/btf/%s", name);
	f = fopen(path, "r");
	if (f && data)
		size = fread(data, 1, most, f);
	if (size < sizeof(struct btf_header) || size == most) {
		perror(path);
		exit(1);
	}
	fclose(f);
	return (struct btf_header *)data;
}

/* The bytes that follow a type in its object */
static size_t btf_members(const struct btf_type *type)
{
	unsigned int n = BTF_INFO_VLEN(type->info);

	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return sizeof(__u32);
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return n * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return n * sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:
		return n * sizeof(struct btf_enum64);
	case BTF_KIND_FUNC_PROTO:
		return n * sizeof(struct btf_param);
	case BTF_KIND_DATASEC:
		return n * sizeof(struct btf_var_secinfo);
	default:
		return 0;
	}
}

/* Reads what the file @name has after @base, and returns the number of a function there, 0: none */
static unsigned int btf_load(struct btf *btf, const struct btf *base, const char *name,
			     const char *function)
{
	struct btf_header *data = btf_read(name);
	const char *start = (char *)data + data->hdr_len, *text = start + data->str_off;
	const char *pos = start + data->type_off, *end = pos + data->type_len;
	unsigned int found = 0;

	btf->types = base->types;
	while (pos < end) {
		const struct btf_type *type = (const struct btf_type *)pos;

		btf->types++;
		if (BTF_INFO_KIND(type->info) == BTF_KIND_FUNC && type->name_off >= base->text &&
		    !strcmp(text + type->name_off - base->text, function))
			found = btf->types;
		pos += sizeof(*type) + btf_members(type);
	}
	btf->text = base->text + data->str_len;
	free(data);
	return found;
}

static unsigned int btf_function(const char *module, const char *function)
{
	struct btf nothing = { }, vmlinux, types;
	unsigned int nr;

	btf_load(&vmlinux, &nothing, "vmlinux", "");
	nr = btf_load(&types, &vmlinux, module, function);
	if (!nr) {
		fprintf(stderr, "/sys/kernel/btf/%s: no function %s\n", module, function);
		exit(1);
	}
	return nr;
}
