/* SPDX-License-Identifier: GPL-2.0 */
/* The terminal: progress, pager, size, tables. */
#ifndef FTM_TERM_H
#define FTM_TERM_H

#include "base/ftm.h"

void progress_begin(const char *fmt, ...) __printf(1, 2);
void progress_end(void);
void pager_start(void);
void pager_end(void);
void term_size(int *rows, int *cols);

/* Columns as wide as their contents. */
struct table;

struct table *table_new(const char *const *head, int ncols);
void table_row(struct table *t, ...);		/* ncols strings, NULL = "-" */
void table_print(struct table *t);		/* prints and frees */
void table_free(struct table *t);

#endif
