/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_KERNEL_FTRACE_MUX_COMPAT_NAMES_H
#define _LINUX_KERNEL_FTRACE_MUX_COMPAT_NAMES_H

/* What names.c needs that differs between Linux 6.12 and 7.2 */

#include <linux/compiler.h>
#include <linux/kconfig.h>
#include <linux/version.h>

#include "../../kallsyms_internal.h"

/* kallsyms_sym_address(), which is a function that can be traced */
static __always_inline unsigned long mux_symbol_address(unsigned int symbol)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 2, 0)
	int offset = kallsyms_offsets[symbol];

	if (!IS_ENABLED(CONFIG_KALLSYMS_ABSOLUTE_PERCPU))
		return kallsyms_relative_base + (u32)offset;
	return offset >= 0 ? offset : kallsyms_relative_base - 1 - offset;
#else
	return (unsigned long)offset_to_ptr(kallsyms_offsets + symbol);
#endif
}

#endif /* _LINUX_KERNEL_FTRACE_MUX_COMPAT_NAMES_H */
