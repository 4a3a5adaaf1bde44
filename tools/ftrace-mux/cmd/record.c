// SPDX-License-Identifier: GPL-2.0
/*
 * ftrace-mux record: several tracers in one recording through trace-cmd.
 *
 * The instances are made here, so that their names are ours from the start
 * and whatever becomes of trace-cmd, they are removed.
 */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "cli/cli.h"
#include "model/default.h"
#include "model/filter.h"
#include "model/instance.h"
#include "model/name.h"
#include "model/tracer.h"
#include "tracefs/state.h"
#include "tracefs/tfs.h"

#define EVENTS	"events"	/* the buffer of -e */

struct rec_tracer {
	char *name;
	struct strlist given, patterns;
};

struct record {
	struct rec_tracer *t;
	size_t n;
	const char *output, *plugin;
	struct strlist events;
	long buffer_kb;
	bool dry_run;
	char *status_file;	/* where COMMAND's exit status is left */
};

static void add_tracer(struct record *r, const char *spec)
{
	struct rec_tracer *t;
	size_t len = strcspn(spec, ":");

	r->t = xrealloc(r->t, (r->n + 1) * sizeof(*t));
	t = &r->t[r->n++];
	memset(t, 0, sizeof(*t));
	t->name = xstrdup(spec);
	t->name[len] = '\0';
	strlist_split(&t->given, spec[len] ? spec + len + 1 : "*", ",");
}

static int parse(int argc, char **argv, struct record *r)
{
	int c, ret = FTM_OK;

	while (!ret && (c = opt_next(argc, argv)) >= 0) {
		switch (c) {
		case 't':
			add_tracer(r, optarg);
			break;
		case 'o':
			r->output = optarg;
			break;
		case 'p':
			r->plugin = optarg;
			ret = plugin_parse(optarg);
			break;
		case 'e':
			strlist_add(&r->events, optarg);
			break;
		case OPT_BUFFER:
			ret = parse_buffer(optarg, &r->buffer_kb);
			break;
		case OPT_DRY_RUN:
			r->dry_run = true;
			break;
		}
	}
	if (ret)
		return ret;
	if (c == OPT_DONE)
		return opt_result ? opt_result : -1;
	if (!r->n)
		add_tracer(r, "all:*");
	return FTM_OK;
}

static int check(struct record *r)
{
	size_t i, k;
	int ret = plugin_ok(r->plugin) ? FTM_OK : FTM_NOKERNEL;

	for (i = 0; !ret && i < r->n; i++) {
		struct rec_tracer *t = &r->t[i];

		if (!tracer_name_ok(t->name))
			return FTM_USAGE;
		for (k = 0; k < i; k++)
			if (!strcmp(t->name, r->t[k].name))
				return ftm_usage("-t %s: given twice", t->name);
		if (r->events.n && !strcmp(t->name, EVENTS))
			return ftm_usage("-t %s: with -e this is the name of the events' buffer",
					 t->name);
		if (!t->given.n)
			return ftm_usage("-t %s: no pattern", t->name);
		ret = patterns_resolve(&t->given, &t->patterns);
	}
	if (!ret && !r->dry_run && system("command -v trace-cmd >/dev/null 2>&1")) {
		ftm_err("trace-cmd is not installed; apt-get install trace-cmd");
		ret = FTM_FAIL;
	}
	return ret;
}

static bool everything(const struct rec_tracer *t)
{
	return t->patterns.n == 1 && !strcmp(t->patterns.v[0], "*");
}

static void build_command(const struct record *r, struct strlist *cmd, int argc, char **argv)
{
	char kb[32];
	size_t i, k;

	/*
	 * -k: the instances go away as a whole.  Without it trace-cmd empties
	 * their filters first, for which all functions are patched and back.
	 */
	strlist_split(cmd, "trace-cmd record -k", " ");
	if (ftm.verbose < 1)
		strlist_add(cmd, "-q");
	strlist_add(cmd, "-o");
	strlist_add(cmd, r->output);
	for (i = 0; i < r->events.n; i++) {
		if (!i) {
			strlist_add(cmd, "-B");
			strlist_add(cmd, EVENTS);
		}
		strlist_add(cmd, "-e");
		strlist_add(cmd, r->events.v[i]);
	}
	snprintf(kb, sizeof(kb), "%ld", r->buffer_kb);
	for (i = 0; i < r->n; i++) {
		strlist_add(cmd, "-B");
		strlist_add(cmd, r->t[i].name);
		strlist_add(cmd, "-p");
		strlist_add(cmd, r->plugin);
		if (r->buffer_kb) {
			strlist_add(cmd, "-b");
			strlist_add(cmd, kb);
		}
		for (k = 0; !everything(&r->t[i]) && k < r->t[i].patterns.n; k++) {
			strlist_add(cmd, "-l");
			strlist_add(cmd, r->t[i].patterns.v[k]);
		}
	}
	if (argc == 0)
		return;
	strlist_add(cmd, "sh");
	strlist_add(cmd, "-c");
	strlist_add(cmd, "f=$1; shift; \"$@\"; s=$?; echo $s >\"$f\"; exit $s");
	strlist_add(cmd, "ftrace-mux");
	strlist_add(cmd, r->status_file);
	for (; argc; argc--)
		strlist_add(cmd, *argv++);
}

static void print_command(const struct strlist *cmd)
{
	size_t i;

	for (i = 0; i < cmd->n; i++) {
		const char *s = cmd->v[i];
		bool plain = *s && !strpbrk(s, " \t\n\"'\\$`*?[](){}<>|&;!#~");

		if (i)
			putchar(' ');
		if (plain) {
			fputs(s, stdout);
			continue;
		}
		putchar('\'');
		for (; *s; s++)
			fputs(*s == '\'' ? "'\\''" : (char[]){ *s, 0 }, stdout);
		putchar('\'');
	}
	putchar('\n');
}

/* Ctrl-C reaches trace-cmd by itself; what comes to us alone is passed on. */
static int wait_for(pid_t pid)
{
	bool terminal = isatty(STDIN_FILENO) && tcgetpgrp(STDIN_FILENO) == getpgrp();
	int status, passed = 0;

	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			return FTM_FAIL;
		if (!ftm_stop || passed++)
			continue;
		if (ftm_stop != SIGINT || !terminal)
			kill(pid, SIGINT);
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int execute(const struct strlist *cmd)
{
	char **argv = xcalloc(cmd->n + 1, sizeof(*argv));
	pid_t pid;
	int ret;

	memcpy(argv, cmd->v, cmd->n * sizeof(*argv));
	fflush(stdout);
	pid = fork();
	if (!pid) {
		/* when we are killed, the recording ends */
		prctl(PR_SET_PDEATHSIG, SIGINT);
		signal(SIGPIPE, SIG_DFL);
		if (ftm.json)
			dup2(STDERR_FILENO, STDOUT_FILENO);
		execvp(argv[0], argv);
		_exit(127);
	}
	ret = pid < 0 ? FTM_FAIL : wait_for(pid);
	free(argv);
	return ret;
}

static bool is_recording(const char *file)
{
	static const char magic[] = { 0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g' };
	char head[sizeof(magic)];
	FILE *f = fopen(file, "re");
	bool res = f && fread(head, sizeof(head), 1, f) == 1 && !memcmp(head, magic, sizeof(magic));

	if (f)
		fclose(f);
	return res;
}

static void report(const struct record *r, long status)
{
	json_t *a = json_array();
	size_t i;

	for (i = 0; i < r->n; i++) {
		struct strlist l = { };

		patterns_matches(&r->t[i].patterns, &l);
		json_array_append_new(a, json_pack("{s:s, s:i}", "name", r->t[i].name,
						   "functions", (int)l.n));
		ftm_info("%s: tracer %s, %zu functions", r->output, r->t[i].name, l.n);
		strlist_free(&l);
	}
	if (ftm.json)
		ftm_print_json(json_pack("{s:s, s:o, s:i}", "file", r->output, "tracers", a,
					 "status", (int)status));
	else
		json_decref(a);
}

/* An old file must not be taken for this recording. */
static int remove_old(const char *file)
{
	struct stat st;

	if (!stat(file, &st) && !S_ISREG(st.st_mode)) {
		ftm_err("%s: is no regular file; trace-cmd cannot record to it", file);
		return FTM_FAIL;
	}
	if (unlink(file) && errno != ENOENT) {
		ftm_err("%s: %s", file, strerror(errno));
		return ftm_exit_errno(errno);
	}
	return FTM_OK;
}

static int run_recording(struct record *r, const struct strlist *cmd, bool command)
{
	struct setup s = { .buffer_kb = r->buffer_kb };
	long status = 0;
	size_t i;
	int ret = FTM_OK, code;

	ret = remove_old(r->output);
	if (ret)
		return ret;
	s.name = EVENTS;
	if (r->events.n)
		ret = instance_create(&s);
	for (i = 0; !ret && i < r->n; i++) {
		s.name = r->t[i].name;
		ret = instance_create(&s);
	}
	if (ret)
		return ret;
	code = execute(cmd);
	if (command)
		status = tfs_read_long(r->status_file, -1);
	unlink(r->status_file);
	if (!is_recording(r->output)) {
		ftm_err("%s: trace-cmd ended with status %d and left no recording", r->output,
			code);
		return FTM_FAIL;
	}
	if (code && status < 0) {
		ftm_err("%s: trace-cmd ended with status %d, the recording may be incomplete",
			r->output, code);
		return FTM_FAIL;
	}
	/* ended by a signal, as it is meant to be */
	if (status < 0)
		status = 0;
	report(r, status);
	return status;
}

static int run(struct record *r, int argc, char **argv)
{
	struct strlist cmd = { };
	char *dflt;
	int ret = cmd_start();

	if (!ret)
		ret = check(r);
	if (ret)
		return ret;
	r->status_file = xasprintf("%s/status-%d", state_dir(), (int)getpid());
	build_command(r, &cmd, argc, argv);
	if (r->dry_run) {
		print_command(&cmd);
	} else {
		dflt = default_get();
		ret = run_recording(r, &cmd, argc > 0);
		state_cleanup();
		default_put_back(dflt);
		free(dflt);
	}
	strlist_free(&cmd);
	return ret;
}

static int cmd_record(int argc, char **argv)
{
	struct record r = { .output = "trace.dat", .plugin = "function" };
	int ret = parse(argc, argv, &r);
	size_t i;

	if (!ret)
		ret = run(&r, argc - optind, argv + optind);
	for (i = 0; i < r.n; i++) {
		free(r.t[i].name);
		strlist_free(&r.t[i].given);
		strlist_free(&r.t[i].patterns);
	}
	free(r.t);
	free(r.status_file);
	strlist_free(&r.events);
	return ret < 0 ? FTM_OK : ret;
}

static const struct ftm_opt opts[] = {
	{ 't', "tracer", "NAME:PATTERN[,PATTERN...]", "a tracer of the recording; may be repeated",
	  "@spec" },
	{ 'o', "output", "FILE", "write to FILE instead of trace.dat", "@file" },
	{ 'p', "plugin", "PLUGIN", "function (default) or function_graph", "@plugin" },
	{ 'e', "event", "EVENT", "record this event too, in a buffer 'events'",
	  "@event" },
	{ OPT_BUFFER, "buffer", "SIZE", "buffer per CPU and tracer, e.g. 512k or 4M", NULL },
	{ OPT_DRY_RUN, "dry-run", NULL, "show the trace-cmd command, run nothing", NULL },
	OPTS_END
};

const struct ftm_cmd record_command = {
	.name = "record",
	.args = "[COMMAND [ARG...]]",
	.comp = "@command @file...",
	.help = "record with several tracers at once through trace-cmd",
	.opts = opts,
	.run = cmd_record,
	.wraps = true,
};
