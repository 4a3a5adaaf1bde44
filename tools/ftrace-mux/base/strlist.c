// SPDX-License-Identifier: GPL-2.0
/* Growing lists of strings. */
#include <stdlib.h>
#include <string.h>
#include "base/ftm.h"

void strlist_addn(struct strlist *l, const char *s, size_t len)
{
	char *copy = xcalloc(1, len + 1);

	memcpy(copy, s, len);
	/* grow at powers of two, so that a list needs no third member */
	if (!(l->n & (l->n - 1)))
		l->v = xrealloc(l->v, (l->n ? l->n * 2 : 1) * sizeof(*l->v));
	l->v[l->n++] = copy;
}

void strlist_add(struct strlist *l, const char *s)
{
	strlist_addn(l, s, strlen(s));
}

static int cmp(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void strlist_sort(struct strlist *l)
{
	if (l->n)
		qsort(l->v, l->n, sizeof(*l->v), cmp);
}

bool strlist_has(const struct strlist *l, const char *s)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		if (!strcmp(l->v[i], s))
			return true;
	return false;
}

bool strlist_has_sorted(const struct strlist *l, const char *s)
{
	return l->n && bsearch(&s, l->v, l->n, sizeof(*l->v), cmp);
}

void strlist_remove(struct strlist *l, const char *s)
{
	struct strlist old = *l;
	size_t i;

	memset(l, 0, sizeof(*l));
	for (i = 0; i < old.n; i++)
		if (strcmp(old.v[i], s))
			strlist_add(l, old.v[i]);
	strlist_free(&old);
}

/* Adds the non-empty fields of @s. */
void strlist_split(struct strlist *l, const char *s, const char *delim)
{
	while (*s) {
		size_t len = strcspn(s, delim);

		if (len)
			strlist_addn(l, s, len);
		s += len;
		s += strspn(s, delim);
	}
}

char *strlist_join(const struct strlist *l, const char *sep)
{
	size_t i, size = 1, seplen = strlen(sep);
	char *res, *p;

	for (i = 0; i < l->n; i++)
		size += strlen(l->v[i]) + seplen;
	res = xcalloc(1, size);
	p = res;
	for (i = 0; i < l->n; i++) {
		if (i)
			p = stpcpy(p, sep);
		p = stpcpy(p, l->v[i]);
	}
	return res;
}

void strlist_free(struct strlist *l)
{
	while (l->n)
		free(l->v[--l->n]);
	free(l->v);
	memset(l, 0, sizeof(*l));
}
