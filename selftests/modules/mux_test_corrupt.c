// SPDX-License-Identifier: GPL-2.0
/*
 * Damages a call site, so that ftrace finds something there that it did not
 * write, and switches itself off for good. The function must not be called after
 * that.
 */
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/vmalloc.h>

#include "arch.h"
#include "mux_test.h"

int mt_corrupt(unsigned int fn)
{
	/* In the middle of the patched instruction */
	unsigned long addr = (unsigned long)mt_fns[fn] + MT_SITE_OFFSET + 2;
	struct page *page = vmalloc_to_page((void *)addr);
	u8 *text;

	if (!page)
		return -EFAULT;
	text = vmap(&page, 1, VM_MAP, PAGE_KERNEL);
	if (!text)
		return -ENOMEM;
	text[offset_in_page(addr)] ^= 0x5a;
	vunmap(text);
	return 0;
}
