/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _ARCH_X86_KERNEL_FTRACE_MUX_COMPAT_H
#define _ARCH_X86_KERNEL_FTRACE_MUX_COMPAT_H

/* What callers.c needs that differs between Linux 6.12 and 7.2 */

#include <linux/version.h>
#include <asm/ibt.h>
#include <asm/text-patching.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 2, 0)
#define smp_text_poke_single		text_poke_bp
#define smp_text_poke_batch_add		text_poke_queue
#define smp_text_poke_batch_finish	text_poke_finish
#endif

static inline bool mux_starts_with_endbr(void *func)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 2, 0)
	return is_endbr(*(u32 *)func);
#else
	return is_endbr(func);
#endif
}

#endif /* _ARCH_X86_KERNEL_FTRACE_MUX_COMPAT_H */
