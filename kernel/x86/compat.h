/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _ARCH_X86_KERNEL_FTRACE_MUX_COMPAT_H
#define _ARCH_X86_KERNEL_FTRACE_MUX_COMPAT_H

/* What differs between the versions of Linux that this is for: 6.12 and 7.2 */

#include <asm/ibt.h>
#include <asm/text-patching.h>

#ifdef TEXT_POKE_MAX_OPCODE_SIZE
/* Linux 7.2 */
static inline bool mux_starts_with_endbr(void *func)
{
	return is_endbr(func);
}
#else
/* Linux 6.12 */
#define smp_text_poke_single		text_poke_bp
#define smp_text_poke_batch_add		text_poke_queue
#define smp_text_poke_batch_finish	text_poke_finish

static inline bool mux_starts_with_endbr(void *func)
{
	return is_endbr(*(u32 *)func);
}
#endif

#endif /* _ARCH_X86_KERNEL_FTRACE_MUX_COMPAT_H */
