// SPDX-License-Identifier: GPL-2.0
/*
 * Functions with names as compilers make them: gcc's clones and parts, static
 * functions that clang's link time optimization has made global.
 */
#include <linux/module.h>
#include <linux/objtool.h>

static int nm_calls;

#define NM_FN(id, label, ...)						\
noinline __noclone __VA_ARGS__ void nm_##id(void)			\
	asm(label);							\
noinline __noclone __VA_ARGS__ void nm_##id(void)			\
{									\
	nm_calls += __COUNTER__;					\
}

NM_FN(plain, "nm_open")
NM_FN(llvm, "nm_open.llvm.8213546719078123456")
NM_FN(other, "nm_open.llvm.15")
NM_FN(isra, "nm_open.isra.0")
NM_FN(constprop, "nm_open.constprop.0")
NM_FN(both, "nm_open.isra.0.constprop.1")
NM_FN(part, "nm_open.part.0")
NM_FN(alone, "nm_close.llvm.77")
NM_FN(lto_priv, "nm_close.lto_priv.3")
/* A part of a function: nothing to trace, and nothing that objtool expects alone */
NM_FN(cold, "nm_open.cold", notrace)

void nm_alias(void)
	__alias(nm_open);

STACK_FRAME_NON_STANDARD(nm_cold);

static int __init notrace mux_names_init(void)
{
	return 0;
}
module_init(mux_names_init);

static void __exit notrace mux_names_exit(void)
{
}
module_exit(mux_names_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Functions with the names that compilers make");
