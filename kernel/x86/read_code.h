/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _ARCH_X86_KERNEL_FTRACE_MUX_READ_CODE_H
#define _ARCH_X86_KERNEL_FTRACE_MUX_READ_CODE_H

#include <linux/ftrace.h>
#include <linux/uaccess.h>

#ifdef CONFIG_FTRACE_MUX
/*
 * Read a call site: copy_from_kernel_nofault() of kernel text without its
 * calls. Those are traced too, once for each site, while all functions are.
 * Return: 0, or -EFAULT if it is not mapped.
 */
static __always_inline int ftrace_mux_read_code(char *code, unsigned long ip)
{
	BUILD_BUG_ON(sizeof(u32) + sizeof(u8) != MCOUNT_INSN_SIZE);

	pagefault_disable();
	__get_kernel_nofault(code, (char *)ip, u32, fault);
	__get_kernel_nofault(code + sizeof(u32), (char *)ip + sizeof(u32), u8, fault);
	pagefault_enable();
	return 0;
fault:
	pagefault_enable();
	return -EFAULT;
}
#else
/* No function: see ftrace_mux_account() in mux.h */
#define ftrace_mux_read_code(code, ip) \
	copy_from_kernel_nofault(code, (void *)(ip), MCOUNT_INSN_SIZE)
#endif

#endif /* _ARCH_X86_KERNEL_FTRACE_MUX_READ_CODE_H */
