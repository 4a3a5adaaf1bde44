// SPDX-License-Identifier: GPL-2.0
/* ftrace-mux top [NAME...]: calls per second, and the busiest functions or callers. */
#include <getopt.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include "cli/cli.h"
#include "cli/values.h"
#include "events/metrics.h"
#include "events/sampler.h"
#include "term/term.h"

#define COLLECT_MSEC	100
#define MAX_FUNCTIONS	200

struct screen {
	bool terminal, keys, metrics, typing;
	char typed[64];			/* the filter that is being typed */
	struct termios saved;
	double delay;
	long iterations, functions;	/* 0: no end; as many as fit */
};

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static void screen_begin(struct screen *s)
{
	struct termios raw;

	s->terminal = isatty(STDOUT_FILENO) && !ftm.json && !s->metrics;
	if (!s->terminal)
		return;
	s->keys = isatty(STDIN_FILENO) && tcgetpgrp(STDIN_FILENO) == getpgrp() &&
		  !tcgetattr(STDIN_FILENO, &s->saved);
	if (s->keys) {
		raw = s->saved;
		raw.c_lflag &= ~(ICANON | ECHO);
		tcsetattr(STDIN_FILENO, TCSANOW, &raw);
	}
	fputs("\033[?25l\033[2J", stdout);
}

static void screen_end(struct screen *s)
{
	if (s->keys)
		tcsetattr(STDIN_FILENO, TCSANOW, &s->saved);
	if (s->terminal)
		fputs("\033[?25h\n", stdout);
	fflush(stdout);
}

/* Lets @msec pass; the key that the user pressed, or 0. */
static char wait_key(const struct screen *s, int msec)
{
	struct pollfd fd = { .fd = STDIN_FILENO, .events = POLLIN };
	char c;

	if (!s->keys) {
		usleep(msec * 1000);
		return 0;
	}
	return poll(&fd, 1, msec) > 0 && read(STDIN_FILENO, &c, 1) == 1 ? c : 0;
}

/* A key while a filter is typed: Enter ends it, Escape forgets it. */
static void type_filter(struct top *top, struct screen *s, char key)
{
	size_t len = strlen(s->typed);

	if (key == '\033')
		s->typed[0] = '\0';
	if (key == '\n' || key == '\r' || key == '\033')
		s->typing = false;
	else if ((key == 0x7f || key == '\b') && len)
		s->typed[len - 1] = '\0';
	else if (key > ' ' && key < 0x7f && len + 1 < sizeof(s->typed))
		s->typed[len] = key;
	free(top->filter);
	top->filter = *s->typed ? xstrdup(s->typed) : NULL;
}

/* True to end. */
static bool press(struct top *top, struct screen *s, char key)
{
	if (s->typing) {
		type_filter(top, s, key);
		return false;
	}
	switch (key) {
	case 'b':
		top_count_by(top, (top->by + 1) % BYS);
		break;
	case 's':
		top->sort = (top->sort + 1) % TOP_SORTS;
		break;
	case '/':
		s->typing = true;
		memset(s->typed, 0, sizeof(s->typed));
		break;
	}
	return key == 'q';
}

static void tracer_names(const struct top *top, unsigned long long mask, struct strlist *l)
{
	size_t i;

	for (i = 0; i < top->n; i++)
		if ((mask >> i) & 1)
			strlist_add(l, top->t[i].name);
}

static void clock_text(char *buf, size_t size)
{
	time_t t = time(NULL);
	struct tm tm;

	localtime_r(&t, &tm);
	strftime(buf, size, "%H:%M:%S", &tm);
}

static void print_json(struct top *top, struct top_func **f, size_t n, double secs)
{
	json_t *tracers = json_array(), *funcs = json_array(), *names;
	size_t i, k;

	for (i = 0; i < top->n; i++)
		json_array_append_new(tracers, json_pack("{s:s, s:s, s:f, s:i}", "name",
							 top->t[i].name, "state", top->t[i].state,
							 "calls_per_s", top->t[i].rate, "functions",
							 (int)top->t[i].functions));
	for (i = 0; i < n; i++) {
		struct strlist l = { };

		names = json_array();
		tracer_names(top, f[i]->mask, &l);
		for (k = 0; k < l.n; k++)
			json_array_append_new(names, json_string(l.v[k]));
		strlist_free(&l);
		json_array_append_new(funcs, json_pack("{s:s, s:f, s:o}", by_names[top->by],
						       f[i]->name, "calls_per_s",
						       f[i]->count / secs, "tracers", names));
	}
	ftm_print_json(json_pack("{s:I, s:f, s:i, s:o, s:o}", "time", (json_int_t)time(NULL),
				 "interval_s", secs, "lost", (int)top->lost, "tracers", tracers,
				 top->by ? "callers" : "functions", funcs));
}

/* Write one line per tracer and one for the functions, to a file or a pipe. */
static void print_lines(struct top *top, struct top_func **f, size_t n, double secs)
{
	char t[16];
	size_t i;

	clock_text(t, sizeof(t));
	for (i = 0; i < top->n; i++)
		printf("%s %s %s %.0f calls/s\n", t, top->t[i].name, top->t[i].state,
		       top->t[i].rate);
	for (i = 0; i < n; i++) {
		struct strlist l = { };
		char *names;

		tracer_names(top, f[i]->mask, &l);
		names = strlist_join(&l, ",");
		printf("%s   %s %.0f calls/s %s\n", t, f[i]->name, f[i]->count / secs, names);
		free(names);
		strlist_free(&l);
	}
	if (top->lossy)
		printf("%s   (too many calls: the functions are a sample)\n", t);
}

/* How it is counted and shown, and the keys that change that. */
static void state_line(const struct top *top, const struct screen *s, char *line, size_t size)
{
	if (s->typing)
		snprintf(line, size, "filter: %s_  (Enter keeps it, Esc forgets it)", s->typed);
	else
		snprintf(line, size, "by %s, in order of %s%s%s%s", by_names[top->by],
			 top_sort_names[top->sort], top->filter ? ", filter: " : "",
			 top->filter ? top->filter : "",
			 s->keys ? "  (b by, s sort, / filter, q quit)" : "");
}

static void print_screen(struct top *top, const struct screen *s, struct top_func **f, size_t n,
			 double secs, int cols)
{
	char t[16], line[512], how[256];
	size_t i;

	clock_text(t, sizeof(t));
	snprintf(line, sizeof(line), "ftrace-mux top  %s  %zu tracer%s%s", t, top->n,
		 top->n == 1 ? "" : "s", top->lossy ? "  (functions: a sample)" : "");
	state_line(top, s, how, sizeof(how));
	printf("\033[H%.*s\033[K\n%.*s\033[K\n\033[K\n%s%-20s %-8s %12s %10s%s\033[K\n", cols, line,
	       cols, how, clr("bold"), "TRACER", "STATE", "CALLS/S", "FUNCTIONS", clr("off"));
	for (i = 0; i < top->n; i++) {
		snprintf(line, sizeof(line), "%-20s %-8s %12.0f %10ld", top->t[i].name,
			 top->t[i].state, top->t[i].rate, top->t[i].functions);
		printf("%.*s\033[K\n", cols, line);
	}
	snprintf(line, sizeof(line), "%12s  %-32s %s", "CALLS/S", by_titles[top->by],
		 "TRACERS");
	printf("\033[K\n%s%.*s%s\033[K\n", clr("bold"), cols, line, clr("off"));
	for (i = 0; i < n; i++) {
		struct strlist l = { };
		char *names;

		tracer_names(top, f[i]->mask, &l);
		names = strlist_join(&l, ",");
		snprintf(line, sizeof(line), "%12.0f  %-32s %s", f[i]->count / secs, f[i]->name,
			 names);
		printf("%.*s\033[K\n", cols, line);
		free(names);
		strlist_free(&l);
	}
	fputs("\033[J", stdout);
}

static void print_metrics(const struct top *top, struct top_func *const *f, size_t n, long max,
			  double secs)
{
	struct profile p;

	profile_read(&p);
	metrics_print(top, f, n, max, secs, &p);
	profile_free(&p);
}

static void print(struct top *top, const struct screen *s, double secs)
{
	struct top_func *f[MAX_FUNCTIONS];
	int rows, cols;
	long max = s->functions ? s->functions : 10;
	size_t n;

	term_size(&rows, &cols);
	if (!s->functions && s->terminal)
		max = rows - 8 - (long)top->n > 1 ? rows - 8 - (long)top->n : 1;
	n = top_busiest(top, f, max < MAX_FUNCTIONS ? max : MAX_FUNCTIONS);
	if (s->metrics)
		print_metrics(top, f, n, max, secs);
	else if (ftm.json)
		print_json(top, f, n, secs);
	else if (s->terminal)
		print_screen(top, s, f, n, secs, cols);
	else
		print_lines(top, f, n, secs);
}

static int loop(struct top *top, struct screen *s, char **names, int nr_names)
{
	double start, t;
	bool quit = false;
	int ret = FTM_OK;

	/* getting here took a while: the first interval begins now */
	top_collect(top);
	top_rates(top, 1);
	top_next(top);
	start = now();
	while (!ftm_stop && !quit && !ret) {
		quit = press(top, s, wait_key(s, COLLECT_MSEC));
		top_collect(top);
		t = now();
		if (t - start < s->delay)
			continue;
		top_rates(top, t - start);
		print(top, s, t - start);
		if (fflush(stdout) || ferror(stdout))
			break;
		if (s->iterations && !--s->iterations)
			break;
		ret = top_load(top, names, nr_names);
		top_next(top);
		start = now();
	}
	return ret;
}

static int check_names(int argc, char **argv)
{
	struct tracers ts;
	int i, ret = tracers_load(&ts);

	for (i = ret ? argc : optind; i < argc; i++)
		if (!tracers_find(&ts, argv[i]))
			ret = FTM_FAIL;
	tracers_free(&ts);
	return ret;
}

static int parse_order(int c, struct top *top)
{
	int n = 0, ret = FTM_OK;

	if (c == OPT_BY) {
		ret = parse_choice("--by", optarg, by_names, BYS, &n);
		top->by = n;
	} else if (c == OPT_SORT) {
		ret = parse_choice("--sort", optarg, top_sort_names, TOP_SORTS, &n);
		top->sort = n;
	} else if (!*optarg) {
		ret = ftm_usage("--filter '': no pattern; without the option all are shown");
	} else {
		free(top->filter);
		top->filter = xstrdup(optarg);
	}
	return ret;
}

static int parse(int argc, char **argv, struct screen *s, struct top *top)
{
	int c;

	while ((c = opt_next(argc, argv)) >= 0) {
		if (c == OPT_OPENMETRICS) {
			s->metrics = true;
		} else if (c == OPT_BY || c == OPT_SORT || c == OPT_FILTER) {
			if (parse_order(c, top))
				return FTM_USAGE;
		} else if (c == 'd') {
			if (parse_seconds("--delay", optarg, 0.1, 3600, &s->delay))
				return FTM_USAGE;
		} else if (!parse_num(optarg, 1, 1000000, c == 'n' ? &s->iterations :
				      &s->functions)) {
			return ftm_usage("%s %s: must be a positive number", c == 'n' ?
					 "--iterations" : "--functions", optarg);
		}
	}
	if (c == OPT_DONE)
		return opt_result ? opt_result : -1;
	if (s->metrics && (ftm.json || s->iterations))
		return ftm_usage("--openmetrics: writes once, so not with --json or --iterations");
	if (s->metrics && (top->by || top->sort))
		return ftm_usage("--openmetrics: counts by function, so not with --by or --sort");
	if (s->metrics)
		s->iterations = 1;
	return FTM_OK;
}

static int run(struct top *top, struct screen *s, int argc, char **argv)
{
	int ret = cmd_start();

	if (!ret)
		ret = check_names(argc, argv);
	if (!ret)
		ret = top_load(top, argv + optind, argc - optind);
	if (!ret) {
		screen_begin(s);
		ret = loop(top, s, argv + optind, argc - optind);
		screen_end(s);
	}
	/* Ctrl-C is the way to end it, however early */
	return ftm_stop ? FTM_OK : ret;
}

static int cmd_top(int argc, char **argv)
{
	struct top *top = xcalloc(1, sizeof(*top));
	struct screen s = { .delay = 1 };
	int ret = parse(argc, argv, &s, top);

	if (!ret)
		ret = run(top, &s, argc, argv);
	/* the readers of its buffer must be closed before it can go */
	top_free(top);
	free(top);
	return ret < 0 ? FTM_OK : ret;
}

static const struct ftm_opt opts[] = {
	{ 'd', "delay", "SECONDS", "time between refreshes (default 1)", NULL },
	{ 'n', "iterations", "N", "end after N refreshes", NULL },
	{ OPT_FUNCTIONS, "functions", "N",
	  "show the N busiest functions (default: what fits, or 10)", NULL },
	{ OPT_BY, "by", "WHAT", "count by function (default), process, thread or cpu",
	  "function process thread cpu" },
	{ OPT_SORT, "sort", "COLUMN", "order: calls (default) or name", "calls name" },
	{ OPT_FILTER, "filter", "PATTERN", "show only names with PATTERN in them, or that match it",
	  NULL },
	{ OPT_OPENMETRICS, "openmetrics", NULL, "write once what Prometheus collects, and end",
	  NULL },
	OPTS_END
};

const struct ftm_cmd top_command = {
	.name = "top",
	.args = "[NAME...]",
	.comp = "@tracer...",
	.help = "live: calls per second and the busiest functions",
	.opts = opts,
	.examples =
		"ftrace-mux top\n"
		"ftrace-mux top --by process\n"
		"ftrace-mux top --openmetrics > ftrace-mux.prom\n"
		"ftrace-mux top -d 5 opens files\n",
	.run = cmd_top,
};
