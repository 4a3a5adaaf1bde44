// SPDX-License-Identifier: GPL-2.0
/*
 * A part of kernel/trace/ftrace.c, which includes this file at its end: the records
 * that a filter can match, and their names. ftrace compares these names itself.
 *
 *   "vfs_read"   the records at the symbols of this name
 *   "*read*"     the records whose symbols have the pairs re, ea, ad
 *
 * Calls: names.c module_names.c
 */

#ifdef CONFIG_FTRACE_MUX

/*
 * Where an architecture does not say how far from its symbol a call site may be, what
 * is left of a weak function has the name of the symbol before it: several records have
 * one name, and a search by symbol would find one of them.
 */
#ifdef FTRACE_MCOUNT_MAX_OFFSET
# define MUX_MAX_OFFSET		FTRACE_MCOUNT_MAX_OFFSET
#else
# define MUX_MAX_OFFSET		ULONG_MAX
#endif

/* The current search */
static struct {
	struct ftrace_page		*pg;
	struct dyn_ftrace		*rec;	/* the last one; NULL: none of the page yet */
	const char			*name;	/* NULL: a pattern */
	bool				kernel;	/* the page has functions of the kernel */
	bool				some;	/* only those at the symbols */
	struct ftrace_mux_symbols	symbols; /* of the name, of the page's kernel or module */
	u64				pairs;	/* of characters that a name must have */
} mux_search;

static struct ftrace_page *mux_page_of(unsigned long ip)
{
	struct ftrace_page *pg;

	for (pg = ftrace_pages_start; pg; pg = pg->next) {
		if (pg->index && ip >= pg->records[0].ip && ip <= pg->records[pg->index - 1].ip)
			return pg;
	}
	return NULL;
}

/* Find the names of the record and of those after it in its page */
static void mux_learn_modules(unsigned long ip)
{
	struct ftrace_page *pg = mux_page_of(ip);
	unsigned int i;

	if (!pg)
		return;
	i = ftrace_mux_first_at(pg->records, pg->index, ip);
	ftrace_mux_learn_modules(pg->records + i, pg->index - i);
}

/**
 * ftrace_mux_lookup - kallsyms_lookup() for records, best in their order
 * @ip: the address of a record
 * @size: not used
 * @offset: gets the distance from the symbol
 * @modname: gets the name of the module, or NULL
 * @name: gets the name, at most KSYM_NAME_LEN bytes
 *
 * Context: ftrace_lock held since ftrace_mux_start() or ftrace_mux_first_match().
 * Return: @name, or NULL if there is none.
 */
const char *ftrace_mux_lookup(unsigned long ip, unsigned long *size, unsigned long *offset,
			      char **modname, char *name)
{
	if (ftrace_mux_module_name(ip, offset, modname, name))
		return name;
	if (is_ksym_addr(ip)) {
		*modname = NULL;
		return ftrace_mux_kernel_name(ip, offset, name) ? name : NULL;
	}
	mux_learn_modules(ip);
	return ftrace_mux_module_name(ip, offset, modname, name) ?:
	       kallsyms_lookup(ip, NULL, offset, modname, name);
}

/**
 * ftrace_mux_print_rec - print_rec(), straight into the buffer where it has room
 * @m: where to
 * @ip: the address of a record
 *
 * Context: as ftrace_mux_lookup().
 * Return: 0, or -1 for a function that has no name.
 */
int ftrace_mux_print_rec(struct seq_file *m, unsigned long ip)
{
	unsigned long offset;
	unsigned int len;
	char *name;

	if (!is_ksym_addr(ip) || seq_get_buf(m, &name) < KSYM_NAME_LEN)
		return print_rec(m, ip);
	len = ftrace_mux_kernel_name(ip, &offset, name);
	if (!len || offset > MUX_MAX_OFFSET)
		return print_rec(m, ip);
	seq_commit(m, len);
	return 0;
}

/**
 * ftrace_mux_start - skip the records before the position of a file
 * @iter: of the file, at the first record
 * @pos: number of the record
 *
 * Return: how many have been skipped. None for a file that does not list all records.
 */
loff_t ftrace_mux_start(struct ftrace_iterator *iter, loff_t pos)
{
	loff_t before = 0;

	lockdep_assert_held(&ftrace_lock);
	ftrace_mux_forget_modules();
	if (iter->flags & (FTRACE_ITER_FILTER | FTRACE_ITER_NOTRACE |
			   FTRACE_ITER_ENABLED | FTRACE_ITER_TOUCHED))
		return 0;

	while (iter->pg->next && before + iter->pg->index <= pos) {
		before += iter->pg->index;
		iter->pg = iter->pg->next;
	}
	iter->idx = min_t(loff_t, pos - before, iter->pg->index);
	return before + iter->idx;
}

/**
 * ftrace_mux_first_match - start a search for the records that match
 * @glob: what the names of the functions are compared with
 *
 * Context: ftrace_lock held until the end of the search.
 */
void ftrace_mux_first_match(const struct ftrace_glob *glob)
{
	lockdep_assert_held(&ftrace_lock);
	ftrace_mux_forget_modules();
	mux_search.pg = ftrace_pages_start;
	mux_search.rec = NULL;
	mux_search.name = glob->type == MATCH_FULL && glob->len ? glob->search : NULL;
	mux_search.pairs = ftrace_mux_pairs(glob->search ?: "");
	mux_search.kernel = false;
}

/* Begin with a page. The pages of the kernel's own functions share their symbols */
static void mux_search_page(unsigned long ip)
{
	bool known = mux_search.kernel;

	mux_search.kernel = is_ksym_addr(ip);
	if (!mux_search.name || MUX_MAX_OFFSET == ULONG_MAX)
		mux_search.some = false;
	else if (!mux_search.kernel)
		mux_search.some = ftrace_mux_module_symbols(&mux_search.symbols,
							    mux_search.name, ip);
	else if (!known)
		mux_search.some = ftrace_mux_kernel_symbols(&mux_search.symbols,
							    mux_search.name);
}

/* The first record at @ip or after it that can be at one of the symbols */
static struct dyn_ftrace *mux_next_at_symbol(struct ftrace_page *pg, unsigned long ip)
{
	struct dyn_ftrace *end = pg->records + pg->index, *next = end, *rec;
	unsigned int i;

	for (i = 0; i < mux_search.symbols.nr; i++) {
		unsigned long symbol = mux_search.symbols.address[i];

		rec = pg->records + ftrace_mux_first_at(pg->records, pg->index, max(ip, symbol));
		if (rec < next && rec->ip - symbol <= MUX_MAX_OFFSET)
			next = rec;
	}
	return next < end ? next : NULL;
}

/* The first record at @rec or after it whose name has the pairs */
static struct dyn_ftrace *mux_next_with_pairs(struct ftrace_page *pg, struct dyn_ftrace *rec)
{
	for (; rec < pg->records + pg->index; rec++) {
		if (!mux_search.kernel || ftrace_mux_kernel_has(rec->ip, mux_search.pairs))
			return rec;
		if (need_resched())
			cond_resched();
	}
	return NULL;
}

static struct dyn_ftrace *mux_next_in_page(struct ftrace_page *pg, struct dyn_ftrace *rec)
{
	if (!pg->index)
		return NULL;
	if (!rec)
		mux_search_page(pg->records[0].ip);
	if (mux_search.some)
		return mux_next_at_symbol(pg, rec ? rec->ip + 1 : 0);
	return mux_next_with_pairs(pg, rec ? rec + 1 : pg->records);
}

/**
 * ftrace_mux_next_match - the next record that can match
 * @pg: gets its page
 *
 * Return: the record, or NULL at the end of the search.
 */
struct dyn_ftrace *ftrace_mux_next_match(struct ftrace_page **pg)
{
	for (; mux_search.pg; mux_search.pg = mux_search.pg->next) {
		mux_search.rec = mux_next_in_page(mux_search.pg, mux_search.rec);
		if (mux_search.rec)
			break;
	}
	*pg = mux_search.pg;
	return mux_search.rec;
}

#endif /* CONFIG_FTRACE_MUX */
