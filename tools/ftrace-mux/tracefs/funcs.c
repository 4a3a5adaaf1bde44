// SPDX-License-Identifier: GPL-2.0
/*
 * The functions that can be traced, in the order of the kernel's indices.
 * tracefs_filter_functions() does not tell the indices, and reads the file for
 * each pattern.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include "term/term.h"
#include "tracefs/funcs.h"
#include "tracefs/tfs.h"

struct func {
	char *name;
	char *module;		/* NULL: in the kernel itself */
};

static struct func *funcs;
static struct func **sorted;
static size_t nr;
static size_t first_module;	/* index; nr: none has functions */
static char *text;		/* what all names point into */

static int cmp(const void *a, const void *b)
{
	return strcmp((*(struct func *const *)a)->name, (*(struct func *const *)b)->name);
}

/* "name" or "name [module]" */
static void parse_line(char *line)
{
	struct func *f;
	char *mod;

	/* realloc at powers of two */
	if (!(nr & (nr - 1)))
		funcs = xrealloc(funcs, (nr ? nr * 2 : 1) * sizeof(*funcs));
	f = &funcs[nr++];
	f->name = line;
	f->module = NULL;
	mod = strchr(line, ' ');
	if (!mod)
		return;
	*mod++ = '\0';
	mod += strspn(mod, " \t");
	if (*mod == '[') {
		f->module = mod + 1;
		mod[strcspn(mod, "]")] = '\0';
	}
}

int funcs_load(void)
{
	char *path, *line, *save = NULL;
	size_t i;

	if (text)
		return FTM_OK;
	path = tfs_path("available_filter_functions");
	progress_begin("reading %s", path);
	text = tfs_read(path);
	progress_end();
	if (!text) {
		int err = errno;
		int ret = err == ENOENT ? FTM_NOKERNEL : tfs_fail("reading", path, err);

		if (err == ENOENT)
			ftm_err("%s: missing: kernel without CONFIG_DYNAMIC_FTRACE", path);
		free(path);
		return ret;
	}
	free(path);
	atexit(funcs_free);
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		parse_line(line);
	for (first_module = 0; first_module < nr && !funcs[first_module].module; first_module++)
		;
	sorted = xcalloc(nr, sizeof(*sorted));
	for (i = 0; i < nr; i++)
		sorted[i] = &funcs[i];
	qsort(sorted, nr, sizeof(*sorted), cmp);
	return FTM_OK;
}

size_t funcs_nr(void)
{
	return nr;
}

bool funcs_has(const char *name)
{
	struct func key = { .name = (char *)name }, *k = &key;

	return nr && bsearch(&k, sorted, nr, sizeof(*sorted), cmp);
}

/* The function whose name looks most like @name; NULL: none does. */
const char *funcs_closest(const char *name)
{
	struct strlist all = { .v = xcalloc(nr, sizeof(*all.v)), .n = nr };
	const char *res;
	size_t i;

	for (i = 0; i < nr; i++)
		all.v[i] = funcs[i].name;
	res = strlist_closest(&all, name);
	free(all.v);
	return res;
}

static bool is_plain(const char *glob)
{
	return !strpbrk(glob, "*?[\\");
}

/* The functions that @glob selects; a number is the index of one. */
struct func_match funcs_match(const char *glob, const char *module, struct strlist *res)
{
	struct func_match m = { };
	bool plain = is_plain(glob);
	long index;
	size_t i;

	if (parse_num(glob, 1, nr, &index) && !module) {
		if (res)
			strlist_add(res, funcs[index - 1].name);
		m.n = 1;
		m.icase = 1;
		return m;
	}
	for (i = 0; i < nr; i++) {
		const struct func *f = &funcs[i];
		bool hit;

		if (module && (!f->module || strcmp(module, f->module)))
			continue;
		hit = plain ? !strcmp(glob, f->name) : !fnmatch(glob, f->name, 0);
		m.n += hit;
		if (hit && res)
			strlist_add(res, f->name);
		m.icase += hit || !(plain ? strcasecmp(glob, f->name) :
				    fnmatch(glob, f->name, FNM_CASEFOLD));
	}
	return m;
}

/* How many functions a filter of @filter but not @notrace selects. */
long funcs_count(const struct strlist *filter, const struct strlist *notrace)
{
	struct strlist no = { };
	long n = 0;
	size_t i;

	for (i = 0; i < notrace->n; i++)
		if (!strchr(notrace->v[i], ':'))
			strlist_add(&no, notrace->v[i]);
	strlist_sort(&no);
	for (i = 0; i < filter->n; i++)
		if (!strchr(filter->v[i], ':') && !strlist_has_sorted(&no, filter->v[i]))
			n++;
	if (!filter->n)
		n = funcs_load() ? -1 : (long)nr - (long)no.n;
	strlist_free(&no);
	return n;
}

/*
 * A stock kernel finds a function by its index at once, by its name only after
 * looking up the names of all.  Indices of functions of the kernel itself are
 * fixed; those after the first module change when a module comes or goes.
 */
bool funcs_indices(const char *name, struct strlist *res)
{
	struct func key = { .name = (char *)name }, *k = &key;
	struct func **hit = nr ? bsearch(&k, sorted, nr, sizeof(*sorted), cmp) : NULL;
	char index[32];

	if (!hit)
		return false;
	while (hit > sorted && !strcmp(hit[-1]->name, name))
		hit--;
	for (; hit < sorted + nr && !strcmp((*hit)->name, name); hit++) {
		size_t i = *hit - funcs;

		if (i >= first_module)
			return false;
		snprintf(index, sizeof(index), "%zu", i + 1);
		strlist_add(res, index);
	}
	return true;
}

/*
 * People write sys_read; since Linux 4.17 the function is __x64_sys_read, on
 * arm64 __arm64_sys_read.  What begins with "sys_" means system calls wherever
 * it matches some, else what it says.  Returns the new spelling, or NULL when
 * @name is right as it is.
 */
char *funcs_syscall(const char *name)
{
	static const char *const prefixes[] = { "__x64_", "__arm64_" };
	char *res;
	size_t i;

	if (strncmp(name, "sys_", 4))
		return NULL;
	for (i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		res = xasprintf("%s%s", prefixes[i], name);
		if (funcs_match(res, NULL, NULL).n)
			return res;
		free(res);
	}
	return NULL;
}

void funcs_free(void)
{
	free(funcs);
	free(sorted);
	free(text);
	funcs = NULL;
	sorted = NULL;
	text = NULL;
	nr = 0;
}
