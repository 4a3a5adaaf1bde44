// SPDX-License-Identifier: GPL-2.0
/* Messages and colours. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/ftm.h"

struct ftm_globals ftm;
void (*ftm_before_message)(void);

static void message(const char *color, const char *kind, const char *fmt, va_list ap)
{
	bool use = isatty(STDERR_FILENO) && ftm_use_color();

	if (ftm_before_message)
		ftm_before_message();
	fflush(stdout);
	fprintf(stderr, "%sftrace-mux: %s%s", use ? color : "", kind, use ? "\033[0m" : "");
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
}

void ftm_err(const char *fmt, ...)
{
	va_list ap, ap2;

	va_start(ap, fmt);
	va_copy(ap2, ap);
	message("\033[31m", "", fmt, ap);
	if (ftm.json) {
		char *text = xvasprintf(fmt, ap2);

		ftm_print_json(json_pack("{s:s}", "error", text));
		free(text);
	}
	va_end(ap2);
	va_end(ap);
}

void ftm_warn(const char *fmt, ...)
{
	va_list ap;

	if (ftm.verbose < 0)
		return;
	va_start(ap, fmt);
	message("\033[33m", "warning: ", fmt, ap);
	va_end(ap);
}

void ftm_note(const char *fmt, ...)
{
	va_list ap;

	if (ftm.verbose < 0)
		return;
	va_start(ap, fmt);
	message("", "", fmt, ap);
	va_end(ap);
}

void ftm_info(const char *fmt, ...)
{
	va_list ap;

	if (ftm.verbose < 1)
		return;
	va_start(ap, fmt);
	message("", "", fmt, ap);
	va_end(ap);
}

int ftm_usage(const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	ftm_err("%s; see ftrace-mux%s%s --help", text, ftm.command ? " " : "",
		ftm.command ? ftm.command : "");
	free(text);
	return FTM_USAGE;
}

int ftm_exit_errno(int err)
{
	return err == EACCES || err == EPERM ? FTM_NOPERM : FTM_FAIL;
}

void ftm_print_json(json_t *j)
{
	json_dumpf(j, stdout, ftm.pretty ? JSON_INDENT(2) : JSON_COMPACT);
	putchar('\n');
	json_decref(j);
}

bool ftm_use_color(void)
{
	const char *term = getenv("TERM");
	const char *no = getenv("NO_COLOR");

	if (ftm.json || ftm.color == COLOR_NO)
		return false;
	if (ftm.color == COLOR_YES)
		return true;
	return isatty(STDOUT_FILENO) && !(no && *no) && term && strcmp(term, "dumb");
}

const char *clr(const char *name)
{
	static const struct {
		const char *name, *seq;
	} seqs[] = {
		{ "off", "\033[0m" }, { "bold", "\033[1m" }, { "dim", "\033[2m" },
		{ "red", "\033[31m" }, { "green", "\033[32m" }, { "yellow", "\033[33m" },
	};
	size_t i;

	for (i = 0; ftm_use_color() && i < ARRAY_SIZE(seqs); i++)
		if (!strcmp(name, seqs[i].name))
			return seqs[i].seq;
	return "";
}

bool parse_num(const char *s, long min, long max, long *res)
{
	char *end;

	errno = 0;
	*res = strtol(s, &end, 10);
	return !errno && end != s && !*end && *res >= min && *res <= max;
}
