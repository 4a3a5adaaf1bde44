/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _MUX_MODULES_LOOKUP_H
#define _MUX_MODULES_LOOKUP_H

#include <linux/kprobes.h>

/*
 * The address of a function that modules may not call, NULL if there is none.
 * kallsyms_lookup_name() is such a function too, but a kprobe finds it. May sleep.
 */
static inline void *mt_lookup(const char *name)
{
	struct kprobe kp = { .symbol_name = "kallsyms_lookup_name" };
	unsigned long (*lookup)(const char *name);

	if (register_kprobe(&kp))
		return NULL;
	lookup = (void *)kp.addr;
	unregister_kprobe(&kp);
	return (void *)lookup(name);
}

#endif
