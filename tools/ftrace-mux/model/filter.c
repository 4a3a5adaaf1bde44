// SPDX-License-Identifier: GPL-2.0
/*
 * Changing set_ftrace_filter and set_ftrace_notrace.
 *
 * The kernel takes a truncating write as "forget the old filter", parses the
 * last word only at close, and reports nothing then.  Therefore all patterns
 * are matched against available_filter_functions first, and a filter of which
 * the kernel took only a part is set back.
 *
 * tracefs_function_filter() matches in either case and knows no '?'; where that
 * makes a difference, or reads the list of functions too often, words are written.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <tracefs.h>
#include "model/filter.h"
#include "term/term.h"
#include "tracefs/funcs.h"
#include "tracefs/tfs.h"

/* "GLOB", "GLOB:mod:MODULE" or ":mod:MODULE"; @module is NULL or allocated. */
static void split_pattern(const char *pat, char **glob, char **module)
{
	const char *mod = strstr(pat, ":mod:");

	*module = NULL;
	*glob = xstrdup(pat);
	if (!mod)
		return;
	(*glob)[mod - pat] = '\0';
	*module = xstrdup(mod + 5);
	if (!**glob) {
		free(*glob);
		*glob = xstrdup("*");
	}
}

/* The words the kernel would take for something other than a pattern. */
static int check_syntax(const char *pat)
{
	const char *mod = strstr(pat, ":mod:");
	const char *colon = strchr(pat, ':');

	if (!*pat || strpbrk(pat, " \t\n#") || strlen(pat) > 250)
		return ftm_usage("'%s' is not a function pattern", pat);
	if (*pat == '!')
		return ftm_usage("'%s': use --remove to take patterns out of a filter", pat);
	if (colon && colon != mod)
		return ftm_usage("'%s' is a command of set_ftrace_filter, not a pattern", pat);
	return FTM_OK;
}

int patterns_parse(const char *option, const char *text, struct strlist *res)
{
	size_t before = res->n;

	strlist_split(res, text, ", \t\n");
	if (res->n > before)
		return FTM_OK;
	return ftm_usage("%s '%s': no pattern; '*' means all functions", option, text);
}

static void no_function(const char *pat, const char *glob)
{
	const char *close = funcs_closest(glob);

	if (close)
		ftm_err("%s: no function matches; did you mean %s?", pat, close);
	else
		ftm_err("%s: no function matches; available_filter_functions has those that can be traced",
			pat);
}

static int resolve_one(const char *pat, struct strlist *out)
{
	char *glob, *module, *other = NULL;
	int ret = check_syntax(pat);

	if (ret)
		return ret;
	split_pattern(pat, &glob, &module);
	if (!module)
		other = funcs_syscall(glob);
	if (other) {
		ftm_note("%s means system calls: %s", glob, other);
		strlist_add(out, other);
	} else if (funcs_match(glob, module, NULL).n) {
		char *full = module ? xasprintf("%s:mod:%s", glob, module) : xstrdup(glob);

		strlist_add(out, full);
		free(full);
	} else {
		no_function(pat, glob);
		ret = FTM_FAIL;
	}
	free(other);
	free(glob);
	free(module);
	return ret;
}

int patterns_resolve(const struct strlist *in, struct strlist *out)
{
	int ret = funcs_load(), one;
	size_t i, n = ret ? 0 : in->n;

	/* all that are wrong are told at once */
	for (i = 0; i < n; i++) {
		one = resolve_one(in->v[i], out);
		ret = ret ? ret : one;
	}
	return ret;
}

/* The functions that @patterns select, sorted, each once. */
void patterns_matches(const struct strlist *patterns, struct strlist *functions)
{
	struct strlist all = { };
	size_t i;

	for (i = 0; i < patterns->n; i++) {
		char *glob, *module;

		split_pattern(patterns->v[i], &glob, &module);
		funcs_match(glob, module, &all);
		free(glob);
		free(module);
	}
	strlist_sort(&all);
	for (i = 0; i < all.n; i++)
		if (!i || strcmp(all.v[i], all.v[i - 1]))
			strlist_add(functions, all.v[i]);
	strlist_free(&all);
}

/* One pattern per line, or several with blanks between them; '#' begins a comment. */
int patterns_read_file(const char *path, struct strlist *res)
{
	char *text = tfs_read(strcmp(path, "-") ? path : "/dev/stdin");
	char *line, *save = NULL;

	if (!text) {
		ftm_err("%s: %s", path, strerror(errno));
		return ftm_exit_errno(errno);
	}
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		line[strcspn(line, "#")] = '\0';
		strlist_split(res, line, " \t\r");
	}
	free(text);
	return FTM_OK;
}

static bool is_notrace(const char *path)
{
	return !strcmp(strrchr(path, '/'), "/set_ftrace_notrace");
}

static char *dir_of(const char *path)
{
	char *dir = xstrdup(path);

	*strrchr(dir, '/') = '\0';
	return dir;
}

/* tracers/NAME has no error_log: its errors are in the top level's. */
static char *error_log_for(const char *path)
{
	char *dir = dir_of(path);
	char *log = tfs_error_log(dir);

	free(dir);
	return log ? log : tfs_error_log(tfs_dir());
}

static int read_lines(const char *path, struct strlist *lines)
{
	char *text = tfs_read(path);
	struct strlist all = { };
	size_t i;

	if (!text)
		return tfs_fail("reading", path, errno);
	strlist_split(&all, text, "\n");
	for (i = 0; i < all.n; i++)
		if (all.v[i][0] != '#')
			strlist_add(lines, all.v[i]);
	strlist_free(&all);
	free(text);
	return FTM_OK;
}

/*
 * Words as they are, each in one write() and ended by a blank, so that the
 * kernel parses it there and not at close.
 */
int filter_write_words(const char *path, const struct strlist *words, const char *prefix,
		       int flags)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | flags);
	int err = 0;
	size_t i;

	if (fd < 0)
		return -1;
	for (i = 0; i < words->n && !err && !ftm_stop; i++) {
		char *s = xasprintf("%s%s ", prefix, words->v[i]);

		if (write(fd, s, strlen(s)) < 0)
			err = errno;
		free(s);
	}
	if (ftm_stop && !err)
		err = EINTR;
	if (close(fd) && !err)
		err = errno;
	errno = err;
	return err ? -1 : 0;
}

/* Does libtracefs mean the same by all @patterns as the kernel? */
static bool suits_libtracefs(const char *path, const struct strlist *patterns)
{
	size_t i;

	/* it reads available_filter_functions anew for each pattern */
	if (!strstr(path, "/set_ftrace_") || patterns->n > 16)
		return false;
	for (i = 0; i < patterns->n; i++) {
		char *glob, *module;
		struct func_match m;

		split_pattern(patterns->v[i], &glob, &module);
		m = funcs_match(glob, module, NULL);
		if (strpbrk(glob, "?[]\\^$+(){}|") || strspn(glob, "0123456789") == strlen(glob))
			m.icase = 0;
		free(glob);
		free(module);
		if (m.n != m.icase)
			return false;
	}
	return true;
}

static int write_libtracefs(const char *path, const struct strlist *patterns, bool reset)
{
	char *dir = dir_of(path);
	struct tracefs_instance *inst = tracefs_instance_alloc(dir, NULL);
	size_t i;
	int ret = inst ? 0 : -1;

	for (i = 0; i < patterns->n && !ret && !ftm_stop; i++) {
		unsigned int flags = (i || !reset ? 0 : TRACEFS_FL_RESET) |
			(i + 1 < patterns->n ? TRACEFS_FL_CONTINUE : 0);
		char *glob, *module;

		split_pattern(patterns->v[i], &glob, &module);
		ret = is_notrace(path) ? tracefs_function_notrace(inst, glob, module, flags) :
				 tracefs_function_filter(inst, glob, module, flags);
		free(glob);
		free(module);
	}
	if (ftm_stop && !ret) {
		errno = EINTR;
		ret = -1;
	}
	if (inst) {
		int err = errno;

		/* closes, and thereby commits, what is still open */
		tracefs_instance_free(inst);
		errno = err;
	}
	free(dir);
	return ret ? -1 : 0;
}

/* "name [module]", as the kernel prints it, is "name:mod:module" to it. */
static char *module_word(const char *line)
{
	const char *mod = strstr(line, " [");
	char *s;

	if (!mod)
		return xstrdup(line);
	s = xasprintf("%.*s:mod:%s", (int)(mod - line), line, mod + 2);
	s[strcspn(s, "]")] = '\0';
	return s;
}

/* Lines as the kernel prints them, as the words it reads fastest. */
static void lines_to_words(const struct strlist *lines, struct strlist *words)
{
	size_t i, k;

	for (i = 0; i < lines->n; i++) {
		struct strlist indices = { };
		char *s = module_word(lines->v[i]);

		if (funcs_indices(lines->v[i], &indices))
			for (k = 0; k < indices.n; k++)
				strlist_add(words, indices.v[k]);
		else
			strlist_add(words, s);
		strlist_free(&indices);
		free(s);
	}
}

static int write_patterns(const char *path, const struct strlist *patterns, int flags)
{
	struct strlist words = { };
	int ret, err;

	lines_to_words(patterns, &words);
	ret = filter_write_words(path, &words, "", flags);
	err = errno;
	strlist_free(&words);
	errno = err;
	return ret;
}

static int set_lines(const char *path, const struct strlist *lines)
{
	int stop = ftm_stop, ret, err;

	ftm_stop = 0;		/* what is taken back is taken back */
	if (lines->n)
		funcs_load();
	ret = write_patterns(path, lines, O_TRUNC);
	err = errno;
	if (!ftm_stop)
		ftm_stop = stop;
	errno = err;
	return ret;
}

static int report(const char *path, int err, const char *log_before)
{
	char *log = error_log_for(path);

	if (log && (!log_before || strcmp(log, log_before)))
		ftm_err("setting: %s: %s; the old filter is in place; error_log: %s", path,
			strerror(err), log);
	else if (err == EINTR)
		ftm_err("setting: %s: interrupted; the old filter is in place", path);
	else
		tfs_fail("setting", path, err);
	free(log);
	return ftm_exit_errno(err);
}

/* Nothing may be removed that is not there, and not everything: see below. */
static int check_remove(const char *path, const struct strlist *patterns,
			const struct strlist *old)
{
	bool notrace = is_notrace(path);
	struct strlist gone = { };
	size_t i, left = 0, hit = 0;

	patterns_matches(patterns, &gone);
	for (i = 0; i < old->n; i++) {
		char *name = xstrdup(old->v[i]);

		name[strcspn(name, " ")] = '\0';
		if (strlist_has_sorted(&gone, name))
			hit++;
		else
			left++;
		free(name);
	}
	strlist_free(&gone);
	if (!old->n && !notrace) {
		ftm_err("%s: the filter is empty, all functions are selected; use notrace to leave some out",
			path);
		return FTM_FAIL;
	}
	if (!hit) {
		ftm_err("%s: none of these functions is in it; nothing changed", path);
		return FTM_FAIL;
	}
	if (!left && !notrace) {
		ftm_err("%s: this would empty the filter, which selects all functions; use --clear if you mean that",
			path);
		return FTM_FAIL;
	}
	return FTM_OK;
}

int filter_change(const char *path, const struct strlist *patterns, enum filter_mode mode)
{
	char *log = error_log_for(path);
	struct strlist old = { };
	int ret = read_lines(path, &old), err;

	if (!ret && mode == FILTER_REMOVE)
		ret = check_remove(path, patterns, &old);
	if (ret)
		goto out;
	progress_begin("setting %s", path);
	errno = 0;
	if (mode == FILTER_REMOVE)
		ret = filter_write_words(path, patterns, "!", O_APPEND);
	else if (suits_libtracefs(path, patterns))
		ret = write_libtracefs(path, patterns, mode == FILTER_SET);
	else
		ret = write_patterns(path, patterns, mode == FILTER_SET ? O_TRUNC : O_APPEND);
	err = errno ? errno : EINVAL;
	progress_end();
	if (ret) {
		set_lines(path, &old);
		ret = report(path, err, log);
	}
out:
	strlist_free(&old);
	free(log);
	return ret;
}

int filter_clear(const char *path)
{
	int ret;

	progress_begin("clearing %s", path);
	ret = tfs_write(path, "");
	progress_end();
	return ret ? tfs_fail("clearing", path, errno) : FTM_OK;
}

int filter_restore(const char *path, const struct strlist *lines)
{
	int ret;

	progress_begin("setting %s", path);
	ret = set_lines(path, lines);
	progress_end();
	return ret ? tfs_fail("setting", path, errno) : FTM_OK;
}
