// SPDX-License-Identifier: GPL-2.0
/* plugin PLUGIN.so: what the libtraceevent plugin makes of made-up events. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <event-parse.h>

#define COMMON								\
	"format:\n"							\
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"	\
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"	\
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define NAME	"\tfield:__data_loc char[] name;\toffset:8;\tsize:4;\tsigned:0;\n"
#define TRACER	COMMON NAME "\tfield:int id;\toffset:12;\tsize:4;\tsigned:1;\n\n"	\
		"print fmt: \"name=%s id=%d\", __get_str(name), REC->id\n"

static const char *const formats[] = {
	"name: mux_retarget\nID: 488\n" COMMON
	"\tfield:unsigned long sites;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:u64 ns;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:u32 redirects;\toffset:24;\tsize:4;\tsigned:0;\n"
	"\tfield:u32 waits;\toffset:28;\tsize:4;\tsigned:0;\n"
	"\tfield:u32 mask;\toffset:32;\tsize:4;\tsigned:0;\n\n"
	"print fmt: \"sites=%lu redirects=%u waits=%u ns=%llu mask=0x%02x\", REC->sites, "
	"REC->redirects, REC->waits, REC->ns, REC->mask\n",
	"name: mux_default_tracer\nID: 489\n" COMMON NAME
	"\nprint fmt: \"name=%s\", __get_str(name)\n",
	"name: mux_tracer_unregister\nID: 490\n" TRACER,
	"name: mux_tracer_register\nID: 491\n" TRACER,
};

struct event {
	unsigned short type;
	unsigned char flags, preempt;
	int pid;
	union {
		struct {
			unsigned int loc;
			int id;
			char name[32];
		} tracer;
		struct {
			unsigned long sites;
			unsigned long long ns;
			unsigned int redirects, waits, mask;
		} retarget;
	};
};

static struct tep_handle *tep;
static int nr, bad;

static void check(struct event *e, unsigned long long ts, const char *want)
{
	struct tep_record rec = { .ts = ts, .data = e, .size = sizeof(*e), .ref_count = 1 };
	struct trace_seq s;
	int same;

	trace_seq_init(&s);
	tep_print_event(tep, &s, &rec, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&s);
	same = !strcmp(s.buffer, want);
	nr++;
	bad += !same;
	if (same)
		printf("ok %d - %s\n", nr, want);
	else
		printf("not ok %d - '%s' is not '%s'\n", nr, s.buffer, want);
	trace_seq_destroy(&s);
}

static void tracer(int type, int id, const char *name, unsigned long long ts, const char *want)
{
	struct event e = { .type = type };

	e.tracer.id = id;
	snprintf(e.tracer.name, sizeof(e.tracer.name), "%s", name);
	/* mux_default_tracer has no id: its text is where the format says, too */
	e.tracer.loc = 16 | (strlen(name) + 1) << 16;
	check(&e, ts, want);
}

static void retarget(unsigned int mask, unsigned long long ts, const char *want)
{
	struct event e = { .type = 488 };
	char text[128];

	e.retarget.sites = 72;
	e.retarget.ns = 1234567;
	e.retarget.redirects = 3;
	e.retarget.waits = 1;
	e.retarget.mask = mask;
	snprintf(text, sizeof(text), "sites=72 redirects=3 waits=1 time=1234.567us tracers=%s",
		 want);
	check(&e, ts, text);
}

int main(int argc, char **argv)
{
	void *so = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
	int (*load)(struct tep_handle *tep) = so ? dlsym(so, "tep_plugin_loader") : NULL;
	void (*unload)(struct tep_handle *tep) = so ? dlsym(so, "tep_plugin_unloader") : NULL;
	size_t i;

	if (!load || !unload)
		return 2;
	tep = tep_alloc();
	tep_set_long_size(tep, 8);
	load(tep);
	tep_plugin_add_option("ftrace_mux:names", "2=before,6=b/c");
	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		tep_parse_event(tep, formats[i], strlen(formats[i]), "ftrace_mux");

	tracer(491, 1, "foo", 100, "foo id=1");
	tracer(491, -1, "many", 110, "many id=none");
	retarget(0x02, 150, "0x02 {foo}");
	tracer(490, 1, "foo", 200, "foo id=1");
	tracer(491, 1, "bar", 300, "bar id=1");
	tracer(489, 0, "bar", 310, "bar");
	retarget(0x02, 350, "0x02 {bar}");
	/* each has the names of its time, in any order of printing */
	retarget(0x02, 150, "0x02 {foo}");
	tracer(491, 1, "foo", 100, "foo id=1");
	retarget(0x02, 350, "0x02 {bar}");
	retarget(0x02, 50, "0x02 {#1}");
	retarget(0xc6, 400, "0xc6 {bar,before,b/c,#7}");
	retarget(0, 400, "0x00 {}");
	unload(tep);
	tep_free(tep);
	dlclose(so);
	return bad != 0;
}
