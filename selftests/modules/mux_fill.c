// SPDX-License-Identifier: GPL-2.0
/*
 * While it is loaded, no other module finds room where a BL of the kernel
 * reaches it: it has taken all of that, down to the last page.
 */
#include <linux/execmem.h>
#include <linux/module.h>
#include <linux/sizes.h>
#include "lookup.h"

static void *(*take)(enum execmem_type type, size_t size);
static void (*give_back)(void *room);

/* What was taken; each begins with a pointer to the one before */
static void *taken;

static bool reached(void *room)
{
	return abs((long)room - (long)take) < SZ_128M;
}

/* As many pieces of the size as there are: false if memory is missing */
static bool fill(size_t size)
{
	void **room;

	while ((room = take(EXECMEM_MODULE_DATA, size)) && reached(room)) {
		*room = taken;
		taken = room;
	}
	if (room)
		give_back(room);
	return room;
}

static void empty(void)
{
	while (taken) {
		void *room = taken;

		taken = *(void **)room;
		give_back(room);
	}
}

static int __init mux_fill_init(void)
{
	size_t size;
	int ret = 0;

	take = mt_lookup("execmem_alloc");
	give_back = mt_lookup("execmem_free");
	if (!take || !give_back)
		return -ENOENT;
	for (size = SZ_16M; !ret && size >= PAGE_SIZE; size /= 4)
		if (!fill(size))
			ret = -ENOMEM;
	if (ret)
		empty();
	return ret;
}
module_init(mux_fill_init);

static void __exit mux_fill_exit(void)
{
	empty();
}
module_exit(mux_fill_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Leaves no room for modules near the kernel");
