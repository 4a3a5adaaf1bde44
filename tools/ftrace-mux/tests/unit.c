// SPDX-License-Identifier: GPL-2.0
/* Unit tests of the parts that need no tracing directory, or a small one. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "cli/values.h"
#include "events/sampler.h"
#include "model/filter.h"
#include "tracefs/funcs.h"
#include "model/instance.h"
#include "tracefs/mux.h"
#include "model/name.h"
#include "model/tracer.h"
#include "tracefs/tfs.h"

static int nr, bad;

#define CHECK(cond) check(cond, #cond, __LINE__)

static void check(bool good, const char *text, int line)
{
	nr++;
	bad += !good;
	printf("%sok %d - unit.c:%d %s\n", good ? "" : "not ", nr, line, text);
}

static void test_strlist(void)
{
	struct strlist l = { };
	char *s;
	int i;

	strlist_split(&l, ",b,,a c,", ",");
	CHECK(l.n == 2 && !strcmp(l.v[0], "b") && !strcmp(l.v[1], "a c"));
	strlist_sort(&l);
	CHECK(!strcmp(l.v[0], "a c"));
	CHECK(strlist_has_sorted(&l, "b") && !strlist_has_sorted(&l, "c"));
	strlist_remove(&l, "a c");
	CHECK(l.n == 1 && strlist_has(&l, "b"));
	for (i = 0; i < 1000; i++)
		strlist_add(&l, "x");
	CHECK(l.n == 1001);
	strlist_free(&l);
	CHECK(!l.n && !l.v);
	s = strlist_join(&l, ",");
	CHECK(!*s);
	free(s);
}

static void test_closest(void)
{
	struct strlist l = { };

	strlist_split(&l, "list disable enable", " ");
	CHECK(!strcmp(strlist_closest(&l, "lsit"), "list"));
	CHECK(!strcmp(strlist_closest(&l, "enabel"), "enable"));
	CHECK(!strcmp(strlist_closest(&l, "dixable"), "disable"));
	CHECK(!strlist_closest(&l, "record") && !strlist_closest(&l, "x"));
	strlist_free(&l);
	CHECK(!strlist_closest(&l, "list"));
}

static void parse(struct mux *m, const char *text)
{
	char *copy = xstrdup(text);

	mux_parse(m, copy);
	free(copy);
}

static void test_mux(void)
{
	struct mux m;

	parse(&m, "ids: 8\nview: on\ndefault: foo bar\nslot 0: used trace\nslot 1: zombie x\n"
	      "slot 2: free\nslot 9: used too-high\nslot x: used y\nno ID: [klp]\nno ID: y,z\n"
	      "stub 3: 12 regs 0x03 {trace,foo,+z}\nstub 255: 1 group 0x00 {+[klp],+z}\n"
	      "stubs: 2 used, 253 clean\nfunctions 2: 5\n"
	      "last update: 1 stubs redirected, 2 sites patched, 3 waits\n"
	      "all updates: 4 stubs redirected, 5 sites patched, 6 waits\n"
	      "functions -1: 7\nnonsense\n: \nkey:\n");
	CHECK(m.ids == 8 && m.view && !strcmp(m.dflt, "foo bar"));
	CHECK(m.nslots == 3 && m.slots[0].state == SLOT_USED && m.slots[1].state == SLOT_ZOMBIE);
	CHECK(!strcmp(m.slots[1].name, "x") && m.slots[2].state == SLOT_FREE);
	CHECK(m.without_id.n == 3 && !strcmp(m.without_id.v[0], "[klp]"));
	CHECK(m.nstubs == 2 && m.stubs[0].stub == 3 && m.stubs[1].stub == 255);
	CHECK(m.stubs[0].functions == 12 && !strcmp(m.stubs[0].flavour, "regs"));
	CHECK(!strcmp(m.stubs[1].flavour, "group"));
	CHECK(m.stubs[0].mask == 3 && m.stubs[0].tracers.n == 3 && !m.stubs[1].mask);
	CHECK(!strcmp(m.stubs[1].tracers.v[1], "+z") && m.clean == 253);
	CHECK(m.last.redirects == 1 && m.last.sites == 2 && m.last.waits == 3);
	CHECK(m.all.redirects == 4 && m.all.sites == 5 && m.all.waits == 6);
	CHECK(m.nshares == 1 && m.shares[0].users == 2 && m.shares[0].functions == 5);
	mux_free(&m);
	parse(&m, "");
	CHECK(!m.ids && !m.dflt && !m.nstubs && !m.nslots);
	mux_free(&m);
	/* a key that comes twice, or without its value */
	parse(&m, "default: a\ndefault: b\nslot 0: used a\nslot 0: used b\nslot 1: used\n"
	      "stub : \nstub 1: x\nstub 2: 1 args 0x01\nstub 0: 1 args 0x01 {a}\n"
	      "stub 4: 1 args 0x01 {\nstubs: x\nlast update: 1 stubs\nfunctions : \n");
	CHECK(!strcmp(m.dflt, "b") && !strcmp(m.slots[0].name, "b"));
	CHECK(m.slots[1].state == SLOT_FREE && !m.clean && !m.last.redirects);
	CHECK(m.nstubs == 1 && m.stubs[0].stub == 4 && !m.stubs[0].tracers.n);
	mux_free(&m);
}

static size_t matches(const char *glob, const char *module)
{
	return funcs_match(glob, module, NULL).n;
}

static void test_funcs(void)
{
	char *s;

	CHECK(!funcs_load());
	CHECK(funcs_nr() == 1000 && funcs_has("vfs_read") && !funcs_has("vfs"));
	CHECK(matches("vfs_read", NULL) == 1 && matches("VFS_read", NULL) == 1);
	CHECK(funcs_match("vfs_read", NULL, NULL).icase == 2);
	CHECK(matches("vfs_*", NULL) == 3 && matches("*read", NULL) == 4);
	CHECK(matches("vfs_?ead", NULL) == 1 && matches("vfs_[rw]*", NULL) == 3);
	CHECK(matches("*read*", NULL) == 5 && matches("*", NULL) == 1000);
	CHECK(matches("*", "ext4") == 2 && matches("ext4_read", "ext4") == 1);
	CHECK(matches("vfs_read", "ext4") == 0 && matches("*", "nomodule") == 0);
	CHECK(matches("4", NULL) == 1 && matches("0", NULL) == 0 && matches("1001", NULL) == 0);
	CHECK(matches("", NULL) == 0 && matches("[", NULL) == 0);
	s = funcs_syscall("sys_read");
	CHECK(s && !strcmp(s, "__x64_sys_read"));
	free(s);
	s = funcs_syscall("sys_*");	/* though sys_off_notify is a function */
	CHECK(s && !strcmp(s, "__x64_sys_*"));
	free(s);
	CHECK(!funcs_syscall("sys_off*"));
	s = funcs_syscall("sys_w*");
	CHECK(s && !strcmp(s, "__x64_sys_w*"));
	free(s);
	CHECK(!funcs_syscall("sys_nosuch") && !funcs_syscall("vfs_read"));
}

static int resolve(const char *pat, struct strlist *out)
{
	struct strlist in = { };
	int ret;

	strlist_free(out);
	strlist_add(&in, pat);
	ret = patterns_resolve(&in, out);
	strlist_free(&in);
	return ret;
}

static void test_patterns(void)
{
	struct strlist out = { }, f = { };

	CHECK(!resolve("vfs_*", &out) && !strcmp(out.v[0], "vfs_*"));
	CHECK(!resolve(":mod:ext4", &out) && !strcmp(out.v[0], "*:mod:ext4"));
	patterns_matches(&out, &f);
	CHECK(f.n == 2 && !strcmp(f.v[0], "ext4_read"));
	CHECK(resolve("nosuch", &out) == FTM_FAIL && resolve("", &out) == FTM_USAGE);
	CHECK(resolve("!vfs_read", &out) == FTM_USAGE);
	CHECK(resolve("vfs_read:traceoff", &out) == FTM_USAGE);
	CHECK(resolve("vfs read", &out) == FTM_USAGE && resolve("vfs\nread", &out) == FTM_USAGE);
	CHECK(resolve("#", &out) == FTM_USAGE && resolve("\xff\xfe", &out) == FTM_FAIL);
	strlist_free(&out);
	strlist_free(&f);
}

static void test_numbers(void)
{
	long n;

	CHECK(parse_num("12", 0, 20, &n) && n == 12);
	CHECK(!parse_num("", 0, 9, &n) && !parse_num("1x", 0, 9, &n) && !parse_num("-1", 0, 9, &n));
	CHECK(!parse_num("99999999999999999999", 0, 0x7fffffff, &n));
	CHECK(!parse_buffer("4M", &n) && n == 4096);
	CHECK(!parse_buffer("512k", &n) && n == 512);
	CHECK(!parse_buffer("1", &n) && n == 1);
	CHECK(parse_buffer("0", &n) && parse_buffer("x", &n) && parse_buffer("-4M", &n));
	CHECK(parse_buffer("4MM", &n) && parse_buffer("", &n) && parse_buffer("k", &n));
	CHECK(parse_buffer("99999999999G", &n));
}

static void test_names(void)
{
	char longname[80], *s;
	const char *c;

	memset(longname, 'a', sizeof(longname));
	longname[56] = '\0';
	CHECK(tracer_name_ok("foo") && tracer_name_ok("f\xc3\xbc-1_2.x"));
	CHECK(!tracer_name_ok("") && !tracer_name_ok("a b") && !tracer_name_ok("a/b"));
	CHECK(!tracer_name_ok("..") && !tracer_name_ok("-x") && !tracer_name_ok("a,b"));
	CHECK(!tracer_name_ok("a\nb") && !tracer_name_ok("*a") && !tracer_name_ok("+a"));
	CHECK(!tracer_name_ok("trace") && !tracer_name_ok("a:b"));
	for (c = "$`\"'\\()<>|;&"; *c; c++) {
		char name[] = { 'a', *c, 'b', '\0' };

		s = tracer_name_in_kernel(name);
		CHECK(!tracer_name_ok(name) && !strcmp(s, "a_b"));
		free(s);
	}
	/* what the kernel cuts is refused, what it leaves alone is not */
	s = tracer_name_in_kernel(longname);
	CHECK(!tracer_name_ok(longname) && strlen(s) == 55);
	CHECK(tracer_name_ok(s));
	free(s);
}

/* instances named like others: which is which? */
static void test_renamed(const char *dir)
{
	static const char *const names[] = { "trace", "trace-2", "$(a b)" };
	struct tracers ts;
	char path[512];
	size_t i;
	FILE *f;

	for (i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/instances/%s", dir, names[i]);
		mkdir(path, 0755);
		snprintf(path, sizeof(path), "%s/instances/%s/current_tracer", dir, names[i]);
		f = fopen(path, "w");
		fputs("function\n", f);
		fclose(f);
	}
	snprintf(path, sizeof(path), "%s/function_tracers", dir);
	f = fopen(path, "w");
	fputs("*trace\ntrace-2\ntrace-2-2\n__a_b_\n", f);
	fclose(f);
	CHECK(!tracers_load(&ts));
	CHECK(tracers_find(&ts, "trace")->kind == TRACER_TOP && tracers_find(&ts, "trace")->dflt);
	CHECK(!strcmp(tracers_find(&ts, "trace-2")->instance, "trace"));
	CHECK(!strcmp(tracers_find(&ts, "trace-2-2")->instance, "trace-2"));
	CHECK(!strcmp(tracers_find(&ts, "__a_b_")->instance, "$(a b)"));
	CHECK(!tracers_find(&ts, "nosuch"));
	tracers_free(&ts);
}

/* The names that top shows first, in one line. */
static const char *shown(struct top *top, size_t max)
{
	struct top_func *res[4];
	size_t n = top_busiest(top, res, max), i;
	static char text[64];

	*text = '\0';
	for (i = 0; i < n; i++)
		strcat(strcat(text, i ? " " : ""), res[i]->name);
	return text;
}

static void test_top(void)
{
	struct top_func functions[8] = {
		{ .key = 16, .mask = 1, .count = 3, .name = "vfs_read" },
		{ .key = 32, .mask = 1, .count = 9, .name = "schedule" },
		{ .key = 48, .mask = 1, .name = "vfs_open" },
		{ .key = 64, .count = 7, .name = "of_no_tracer" },
		{ },
		{ .key = 80, .mask = 2, .count = 3, .name = "sys_read" },
	};
	struct top_func callers[4] = {
		{ .key = 1, .mask = 1, .count = 5, .name = "10" },
		{ .key = 2, .mask = 1, .count = 5, .name = "9" },
	};
	struct top *top = xcalloc(1, sizeof(*top));

	top->functions = (struct top_table){ functions, ARRAY_SIZE(functions), 5 };
	top->callers = (struct top_table){ callers, ARRAY_SIZE(callers), 2 };
	CHECK(!strcmp(shown(top, 4), "schedule sys_read vfs_read"));
	CHECK(!strcmp(shown(top, 1), "schedule"));
	top->sort = TOP_NAME;
	CHECK(!strcmp(shown(top, 4), "schedule sys_read vfs_read"));
	functions[1].name = "wake";
	CHECK(!strcmp(shown(top, 4), "sys_read vfs_read wake"));
	top->filter = "read";
	CHECK(!strcmp(shown(top, 4), "sys_read vfs_read"));
	top->filter = "w?ke";
	CHECK(!strcmp(shown(top, 4), "wake"));
	top->filter = "*_rea";
	CHECK(!strcmp(shown(top, 4), ""));
	top->filter = NULL;
	top->by = BY_CPU;
	CHECK(!strcmp(shown(top, 4), "9 10"));
	free(top);
}

/* Writes more than a pipe holds: the process ends by itself, or SIGALRM kills it. */
static void write_much(int fd)
{
	static char much[1 << 20];

	alarm(20);
	dup2(fd, STDOUT_FILENO);
	ftm_open_stdout();
	catch_signals();
	fwrite(much, sizeof(much), 1, stdout);
	puts("what comes after the signal");
	_exit(ftm_close_stdout(ftm_stop == SIGTERM ? FTM_OK : FTM_FAIL));
}

/* The write has put a part of it into the pipe when the signal comes. */
static void test_stopped_output(void)
{
	int fds[2], full = 0, before, status;
	pid_t pid;

	fflush(stdout);
	CHECK(!pipe(fds));
	pid = fork();
	if (!pid)
		write_much(fds[1]);
	do {
		before = full;
		usleep(100000);
		ioctl(fds[0], FIONREAD, &full);
	} while (!full || full != before);
	kill(pid, SIGTERM);
	CHECK(waitpid(pid, &status, 0) == pid && status == 0);
	close(fds[0]);
	close(fds[1]);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	setenv("FTRACE_MUX_TRACING_DIR", argv[1], 1);
	ftm.verbose = -1;
	CHECK(!tfs_init());
	test_strlist();
	test_closest();
	test_mux();
	test_funcs();
	test_patterns();
	test_numbers();
	test_names();
	test_renamed(argv[1]);
	test_top();
	test_stopped_output();
	return bad != 0;
}
