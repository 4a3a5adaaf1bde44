// SPDX-License-Identifier: GPL-2.0
/* Tables: columns as wide as their contents, the last one as it comes. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "term/term.h"

struct table {
	int ncols;
	struct strlist cells;	/* the heading, then row after row */
	bool *hidden;		/* columns that are left out */
};

struct table *table_new(const char *const *head, int ncols)
{
	struct table *t = xcalloc(1, sizeof(*t));
	int i;

	t->ncols = ncols;
	t->hidden = xcalloc(ncols, sizeof(*t->hidden));
	for (i = 0; i < ncols; i++)
		strlist_add(&t->cells, head[i]);
	return t;
}

/* Control characters in a name must not reach the terminal. */
static void defuse(char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s < ' ' || *s == 0x7f)
			*s = '?';
}

void table_row(struct table *t, ...)
{
	va_list ap;
	int i;

	va_start(ap, t);
	for (i = 0; i < t->ncols; i++) {
		const char *s = va_arg(ap, const char *);

		strlist_add(&t->cells, s && *s ? s : "-");
		defuse(t->cells.v[t->cells.n - 1]);
	}
	va_end(ap);
}

/* Width on the terminal: UTF-8 continuation bytes take no column. */
static int width(const char *s)
{
	int n = 0;

	for (; *s; s++)
		n += (*s & 0xc0) != 0x80;
	return n;
}

void table_free(struct table *t)
{
	strlist_free(&t->cells);
	free(t->hidden);
	free(t);
}

void table_hide(struct table *t, int col)
{
	t->hidden[col] = true;
}

void table_hide_empty(struct table *t)
{
	size_t i;
	int col;

	for (col = 0; col < t->ncols; col++) {
		for (i = t->ncols + col; i < t->cells.n; i += t->ncols)
			if (strcmp(t->cells.v[i], "-"))
				break;
		t->hidden[col] |= i >= t->cells.n;
	}
}

static int *widths(const struct table *t)
{
	int *w = xcalloc(t->ncols, sizeof(*w));
	size_t i;

	for (i = 0; i < t->cells.n; i++)
		if (width(t->cells.v[i]) > w[i % t->ncols])
			w[i % t->ncols] = width(t->cells.v[i]);
	return w;
}

int table_width(const struct table *t)
{
	int *w = widths(t), col, sum = -2;

	for (col = 0; col < t->ncols; col++)
		if (!t->hidden[col])
			sum += w[col] + 2;
	free(w);
	return sum;
}

void table_print(struct table *t)
{
	int *w = widths(t), last = t->ncols - 1;
	size_t i;

	while (last > 0 && t->hidden[last])
		last--;
	for (i = 0; i < t->cells.n; i++) {
		int col = i % t->ncols;
		bool head = i < (size_t)t->ncols;

		if (head && !col)
			fputs(clr("bold"), stdout);
		if (t->hidden[col])
			continue;
		fputs(t->cells.v[i], stdout);
		if (col < last)
			printf("%*s", w[col] - width(t->cells.v[i]) + 2, "");
		else
			printf("%s\n", head ? clr("off") : "");
	}
	free(w);
	table_free(t);
}
