/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What kernel/x86/callers_64.S and upstream's arch/x86/kernel/ftrace_64.S need of the kernel's headers, for user space:
 * the annotations for objtool are nothing, and an ALTERNATIVE is the first of the two.
 */
#ifndef CYCLES_STANDINS_H
#define CYCLES_STANDINS_H

#define CONFIG_DYNAMIC_FTRACE		1
#define CONFIG_FTRACE_MUX_TRACERS	8
#define CONFIG_FTRACE_MUX_STUBS	255

/* struct pt_regs */
#define R15		0
#define R14		8
#define R13		16
#define R12		24
#define RBP		32
#define RBX		40
#define R11		48
#define R10		56
#define R9		64
#define R8		72
#define RAX		80
#define RCX		88
#define RDX		96
#define RSI		104
#define RDI		112
#define ORIG_RAX	120
#define RIP		128
#define CS		136
#define EFLAGS		144
#define RSP		152
#define SS		160
#define FRAME_SIZE	168

#define MCOUNT_INSN_SIZE	5
#define __KERNEL_CS		0x10
#define __KERNEL_DS		0x18
#define X86_FEATURE_CALL_DEPTH	0
#define BYTES_NOP3		0x0f, 0x1f, 0x00

/* linkage.h, with the alignment and the padding of CONFIG_FUNCTION_ALIGNMENT=16 */
#define SYM_L_GLOBAL(name)	.globl name
#define SYM_L_LOCAL(name)
#define SYM_F_ALIGN		.balign 16, 0x90
#define SYM_START(name, linkage, align)	linkage(name); align; name:
#define SYM_FUNC_START(name)	SYM_START(name, SYM_L_GLOBAL, SYM_F_ALIGN)
#define SYM_TYPED_FUNC_START(name)	SYM_FUNC_START(name)
#define SYM_FUNC_END(name)	.type name, @function; .size name, . - name
#define SYM_CODE_START(name)	SYM_FUNC_START(name)
#define SYM_CODE_END(name)	.type name, @notype; .size name, . - name
#define SYM_INNER_LABEL(name, linkage)	linkage(name); name:
#define SYM_DATA_START(name)	.globl name; name:
#define SYM_DATA_END(name)	.size name, . - name
#define SYM_DATA(name, data)	.globl name; name: data

#define ANNOTATE_NOENDBR
#define ANNOTATE_UNRET_SAFE
#define ANNOTATE_INTRA_FUNCTION_CALL
#define UNWIND_HINT_FUNC
#define STACK_FRAME_NON_STANDARD_FP(name)
#define ENCODE_FRAME_POINTER
#define CALL_DEPTH_ACCOUNT
#define _ASM_NOKPROBE(name)
#define EXPORT_SYMBOL(name)
#define RET			ret; int3
#define __stringify_1(...)	#__VA_ARGS__
#define __stringify(...)	__stringify_1(__VA_ARGS__)

#ifdef __ASSEMBLER__
.macro ALTERNATIVE old, new, feature
	\old
.endm
	.section .note.GNU-stack, "", @progbits
	.text
#endif

#endif /* CYCLES_STANDINS_H */
