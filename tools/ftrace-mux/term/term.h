/* SPDX-License-Identifier: GPL-2.0 */
/* The terminal: progress, pager, size, tables. */
#ifndef FTM_TERM_H
#define FTM_TERM_H

#include "base/ftm.h"

void progress_begin(const char *fmt, ...) __printf(1, 2);
void progress_end(void);
void progress_step(size_t i, size_t n);	/* 0, 0: all steps are done */
void pager_start(void);
void pager_end(void);
void term_size(int *rows, int *cols);

/* Columns as wide as their contents. */
struct table;

struct table *table_new(const char *const *head, int ncols);
void table_row(struct table *t, ...);		/* ncols strings, NULL = "-" */
void table_hide(struct table *t, int col);
void table_hide_empty(struct table *t);	/* columns without a value */
int table_width(const struct table *t);
void table_print(struct table *t);		/* prints and frees */
void table_free(struct table *t);

#endif
