// SPDX-License-Identifier: GPL-2.0
/*
 * Names of the kernel's own functions. kallsyms has the symbols in the order
 * of their addresses. Each name is packed as a length and that many bytes, which
 * stand for tokens. kallsyms steps over up to 255 names to find one. Here the
 * search continues from the symbol found last, which is near when records are
 * looked up in their order.
 *
 *   symbols   a ......... b . c ............ d
 *   records    .  .  .     .      .  .        .
 *                 ^ here: the next record has the same symbol or one soon after it
 *
 * Calls: nothing
 */

#include <linux/kallsyms.h>

#include "names.h"
#include "compat_names.h"

/* Search again instead of stepping over more symbols than this */
#define FAR_AWAY	128

/* The symbol found last */
static struct {
	unsigned long	address;
	unsigned int	name;		/* of the first symbol there, in kallsyms_names */
	unsigned int	next;		/* the first symbol after it; 0: none found yet */
	unsigned int	next_name;
} here;

/**
 * ftrace_mux_first_at - the first record at an address or after it
 * @recs: records in the order of their addresses
 * @nr: number of them
 * @ip: the address
 *
 * Return: its index, @nr if there is none.
 */
unsigned int ftrace_mux_first_at(const struct dyn_ftrace *recs, unsigned int nr,
				 unsigned long ip)
{
	unsigned int low = 0;

	while (low < nr) {
		unsigned int mid = low + (nr - low) / 2;

		if (recs[mid].ip < ip)
			low = mid + 1;
		else
			nr = mid;
	}
	return low;
}

/* The packed name at *@name: its length, with *@name moved to its first token */
static unsigned int packed_length(unsigned int *name)
{
	unsigned int len = kallsyms_names[(*name)++];

	return len & 0x80 ? (len & 0x7f) | kallsyms_names[(*name)++] << 7 : len;
}

static unsigned int skip_name(unsigned int name)
{
	unsigned int len = packed_length(&name);

	return name + len;
}

/* The first character of a packed name is the symbol's type; none is too long for KSYM_NAME_LEN */
static unsigned int unpack_name(unsigned int name, char *to)
{
	unsigned int len = packed_length(&name), type = 1;
	const char *start = to;

	for (; len; len--, type = 0) {
		const char *token = kallsyms_token_table + type +
				    kallsyms_token_index[kallsyms_names[name++]];

		while ((*to = *token++))
			to++;
	}
	return to - start;
}

/* The packed name of a symbol: there is a marker for every 256th */
static unsigned int name_of(unsigned int symbol)
{
	unsigned int name = kallsyms_markers[symbol >> 8], i;

	for (i = symbol & 0xff; i; i--)
		name = skip_name(name);
	return name;
}

/* Go to the last symbol that is not after @ip, and then to the first with its address */
static void search(unsigned long ip)
{
	unsigned int low = 0, high = kallsyms_num_syms;

	while (high - low > 1) {
		unsigned int mid = low + (high - low) / 2;

		if (mux_symbol_address(mid) <= ip)
			low = mid;
		else
			high = mid;
	}
	while (low && mux_symbol_address(low - 1) == mux_symbol_address(low))
		low--;

	here.address = mux_symbol_address(low);
	here.name = name_of(low);
	here.next = low + 1;
	here.next_name = skip_name(here.name);
}

static void step(unsigned long ip)
{
	for (; here.next < kallsyms_num_syms; here.next++) {
		unsigned long address = mux_symbol_address(here.next);

		if (address > ip)
			break;
		if (address > here.address) {
			here.address = address;
			here.name = here.next_name;
		}
		here.next_name = skip_name(here.next_name);
	}
}

static void go_to(unsigned long ip)
{
	if (!here.next || ip < here.address ||
	    (here.next + FAR_AWAY < kallsyms_num_syms &&
	     mux_symbol_address(here.next + FAR_AWAY) <= ip))
		search(ip);
	step(ip);
}

/**
 * ftrace_mux_kernel_name - name a function of the kernel
 * @ip: an address for which is_ksym_addr() is true
 * @offset: gets the distance from the symbol
 * @name: gets the name that kallsyms_lookup() gives, at most KSYM_NAME_LEN bytes
 *
 * Return: its length.
 */
unsigned int ftrace_mux_kernel_name(unsigned long ip, unsigned long *offset, char *name)
{
	go_to(ip);
	*offset = ip - here.address;
	return unpack_name(here.name, name);
}

static unsigned char first_of_pair(unsigned char first)
{
	return first * 13;
}

static u64 pair(unsigned char first, unsigned char second)
{
	return BIT_ULL((first_of_pair(first) + second) & 63);
}

/**
 * ftrace_mux_pairs - the neighbouring characters that a pattern cannot do without
 * @pattern: what names are compared with
 *
 * Return: a bit for each pair, where many pairs share one.
 */
u64 ftrace_mux_pairs(const char *pattern)
{
	static const char special[] = "*?[\\";
	u64 pairs = 0;

	/* The pattern is looked at up to its first bracket or backslash only */
	for (; *pattern && !strchr(special + 2, *pattern); pattern++) {
		if (pattern[1] && !strchr(special, pattern[0]) && !strchr(special, pattern[1]))
			pairs |= pair(pattern[0], pattern[1]);
	}
	return pairs;
}

struct token {
	u64		pairs;	/* in it */
	unsigned char	first;
	unsigned char	last;	/* as the first of a pair */
};

/* The tokens of kallsyms, looked at once */
static const struct token *all_tokens(void)
{
	static struct token tokens[256];
	static bool known;
	int i;

	for (i = 0; !known && i < ARRAY_SIZE(tokens); i++) {
		const char *text = kallsyms_token_table + kallsyms_token_index[i];

		tokens[i].first = *text;
		for (; text[0] && text[1]; text++)
			tokens[i].pairs |= pair(text[0], text[1]);
		tokens[i].last = first_of_pair(*text);
	}
	known = true;
	return tokens;
}

/**
 * ftrace_mux_kernel_has - does the name of a function of the kernel have all these pairs?
 * @ip: an address for which is_ksym_addr() is true
 * @pairs: what ftrace_mux_pairs() returned
 */
bool ftrace_mux_kernel_has(unsigned long ip, u64 pairs)
{
	const struct token *tokens = all_tokens(), *token;
	unsigned int name, len;
	unsigned char last = 0;

	go_to(ip);
	name = here.name;
	for (len = packed_length(&name); len; len--) {
		token = &tokens[kallsyms_names[name++]];
		pairs &= ~token->pairs;
		pairs &= ~BIT_ULL((last + token->first) & 63);
		last = token->last;
	}
	return !pairs;
}

/* The symbol at a place in the order of names */
static unsigned int symbol_at(unsigned int place)
{
	const u8 *symbol = &kallsyms_seqs_of_names[3 * place];

	return symbol[0] << 16 | symbol[1] << 8 | symbol[2];
}

static int compare_name(const char *name, unsigned int place)
{
	static char found[KSYM_NAME_LEN];

	unpack_name(name_of(symbol_at(place)), found);
	return strcmp(name, found);
}

/**
 * ftrace_mux_kernel_symbols - where the kernel has symbols of a name
 * @symbols: gets their addresses
 * @name: the name
 *
 * Return: whether these are all of them.
 */
bool ftrace_mux_kernel_symbols(struct ftrace_mux_symbols *symbols, const char *name)
{
	unsigned int low = 0, high = kallsyms_num_syms;

	while (low < high) {
		unsigned int mid = low + (high - low) / 2;

		if (compare_name(name, mid) > 0)
			low = mid + 1;
		else
			high = mid;
	}
	symbols->nr = 0;
	for (; low < kallsyms_num_syms && !compare_name(name, low); low++) {
		if (symbols->nr == ARRAY_SIZE(symbols->address))
			return false;
		symbols->address[symbols->nr++] = mux_symbol_address(symbol_at(low));
	}
	return true;
}
