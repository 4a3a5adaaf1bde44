/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_KERNEL_FTRACE_MUX_KUNIT_H
#define _LINUX_KERNEL_FTRACE_MUX_KUNIT_H

#include <kunit/test.h>
#include <linux/ftrace.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/string.h>

#include "../../ftrace_internal.h"
#include "../../trace.h"
#include "../internal.h"

/*
 * What the tests of the multiplexer share: an ops with hashes that a test
 * fills by hand. It is never registered with ftrace, so no call site leads to
 * it and the functions in its hashes need not exist.
 */

#define MUX_TEST_FUNCTIONS	4

/* A hash with a single bucket */
struct mux_test_hash {
	struct ftrace_hash		hash;
	struct hlist_head		bucket;
	struct ftrace_func_entry	entries[MUX_TEST_FUNCTIONS];
};

struct mux_test_ops {
	struct ftrace_ops		ops;
	struct mux_test_hash		filter;
	struct mux_test_hash		excluded;
	unsigned int			calls;
};

static inline void mux_test_add(struct mux_test_hash *h, unsigned long ip)
{
	struct ftrace_func_entry *entry = &h->entries[h->hash.count++];

	entry->ip = ip;
	hlist_add_head(&entry->hlist, &h->bucket);
}

static inline void mux_test_called(unsigned long ip, unsigned long parent_ip,
				   struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	container_of(ops, struct mux_test_ops, ops)->calls++;
}

/* An array of static ops with empty hashes */
static inline struct mux_test_ops *mux_test_alloc(struct kunit *test, int n)
{
	struct mux_test_ops *t = kunit_kcalloc(test, n, sizeof(*t), GFP_KERNEL);
	int i;

	KUNIT_ASSERT_NOT_NULL(test, t);
	for (i = 0; i < n; i++) {
		t[i].filter.hash.buckets = &t[i].filter.bucket;
		t[i].excluded.hash.buckets = &t[i].excluded.bucket;
		t[i].ops.func = mux_test_called;
		t[i].ops.saved_func = mux_test_called;
		t[i].ops.func_hash = &t[i].ops.local_hash;
		rcu_assign_pointer(t[i].ops.local_hash.filter_hash, &t[i].filter.hash);
		rcu_assign_pointer(t[i].ops.local_hash.notrace_hash, &t[i].excluded.hash);
	}
	return t;
}

/* Is any tracer registered? ftrace_lock is held */
static inline bool mux_test_busy(void)
{
	return rcu_access_pointer(ftrace_ops_list) != &ftrace_list_end;
}

/* Clear slots, sets and lists. No call site calls a stub, or has ever called one of the test's */
static inline void mux_test_clear(void)
{
	const size_t size = (FTRACE_MUX_STUBS + 1) * sizeof(*ftrace_mux_stubs);
	int i;

	memset(ftrace_mux_slots, 0, FTRACE_MUX_IDS * sizeof(*ftrace_mux_slots));
	memset(ftrace_mux_stubs, 0, size);
	for (i = 0; i < FTRACE_MUX_LISTS; i++) {
		if (!ftrace_mux_lists[i])
			continue;
		ftrace_mux_lists[i]->stubs = 0;
		ftrace_mux_lists[i]->left = 0;
	}
	for (i = 0; i < FTRACE_MUX_IDS; i++)
		ftrace_mux_forget_recorder(i);
	ftrace_mux_free_lists();
	ftrace_mux_forget_hints();
	ftrace_mux_without_id = 0;
}

/*
 * Have all slots, stubs and lists for a test, with ftrace_lock held, and all
 * of them free. The test is skipped where a tracer is registered. Up to
 * mux_test_end() it only expects and asserts nothing, since an assertion would
 * end the thread with the lock held.
 */
static inline struct mux_test_ops *mux_test_begin(struct kunit *test, int n)
{
	struct mux_test_ops *t = mux_test_alloc(test, n);

	mutex_lock(&ftrace_lock);
	if (mux_test_busy()) {
		mutex_unlock(&ftrace_lock);
		kunit_skip(test, "tracers are registered");
	}
	ftrace_mux_wait_for_callers(ftrace_mux_seq);
	mux_test_clear();
	return t;
}

/* Unregister and release, as ftrace_shutdown() does */
static inline void mux_test_leave(struct ftrace_ops *ops)
{
	ftrace_mux_unregister(ops);
	ftrace_mux_release(ops);
}

static inline void mux_test_end(struct mux_test_ops *t, int n)
{
	int i;

	for (i = 0; i < n; i++) {
		if (t[i].ops.mux_id)
			mux_test_leave(&t[i].ops);
	}
	mux_test_clear();
	mutex_unlock(&ftrace_lock);
}

#endif /* _LINUX_KERNEL_FTRACE_MUX_KUNIT_H */
