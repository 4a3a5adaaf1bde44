// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the named tracers: which names there are, which one is the
 * default, and what a write to function_tracers makes of its text.
 *
 * The tracers are named, but not registered with ftrace.
 */

#include <linux/mman.h>
#include <linux/uaccess.h>

#include "mux_kunit.h"

#define NR_OPS	4

static int tracers_init(struct kunit *test)
{
	bool busy;

	scoped_guard(mutex, &ftrace_lock)
		busy = mux_test_busy();
	if (busy)
		kunit_skip(test, "tracers are registered");
	test->priv = mux_test_alloc(test, NR_OPS);
	return 0;
}

static void tracers_exit(struct kunit *test)
{
	struct mux_test_ops *t = test->priv;
	int i;

	guard(mutex)(&ftrace_lock);
	for (i = 0; t && i < NR_OPS; i++)
		ftrace_mux_remove_tracer(&t[i].ops);
}

/* Name an ops. Return: the name that it got, "" if none */
static const char *add(struct ftrace_ops *ops, const char *name)
{
	struct ftrace_mux_tracer *t;

	guard(mutex)(&ftrace_lock);
	ops->name = name;
	ftrace_mux_add_tracer(ops);
	t = ftrace_mux_find_ops(ops);
	return t ? t->name : "";
}

static void del(struct ftrace_ops *ops)
{
	guard(mutex)(&ftrace_lock);
	ftrace_mux_remove_tracer(ops);
}

static unsigned long serial(struct ftrace_ops *ops)
{
	struct ftrace_mux_tracer *t;

	guard(mutex)(&ftrace_lock);
	t = ftrace_mux_find_ops(ops);
	return t ? t->serial : 0;
}

static struct ftrace_ops *default_ops(void)
{
	struct ftrace_mux_tracer *t;

	guard(mutex)(&ftrace_lock);
	t = ftrace_mux_default();
	return t ? t->ops : NULL;
}

static void names_unique(struct kunit *test)
{
	struct mux_test_ops *t = test->priv;

	KUNIT_EXPECT_STREQ(test, add(&t[0].ops, "kunit"), "kunit");
	KUNIT_EXPECT_STREQ(test, add(&t[1].ops, "kunit"), "kunit-2");
	KUNIT_EXPECT_STREQ(test, add(&t[2].ops, "kunit"), "kunit-3");
	KUNIT_EXPECT_STREQ(test, add(&t[3].ops, "kunit-2"), "kunit-2-2");

	/* The suffix that has become free is used again */
	del(&t[1].ops);
	KUNIT_EXPECT_STREQ(test, add(&t[1].ops, "kunit"), "kunit-2");
	del(&t[0].ops);
	KUNIT_EXPECT_STREQ(test, add(&t[0].ops, "kunit"), "kunit");
}

static void names_suffix_taken(struct kunit *test)
{
	struct mux_test_ops *t = test->priv;

	KUNIT_EXPECT_STREQ(test, add(&t[0].ops, "kunit-2"), "kunit-2");
	KUNIT_EXPECT_STREQ(test, add(&t[1].ops, "kunit"), "kunit");
	KUNIT_EXPECT_STREQ(test, add(&t[2].ops, "kunit"), "kunit-3");
}

static void names_none(struct kunit *test)
{
	struct mux_test_ops *t = test->priv;

	KUNIT_EXPECT_STREQ(test, add(&t[0].ops, NULL), "");
}

static void names_cut(struct kunit *test)
{
	struct mux_test_ops *t = test->priv;
	char name[80], want[80];

	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	snprintf(want, sizeof(want), "%.55s", name);
	KUNIT_EXPECT_STREQ(test, add(&t[0].ops, name), want);
	snprintf(want, sizeof(want), "%.55s-2", name);
	KUNIT_EXPECT_STREQ(test, add(&t[1].ops, name), want);
}

struct clean_param {
	const char	*name;
	const char	*want;
};

static const struct clean_param clean_params[] = {
	{ "kunit.0:a-b_c!", "kunit.0:a-b_c!" },
	{ "two words", "two_words" },
	{ "*a,b+[c]{d}", "_a_b__c__d_" },
	{ "$(a)`b`", "__a__b_" },
	{ "a\"b'c\\d", "a_b_c_d" },
	{ "<a>|b;c&d", "_a__b_c_d" },
	{ "a\tb\nc\x7f", "a_b_c_" },
	{ "\xc3\xa4", "\xc3\xa4" },
};

static void clean_desc(const struct clean_param *p, char *desc)
{
	/* Not the name itself, which may not fit on a line */
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%zd", p - clean_params);
}

KUNIT_ARRAY_PARAM(clean, clean_params, clean_desc);

static void names_cleaned(struct kunit *test)
{
	const struct clean_param *p = test->param_value;
	struct mux_test_ops *t = test->priv;

	KUNIT_EXPECT_STREQ(test, add(&t[0].ops, p->name), p->want);
}

struct name_param {
	const char	*name;
	int		ret;
};

static const struct name_param valid_params[] = {
	{ "kunit", 0 },
	{ "...", 0 },
	{ " ", 0 },
	{ "", -EINVAL },
	{ ".", -EINVAL },
	{ "..", -EINVAL },
	{ "a/b", -EINVAL },
	{ "/", -EINVAL },
};

static void valid_desc(const struct name_param *p, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "'%s'", p->name);
}

KUNIT_ARRAY_PARAM(valid, valid_params, valid_desc);

static void names_refused(struct kunit *test)
{
	const struct name_param *p = test->param_value;
	struct ftrace_ops ops = { .name = p->name };

	KUNIT_EXPECT_EQ(test, ftrace_mux_valid_name(&ops), p->ret);
}

static void names_refused_none(struct kunit *test)
{
	struct ftrace_ops ops = { };

	KUNIT_EXPECT_EQ(test, ftrace_mux_valid_name(&ops), 0);
}

static const struct clean_param reserved_params[] = {
	{ "trace", "trace-2" },
	{ "trace_graph", "trace_graph-2" },
	{ "trace_profile", "trace_profile-2" },
	{ "trace_stack", "trace_stack-2" },
	{ "irqsoff", "irqsoff-2" },
	{ "preemptoff", "preemptoff-2" },
	{ "preemptirqsoff", "preemptirqsoff-2" },
	{ "wakeup", "wakeup-2" },
	{ "wakeup_rt", "wakeup_rt-2" },
	{ "wakeup_dl", "wakeup_dl-2" },
};

KUNIT_ARRAY_PARAM_DESC(reserved, reserved_params, name);

/* A reserved name is refused to an ops in allocated memory, as that of an instance */
static void names_reserved(struct kunit *test)
{
	static struct ftrace_ops core_ops;
	const struct clean_param *p = test->param_value;
	struct mux_test_ops *t = test->priv;

	KUNIT_EXPECT_STREQ(test, add(&t[0].ops, p->name), p->want);
	KUNIT_EXPECT_STREQ(test, add(&core_ops, p->name), p->name);
	del(&core_ops);
}

static void serials_never_again(struct kunit *test)
{
	struct mux_test_ops *t = test->priv;
	unsigned long first, second;

	add(&t[0].ops, "kunit");
	first = serial(&t[0].ops);
	del(&t[0].ops);
	KUNIT_EXPECT_EQ(test, serial(&t[0].ops), 0);
	add(&t[0].ops, "kunit");
	second = serial(&t[0].ops);
	KUNIT_EXPECT_GT(test, second, first);

	guard(mutex)(&ftrace_lock);
	KUNIT_EXPECT_NULL(test, ftrace_mux_find_serial(first));
	KUNIT_EXPECT_PTR_EQ(test, ftrace_mux_find_serial(second),
			    ftrace_mux_find_ops(&t[0].ops));
}

static void default_chosen(struct kunit *test)
{
	struct mux_test_ops *t = test->priv;

	add(&t[0].ops, "kunit-a");
	add(&t[1].ops, "kunit-b");
	KUNIT_EXPECT_EQ(test, ftrace_mux_set_default("kunit-a"), 0);
	KUNIT_EXPECT_PTR_EQ(test, default_ops(), &t[0].ops);
	KUNIT_EXPECT_EQ(test, ftrace_mux_set_default("kunit-c"), -EINVAL);
	KUNIT_EXPECT_EQ(test, ftrace_mux_set_default("kunit"), -EINVAL);
	KUNIT_EXPECT_PTR_EQ(test, default_ops(), &t[0].ops);

	/* When another tracer goes, the default stays */
	del(&t[1].ops);
	KUNIT_EXPECT_PTR_EQ(test, default_ops(), &t[0].ops);
	del(&t[0].ops);
	KUNIT_EXPECT_NULL(test, default_ops());
}

static void default_trace_is_always_there(struct kunit *test)
{
	struct mux_test_ops *t = test->priv;

	add(&t[0].ops, "kunit-a");
	KUNIT_EXPECT_EQ(test, ftrace_mux_set_default("kunit-a"), 0);
	KUNIT_EXPECT_EQ(test, ftrace_mux_set_default("trace"), 0);
	KUNIT_EXPECT_NULL(test, default_ops());
	/* Leave a default that goes with its tracer */
	KUNIT_EXPECT_EQ(test, ftrace_mux_set_default("kunit-a"), 0);
}

static void default_of_the_views(struct kunit *test)
{
	struct mux_test_ops *t = test->priv;
	bool view = ftrace_mux_view();

	ftrace_mux_set_view(false);
	add(&t[0].ops, "kunit-a");
	KUNIT_EXPECT_NULL(test, default_ops());
	ftrace_mux_set_view(true);
	KUNIT_EXPECT_PTR_EQ(test, default_ops(), &t[0].ops);
	add(&t[1].ops, "kunit-b");
	KUNIT_EXPECT_PTR_EQ(test, default_ops(), &t[1].ops);
	del(&t[1].ops);
	KUNIT_EXPECT_PTR_EQ(test, default_ops(), &t[0].ops);

	/* A default that was written stays when the view changes */
	add(&t[1].ops, "kunit-b");
	KUNIT_EXPECT_EQ(test, ftrace_mux_set_default("kunit-a"), 0);
	ftrace_mux_set_view(false);
	KUNIT_EXPECT_PTR_EQ(test, default_ops(), &t[0].ops);
	ftrace_mux_set_view(view);
}

static struct kunit_case tracers_cases[] = {
	KUNIT_CASE(names_unique),
	KUNIT_CASE(names_suffix_taken),
	KUNIT_CASE(names_none),
	KUNIT_CASE(names_cut),
	KUNIT_CASE_PARAM(names_cleaned, clean_gen_params),
	KUNIT_CASE_PARAM(names_refused, valid_gen_params),
	KUNIT_CASE(names_refused_none),
	KUNIT_CASE_PARAM(names_reserved, reserved_gen_params),
	KUNIT_CASE(serials_never_again),
	KUNIT_CASE(default_chosen),
	KUNIT_CASE(default_trace_is_always_there),
	KUNIT_CASE(default_of_the_views),
	{ }
};

static struct kunit_suite tracers_suite = {
	.name = "ftrace_mux_tracers",
	.init = tracers_init,
	.exit = tracers_exit,
	.test_cases = tracers_cases,
};

struct write_param {
	const char	*desc;
	const char	*text;
	bool		ok;
	size_t		more;		/* bytes of the text after its first NUL, with that */
};

static const struct write_param write_params[] = {
	{ "a name", "kunit-a", true },
	{ "with a newline", "kunit-a\n", true },
	{ "with white space around it", "\t\n kunit-a\t\n\n", true },
	{ "the function tracer, not registered", "trace", true },
	{ "nothing", "", false },
	{ "white space", " \t", false },
	{ "an unknown name", "kunit-x", false },
	{ "a part of a name", "kunit", false },
	{ "two names", "kunit-a trace", false },
	{ "the star of the default", "*kunit-a", false },
	{ "other case", "Kunit-A", false },
	{ "a NUL after the name", "kunit-a\0", false, 1 },
	{ "a NUL and more", "kunit-a\0trace", false, 6 },
	{ "bytes above 127", "kunit-a\xff", false },
};

KUNIT_ARRAY_PARAM_DESC(write, write_params, desc);

static void __user *user_page(struct kunit *test)
{
	unsigned long addr = kunit_vm_mmap(test, NULL, 0, PAGE_SIZE, PROT_READ | PROT_WRITE,
					   MAP_ANONYMOUS | MAP_PRIVATE, 0);

	KUNIT_ASSERT_NE_MSG(test, addr, 0, "no user memory");
	KUNIT_ASSERT_LT_MSG(test, addr, TASK_SIZE, "no user memory");
	return (void __user *)addr;
}

/* Write @count bytes of @buf. The position moves if and only if the write succeeds */
static ssize_t write(struct kunit *test, const void __user *buf, size_t count)
{
	loff_t pos = 7;
	ssize_t ret = ftrace_mux_tracers_write(NULL, buf, count, &pos);

	KUNIT_EXPECT_EQ(test, pos, ret < 0 ? 7 : 7 + ret);
	return ret;
}

static void write_text(struct kunit *test)
{
	const struct write_param *p = test->param_value;
	const size_t count = strlen(p->text) + p->more;
	struct mux_test_ops *t = test->priv;
	void __user *buf = user_page(test);

	add(&t[0].ops, "kunit-a");
	add(&t[1].ops, "kunit-b");
	KUNIT_ASSERT_EQ(test, ftrace_mux_set_default("kunit-b"), 0);
	KUNIT_ASSERT_EQ(test, copy_to_user(buf, p->text, count), 0);

	if (p->ok) {
		bool top = strstr(p->text, "trace");

		KUNIT_EXPECT_EQ(test, write(test, buf, count), count);
		KUNIT_EXPECT_PTR_EQ(test, default_ops(), top ? NULL : &t[0].ops);
		/* Leave a default that goes with its tracer */
		KUNIT_EXPECT_EQ(test, ftrace_mux_set_default("kunit-a"), 0);
	} else {
		KUNIT_EXPECT_EQ(test, write(test, buf, count), -EINVAL);
		KUNIT_EXPECT_PTR_EQ(test, default_ops(), &t[1].ops);
	}
}

/* The longest name that there can be, and anything longer */
static void write_long(struct kunit *test)
{
	struct mux_test_ops *t = test->priv;
	char __user *buf = user_page(test);
	char text[PAGE_SIZE / 4];
	size_t len;

	memset(text, 'x', sizeof(text));
	KUNIT_ASSERT_EQ(test, copy_to_user(buf, text, sizeof(text)), 0);
	text[sizeof(text) - 1] = '\0';
	add(&t[0].ops, text);
	len = strlen(add(&t[1].ops, text));
	KUNIT_ASSERT_LT(test, len, FTRACE_MUX_NAME_MAX);

	KUNIT_EXPECT_EQ(test, write(test, buf, len - 2), len - 2);
	KUNIT_EXPECT_PTR_EQ(test, default_ops(), &t[0].ops);
	for (len = len - 1; len <= sizeof(text); len++)
		KUNIT_EXPECT_EQ(test, write(test, buf, len), -EINVAL);
	KUNIT_EXPECT_PTR_EQ(test, default_ops(), &t[0].ops);
}

static void write_fault(struct kunit *test)
{
	char __user *buf = user_page(test);

	KUNIT_EXPECT_EQ(test, write(test, buf + PAGE_SIZE, 5), -EFAULT);
	KUNIT_EXPECT_EQ(test, write(test, buf + PAGE_SIZE, 500), -EFAULT);
	KUNIT_EXPECT_EQ(test, write(test, buf + PAGE_SIZE - 2, 5), -EFAULT);
	KUNIT_EXPECT_EQ(test, write(test, NULL, 1), -EFAULT);
}

static struct kunit_case write_cases[] = {
	KUNIT_CASE_PARAM(write_text, write_gen_params),
	KUNIT_CASE(write_long),
	KUNIT_CASE(write_fault),
	{ }
};

static struct kunit_suite write_suite = {
	.name = "ftrace_mux_write",
	.init = tracers_init,
	.exit = tracers_exit,
	.test_cases = write_cases,
};

kunit_test_suites(&tracers_suite, &write_suite);
