// SPDX-License-Identifier: GPL-2.0
/*
 * Names of the functions of modules. The symbols of a module are in no order,
 * so that a search has to look at all of them. Here one pass over them finds the
 * names of many records, those of the window.
 *
 * A record of a module is there only as long as the module: a task that holds
 * ftrace_lock and has found one can rely on the module. The init section of a
 * module, symbols included, is freed when the module is initialized: RCU protects it.
 * The window is forgotten when the next walk begins: ftrace_lock may have been dropped
 * in between.
 *
 *   records of the module   r0 r1 | r2 r3 r4 r5 | r6 ...
 *                                   the window: window.symbol[0..3]
 *
 * Calls: names.c
 */

#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/module_symbol.h>

#include "names.h"

static struct {
	const struct dyn_ftrace	*recs;		/* of one memory of one module */
	unsigned int		nr;
	struct module		*mod;
	struct mod_kallsyms	*kallsyms;	/* what follows is about these */
	unsigned int		symbol[512];	/* of each record; 0: none */
} window;

static const char *symbol_name(const struct mod_kallsyms *kallsyms, unsigned int i)
{
	return kallsyms->strtab + kallsyms->symtab[i].st_name;
}

/* ftrace_lock was dropped: anything may have happened to the modules */
void ftrace_mux_forget_modules(void)
{
	window.nr = 0;
}

/*
 * As find_kallsyms_symbol() has it: the symbol that is nearest to the record
 * and not after it, of several at its address the first one.
 */
static void offer_symbol(unsigned int symbol)
{
	const struct mod_kallsyms *kallsyms = window.kallsyms;
	unsigned long value = kallsyms_symbol_value(&kallsyms->symtab[symbol]);
	unsigned int i = 0;
	const char *name;

	if (value > window.recs[0].ip)
		i = ftrace_mux_first_at(window.recs, window.nr, value);
	if (i == window.nr || kallsyms->symtab[symbol].st_shndx == SHN_UNDEF)
		return;
	if (window.symbol[i] &&
	    kallsyms_symbol_value(&kallsyms->symtab[window.symbol[i]]) >= value)
		return;

	name = symbol_name(kallsyms, symbol);
	if (*name && !is_mapping_symbol(name))
		window.symbol[i] = symbol;
}

static bool within_memory(const struct module_memory *memory, unsigned long address)
{
	return address - (unsigned long)memory->base < memory->size;
}

static const struct module_memory *memory_of(const struct module *mod, unsigned long ip)
{
	for_each_mod_mem_type(type) {
		if (within_memory(&mod->mem[type], ip))
			return &mod->mem[type];
	}
	return NULL;
}

/**
 * ftrace_mux_learn_modules - find the names of records of a module
 * @recs: records in the order of their addresses, the first one in a module
 * @nr: number of them
 */
void ftrace_mux_learn_modules(const struct dyn_ftrace *recs, unsigned int nr)
{
	const struct module_memory *memory;
	unsigned int i;

	window.nr = 0;
	guard(preempt_notrace)();
	window.mod = __module_address(recs->ip);
	memory = window.mod ? memory_of(window.mod, recs->ip) : NULL;
	if (!memory)
		return;

	nr = min(nr, ARRAY_SIZE(window.symbol));
	while (!within_memory(memory, recs[nr - 1].ip))
		nr--;
	window.recs = recs;
	window.nr = nr;
	window.kallsyms = rcu_dereference_sched(window.mod->kallsyms);
	memset(window.symbol, 0, nr * sizeof(*window.symbol));
	for (i = 1; i < window.kallsyms->num_symtab; i++) {
		if (within_memory(memory, kallsyms_symbol_value(&window.kallsyms->symtab[i])))
			offer_symbol(i);
	}
	/* A record without a symbol has the one of the record before it */
	for (i = 1; i < nr; i++)
		window.symbol[i] = window.symbol[i] ?: window.symbol[i - 1];
}

/**
 * ftrace_mux_module_name - name a function of a module
 * @ip: the address of a record
 * @offset: gets the distance from the symbol
 * @modname: gets the name of the module
 * @name: gets the name, at most KSYM_NAME_LEN bytes
 *
 * Return: @name, as kallsyms_lookup() would fill it in, or NULL if the record
 * is none of those that ftrace_mux_learn_modules() has found names for.
 */
const char *ftrace_mux_module_name(unsigned long ip, unsigned long *offset,
				   char **modname, char *name)
{
	unsigned int i = ftrace_mux_first_at(window.recs, window.nr, ip);
	const struct mod_kallsyms *kallsyms = window.kallsyms;

	if (i == window.nr || window.recs[i].ip != ip || !window.symbol[i])
		return NULL;

	guard(preempt_notrace)();
	if (rcu_dereference_sched(window.mod->kallsyms) != kallsyms)
		return NULL;
	i = window.symbol[i];
	*offset = ip - kallsyms_symbol_value(&kallsyms->symtab[i]);
	*modname = window.mod->name;
	strscpy(name, symbol_name(kallsyms, i), KSYM_NAME_LEN);
	return name;
}

/**
 * ftrace_mux_module_symbols - where a module has symbols of a name
 * @symbols: gets their addresses
 * @name: the name
 * @ip: an address in the module
 *
 * Return: whether these are all of them.
 */
bool ftrace_mux_module_symbols(struct ftrace_mux_symbols *symbols, const char *name,
			       unsigned long ip)
{
	const struct mod_kallsyms *kallsyms;
	const struct module *mod;
	unsigned int i;

	guard(preempt_notrace)();
	mod = __module_address(ip);
	if (!mod)
		return false;
	symbols->nr = 0;
	kallsyms = rcu_dereference_sched(mod->kallsyms);
	for (i = 1; i < kallsyms->num_symtab; i++) {
		const char *found = symbol_name(kallsyms, i);

		/* What does not fit into a name is not compared */
		if (*found != *name || strncmp(found, name, KSYM_NAME_LEN - 1))
			continue;
		if (symbols->nr == ARRAY_SIZE(symbols->address))
			return false;
		symbols->address[symbols->nr++] = kallsyms_symbol_value(&kallsyms->symtab[i]);
	}
	return true;
}
