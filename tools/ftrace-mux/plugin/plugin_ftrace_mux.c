// SPDX-License-Identifier: GPL-2.0
/*
 * libtraceevent plugin for the events of the function tracing multiplexer:
 * shows masks with the names of the tracers.
 *
 * Which tracer has which ID is learnt from the mux_tracer_register events, each
 * valid from its time on, so that the order of printing does not matter.
 * Tracers registered before the recording began are unknown to it, unless
 * told: trace-cmd report -O ftrace_mux:names=0=trace,1=foo
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <event-parse.h>

#define SYSTEM	"ftrace_mux"

struct naming {
	unsigned long long ts;
	int id;
	char *name;
};

static struct naming *namings;
static size_t nr_namings;

/* An option that has no value at first would be taken for a boolean one. */
static struct tep_plugin_option options[] = {
	{
		.name = "names",
		.plugin_alias = SYSTEM,
		.description = "Names of IDs before the trace: ID=NAME[,ID=NAME...]",
		.value = "",
	},
	{
		.name = NULL,
	}
};

/* Sorted by time; an event may be printed more than once. */
static void learn(unsigned long long ts, int id, const char *name)
{
	struct naming *tmp;
	size_t i;

	for (i = nr_namings; i > 0 && namings[i - 1].ts >= ts; i--)
		if (namings[i - 1].ts == ts && namings[i - 1].id == id)
			return;
	tmp = realloc(namings, (nr_namings + 1) * sizeof(*namings));
	if (!tmp)
		return;
	namings = tmp;
	memmove(&namings[i + 1], &namings[i], (nr_namings - i) * sizeof(*namings));
	namings[i].ts = ts;
	namings[i].id = id;
	namings[i].name = strdup(name);
	nr_namings++;
}

static int told(struct trace_seq *s, int id)
{
	const char *p = options[0].value;

	while (p && *p) {
		char *end;
		long nr = strtol(p, &end, 10);
		int len;

		if (*end != '=')
			return 0;
		len = strcspn(end + 1, ",");
		if (nr == id) {
			trace_seq_printf(s, "%.*s", len, end + 1);
			return 1;
		}
		p = end + 1 + len;
		p += *p == ',';
	}
	return 0;
}

static void print_id(struct trace_seq *s, int id, unsigned long long ts)
{
	size_t i;

	for (i = nr_namings; i > 0; i--)
		if (namings[i - 1].id == id && namings[i - 1].ts <= ts && namings[i - 1].name) {
			trace_seq_puts(s, namings[i - 1].name);
			return;
		}
	if (!told(s, id))
		trace_seq_printf(s, "#%d", id);
}

static const char *get_name(struct tep_event *event, struct tep_record *record,
			    char *buf, size_t size)
{
	int len = 0;
	char *str = tep_get_field_raw(NULL, event, "name", record, &len, 1);

	snprintf(buf, size, "%.*s", str ? len : 1, str ? str : "?");
	return buf;
}

static int register_handler(struct trace_seq *s, struct tep_record *record,
			    struct tep_event *event, void *context)
{
	unsigned long long id = 0;
	char name[256];

	if (tep_get_field_val(s, event, "id", record, &id, 1))
		return -1;
	get_name(event, record, name, sizeof(name));
	if (context && (int)id >= 0)
		learn(record->ts, (int)id, name);
	if ((int)id < 0)
		trace_seq_printf(s, "%s id=none", name);
	else
		trace_seq_printf(s, "%s id=%d", name, (int)id);
	return 0;
}

static int default_handler(struct trace_seq *s, struct tep_record *record,
			   struct tep_event *event, void *context)
{
	char name[256];

	(void)context;
	trace_seq_puts(s, get_name(event, record, name, sizeof(name)));
	return 0;
}

static int retarget_handler(struct trace_seq *s, struct tep_record *record,
			    struct tep_event *event, void *context)
{
	unsigned long long sites, redirects, waits, ns, mask;
	const char *comma = "";
	int i;

	(void)context;
	if (tep_get_field_val(s, event, "sites", record, &sites, 1) ||
	    tep_get_field_val(s, event, "redirects", record, &redirects, 1) ||
	    tep_get_field_val(s, event, "waits", record, &waits, 1) ||
	    tep_get_field_val(s, event, "ns", record, &ns, 1) ||
	    tep_get_field_val(s, event, "mask", record, &mask, 1))
		return -1;
	trace_seq_printf(s, "sites=%llu redirects=%llu waits=%llu ", sites, redirects, waits);
	trace_seq_printf(s, "time=%llu.%03lluus tracers=0x%02llx {", ns / 1000, ns % 1000, mask);
	for (i = 0; i < 32; i++) {
		if (!(mask & (1ULL << i)))
			continue;
		trace_seq_puts(s, comma);
		print_id(s, i, record->ts);
		comma = ",";
	}
	trace_seq_puts(s, "}");
	return 0;
}

static const struct {
	const char *event;
	tep_event_handler_func fn;
	void *context;
} handlers[] = {
	{ "mux_tracer_register", register_handler, options },
	{ "mux_tracer_unregister", register_handler, NULL },
	{ "mux_default_tracer", default_handler, NULL },
	{ "mux_retarget", retarget_handler, NULL },
};

int TEP_PLUGIN_LOADER(struct tep_handle *tep)
{
	size_t i;

	tep_plugin_add_options(SYSTEM, options);
	for (i = 0; i < sizeof(handlers) / sizeof(handlers[0]); i++)
		tep_register_event_handler(tep, -1, SYSTEM, handlers[i].event, handlers[i].fn,
					   handlers[i].context);
	return 0;
}

void TEP_PLUGIN_UNLOADER(struct tep_handle *tep)
{
	size_t i;

	for (i = 0; i < sizeof(handlers) / sizeof(handlers[0]); i++)
		tep_unregister_event_handler(tep, -1, SYSTEM, handlers[i].event, handlers[i].fn,
					     handlers[i].context);
	tep_plugin_remove_options(options);
	while (nr_namings)
		free(namings[--nr_namings].name);
	free(namings);
	namings = NULL;
}
