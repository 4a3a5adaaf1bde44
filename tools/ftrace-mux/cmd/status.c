// SPDX-License-Identifier: GPL-2.0
/* ftrace-mux status: show whether the kernel multiplexes, and its state. */
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include "cli/cli.h"
#include "model/tracer.h"
#include "recording/recorder.h"
#include "tracefs/mux.h"
#include "tracefs/tfs.h"

static const char *const mux_files[] = {
	"function_tracers", "function_mux", "function_mux_check", "options/function-mux",
};

/* "y", "n", or NULL where no configuration is to be found */
static const char *config_mux(char *source, size_t size)
{
	const char *res = NULL;
	struct utsname u;
	char line[256], cmd[400];
	FILE *f;

	uname(&u);
	snprintf(source, size, "/proc/config.gz");
	f = tfs_exists(source) ? popen("zcat /proc/config.gz 2>/dev/null", "re") : NULL;
	if (!f) {
		snprintf(source, size, "/boot/config-%s", u.release);
		snprintf(cmd, sizeof(cmd), "cat '%s' 2>/dev/null", source);
		f = tfs_exists(source) ? popen(cmd, "re") : NULL;
	}
	if (!f)
		return NULL;
	res = "n";
	while (fgets(line, sizeof(line), f))
		if (!strcmp(line, "CONFIG_FTRACE_MUX=y\n"))
			res = "y";
	pclose(f);
	return res;
}

static int stock(void)
{
	const char *config;
	struct strlist missing = { };
	struct tracers ts;
	char source[300], *list;
	json_t *j;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(mux_files); i++) {
		char *path = tfs_path("%s", mux_files[i]);

		if (!tfs_exists(path))
			strlist_add(&missing, path);
		free(path);
	}
	list = strlist_join(&missing, " ");
	config = config_mux(source, sizeof(source));
	if (!config)
		snprintf(source, sizeof(source), "configuration of the kernel not found");
	if (ftm.json) {
		j = json_array();
		for (i = 0; i < missing.n; i++)
			json_array_append_new(j, json_string(missing.v[i]));
		ftm_print_json(json_pack("{s:b, s:o, s:s?, s:s}", "multiplexing", 0, "missing", j,
					 "config", config, "config_source", source));
	} else {
		printf("%-16s%sno%s\n", "multiplexing", clr("red"), clr("off"));
		printf("%-16s%s\n", "missing", list);
		printf("%-16sCONFIG_FTRACE_MUX %s (%s)\n", "kernel config", !config ? "unknown" :
		       !strcmp(config, "y") ? "is set" : "is not set", source);
		if (!tracers_load(&ts)) {
			printf("%-16s%zu; functions that several share are traced slowly\n",
			       "tracers", ts.n);
			tracers_free(&ts);
		}
	}
	free(list);
	strlist_free(&missing);
	return FTM_NOKERNEL;
}

static json_t *slots_json(const struct mux *m)
{
	static const char *const states[] = { "free", "used", "zombie" };
	json_t *a = json_array();
	int i;

	for (i = 0; i < m->nslots; i++) {
		struct strlist l = { };
		json_t *names = json_array();
		size_t k;

		strlist_split(&l, m->slots[i].name ? m->slots[i].name : "", ",");
		for (k = 0; k < l.n; k++)
			json_array_append_new(names, json_string(l.v[k]));
		json_array_append_new(a, json_pack("{s:i, s:s, s:o}", "id", i, "state",
						   states[m->slots[i].state], "names", names));
		strlist_free(&l);
	}
	return a;
}

static json_t *update_json(const struct mux_update *u)
{
	return json_pack("{s:i, s:i, s:i}", "redirects", (int)u->redirects,
			 "sites", (int)u->sites, "waits", (int)u->waits);
}

static void print_json(const struct mux *m)
{
	json_t *without = json_array(), *stubs = json_array(), *shares = json_object();
	char users[32];
	size_t i;

	for (i = 0; i < m->without_id.n; i++)
		json_array_append_new(without, json_string(m->without_id.v[i]));
	for (i = 0; i < m->nstubs; i++)
		json_array_append_new(stubs, mux_stub_json(&m->stubs[i]));
	for (i = 0; i < m->nshares; i++) {
		snprintf(users, sizeof(users), "%ld", m->shares[i].users);
		json_object_set_new(shares, users, json_integer(m->shares[i].functions));
	}
	ftm_print_json(json_pack("{s:b, s:i, s:b, s:s?, s:o, s:o, s:o, s:i, s:o, s:{s:o, s:o}}",
				 "multiplexing", 1, "ids", (int)m->ids, "view", m->view,
				 "default", m->dflt, "slots", slots_json(m),
				 "without_id", without, "stubs", stubs,
				 "clean_stubs", (int)m->clean, "functions", shares,
				 "updates", "last", update_json(&m->last),
				 "all", update_json(&m->all)));
}

static const char *plural(long n)
{
	return n == 1 ? "" : "s";
}

static void print_ids(const struct mux *m)
{
	int count[3] = { }, i;

	for (i = 0; i < m->nslots; i++)
		count[m->slots[i].state]++;
	printf("%-16s%d used, %d free, %d zombie%s\n", "IDs", count[SLOT_USED], count[SLOT_FREE],
	       count[SLOT_ZOMBIE], plural(count[SLOT_ZOMBIE]));
	for (i = 0; i < m->nslots; i++)
		if (m->slots[i].state != SLOT_FREE)
			printf("%14d  %s%s\n", i, *m->slots[i].name ? m->slots[i].name : "-",
			       m->slots[i].state == SLOT_ZOMBIE ? " (zombie)" : "");
}

static void print_update(const char *what, const struct mux_update *u)
{
	printf("%-16s%ld stub%s redirected, %ld site%s patched, %ld wait%s\n", what,
	       u->redirects, plural(u->redirects), u->sites, plural(u->sites),
	       u->waits, plural(u->waits));
}

static void print_usage(const struct mux *m)
{
	char *without = strlist_join(&m->without_id, ", ");
	long called = 0;
	size_t i;

	print_ids(m);
	printf("%-16s%s\n", "without ID", *without ? without : "nobody");
	for (i = 0; i < m->nstubs; i++)
		called += m->stubs[i].functions;
	printf("%-16s%zu used, at %ld function%s; %ld clean\n", "stubs", m->nstubs,
	       called, plural(called), m->clean);
	for (i = 0; i < m->nshares; i++)
		printf("%-16s%ld with %ld tracer%s\n", i ? "" : "functions",
		       m->shares[i].functions, m->shares[i].users, plural(m->shares[i].users));
	print_update("last update", &m->last);
	print_update("all updates", &m->all);
	free(without);
}

static void print_text(const struct mux *m)
{
	printf("%-16s%syes%s: %ld ID%s\n", "multiplexing", clr("green"), clr("off"), m->ids,
	       plural(m->ids));
	if (m->nslots)
		print_usage(m);
	printf("%-16s%s\n%-16s%s\n", "view", m->view ? "on" : "off", "default",
	       m->dflt ? m->dflt : "trace");
}

/* A warning if one of the programs is installed that do not expect the view. */
static void warn_view(void)
{
	static const char *const programs[] = {
		"trace-cmd", "perf", "functrace-perf", "funccount-perf", "funcgraph-perf",
		"funcslower-perf", "reset-ftrace-perf", "functrace", "funccount", "funcgraph",
		"funcslower", "reset-ftrace",
	};
	struct strlist here = { };
	char *list;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(programs); i++) {
		char *path = find_program(programs[i]);

		if (path)
			strlist_add(&here, programs[i]);
		free(path);
	}
	list = strlist_join(&here, ", ");
	if (here.n)
		ftm_warn(VIEW_WARNING "; installed here: %s", list);
	free(list);
	strlist_free(&here);
}

static int cmd_status(int argc, char **argv)
{
	int ret = opt_plain(argc, argv, 0, 0);
	struct mux m;

	if (ret >= 0)
		return ret;
	ret = cmd_start();
	if (ret)
		return ret;
	if (mux_read(&m))
		return stock();
	if (ftm.json)
		print_json(&m);
	else
		print_text(&m);
	if (!m.nslots)
		ftm_warn("ftrace has shut itself down after a fault, which the kernel's log names; "
			 "tracing is possible again after a reboot");
	if (m.view)
		warn_view();
	mux_free(&m);
	return FTM_OK;
}

const struct ftm_cmd status_command = {
	.name = "status",
	.args = "",
	.help = "show whether the kernel multiplexes, and its state",
	.opts = no_opts,
	.examples =
		"ftrace-mux status\n"
		"ftrace-mux status --json\n",
	.run = cmd_status,
};
