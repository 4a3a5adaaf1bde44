// SPDX-License-Identifier: GPL-2.0
/* "Did you mean": the word that takes the fewest changes. */
#include <stdlib.h>
#include <string.h>
#include "base/ftm.h"

static size_t min3(size_t a, size_t b, size_t c)
{
	return a < b ? (a < c ? a : c) : b < c ? b : c;
}

/* Letters to put in, take out, replace, or swap with the next one. */
static size_t distance(const char *a, const char *b)
{
	size_t la = strlen(a), lb = strlen(b), w = lb + 1, i, k, res;
	size_t *d = xcalloc((la + 1) * w, sizeof(*d));

	for (i = 0; i <= la; i++)
		d[i * w] = i;
	for (k = 0; k <= lb; k++)
		d[k] = k;
	for (i = 1; i <= la; i++)
		for (k = 1; k <= lb; k++) {
			size_t *at = &d[i * w + k];

			*at = min3(at[-w] + 1, at[-1] + 1, at[-w - 1] + (a[i - 1] != b[k - 1]));
			if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1] &&
			    d[(i - 2) * w + k - 2] + 1 < *at)
				*at = d[(i - 2) * w + k - 2] + 1;
		}
	res = d[la * w + lb];
	free(d);
	return res;
}

const char *strlist_closest(const struct strlist *l, const char *word)
{
	size_t i, d, best = strlen(word) < 4 ? 2 : 3;
	const char *res = NULL;

	if (strlen(word) > 100)
		return NULL;
	for (i = 0; i < l->n; i++) {
		size_t len = strlen(l->v[i]), more = len > strlen(word) ? len - strlen(word) :
			strlen(word) - len;

		if (more >= best)	/* as many changes at least */
			continue;
		d = distance(word, l->v[i]);
		if (d < best && d < strlen(l->v[i])) {
			best = d;
			res = l->v[i];
		}
	}
	return res;
}
