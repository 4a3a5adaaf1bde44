/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_KERNEL_FTRACE_MUX_NAMES_H
#define _LINUX_KERNEL_FTRACE_MUX_NAMES_H

#include <linux/ftrace.h>
#include <linux/kallsyms.h>

/*
 * Names of functions for filters and files of ftrace: the same that
 * kallsyms_lookup() gives, but the records and the symbols of the kernel come
 * in the order of their addresses, so that one is walked together with the other.
 *
 * Everything here is protected by ftrace_lock.
 */

struct ftrace_glob;
struct ftrace_iterator;
struct ftrace_page;
struct seq_file;

#ifdef CONFIG_FTRACE_MUX

/* Addresses of symbols of one name, as far as there is room for them */
struct ftrace_mux_symbols {
	unsigned int	nr;
	unsigned long	address[32];
};

/* names.c */
unsigned int ftrace_mux_first_at(const struct dyn_ftrace *recs, unsigned int nr,
				 unsigned long ip);
unsigned int ftrace_mux_kernel_name(unsigned long ip, unsigned long *offset, char *name);
u64 ftrace_mux_pairs(const char *pattern);
bool ftrace_mux_kernel_has(unsigned long ip, u64 pairs);
bool ftrace_mux_kernel_symbols(struct ftrace_mux_symbols *symbols, const char *name);

/* module_names.c */
#ifdef CONFIG_MODULES
void ftrace_mux_forget_modules(void);
void ftrace_mux_learn_modules(const struct dyn_ftrace *recs, unsigned int nr);
const char *ftrace_mux_module_name(unsigned long ip, unsigned long *offset,
				   char **modname, char *name);
bool ftrace_mux_module_symbols(struct ftrace_mux_symbols *symbols, const char *name,
			       unsigned long ip);
#else
static inline void ftrace_mux_forget_modules(void) { }
static inline void ftrace_mux_learn_modules(const struct dyn_ftrace *recs, unsigned int nr) { }
static inline const char *ftrace_mux_module_name(unsigned long ip, unsigned long *offset,
						 char **modname, char *name)
{
	return NULL;
}

static inline bool ftrace_mux_module_symbols(struct ftrace_mux_symbols *symbols,
					     const char *name, unsigned long ip)
{
	return false;
}
#endif

/* match.c, a part of kernel/trace/ftrace.c */
const char *ftrace_mux_lookup(unsigned long ip, unsigned long *size, unsigned long *offset,
			      char **modname, char *name);
int ftrace_mux_print_rec(struct seq_file *m, unsigned long ip);
loff_t ftrace_mux_start(struct ftrace_iterator *iter, loff_t pos);
void ftrace_mux_first_match(const struct ftrace_glob *glob);
struct dyn_ftrace *ftrace_mux_next_match(struct ftrace_page **pg);

/* The records that can match, in their order */
#define do_for_each_ftrace_match(pg, rec, glob)				\
	for (ftrace_mux_first_match(glob); ((rec) = ftrace_mux_next_match(&(pg))); )
#define while_for_each_ftrace_match()	do { } while (0)

#else /* !CONFIG_FTRACE_MUX */

#define ftrace_mux_lookup		kallsyms_lookup
#define ftrace_mux_print_rec		print_rec
#define ftrace_mux_start(...)		0
#define do_for_each_ftrace_match(pg, rec, ...)	do_for_each_ftrace_rec(pg, rec)
#define while_for_each_ftrace_match()	while_for_each_ftrace_rec()

#endif /* CONFIG_FTRACE_MUX */

#endif /* _LINUX_KERNEL_FTRACE_MUX_NAMES_H */
