/* SPDX-License-Identifier: GPL-2.0 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM ftrace_mux

#if !defined(_TRACE_FTRACE_MUX_EVENTS_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRACE_FTRACE_MUX_EVENTS_H

#include <linux/tracepoint.h>

DECLARE_EVENT_CLASS(ftrace_mux_tracer,

	TP_PROTO(const char *name, int id),

	TP_ARGS(name, id),

	TP_STRUCT__entry(
		__string(name, name)
		__field(int, id)
	),

	TP_fast_assign(
		__assign_str(name);
		__entry->id = id;
	),

	/* ID -1: the tracer has none */
	TP_printk("name=%s id=%d", __get_str(name), __entry->id)
);

/* A named tracer has been registered */
DEFINE_EVENT(ftrace_mux_tracer, mux_tracer_register,

	TP_PROTO(const char *name, int id),

	TP_ARGS(name, id)
);

/* A named tracer is being unregistered */
DEFINE_EVENT(ftrace_mux_tracer, mux_tracer_unregister,

	TP_PROTO(const char *name, int id),

	TP_ARGS(name, id)
);

/* Another tracer has become the default */
TRACE_EVENT(mux_default_tracer,

	TP_PROTO(const char *name),

	TP_ARGS(name),

	TP_STRUCT__entry(
		__string(name, name)
	),

	TP_fast_assign(
		__assign_str(name);
	),

	TP_printk("name=%s", __get_str(name))
);

/*
 * Functions have got other tracers. Reports how many call sites were patched and
 * how many stubs were redirected, how many grace periods that took, the time, and the
 * IDs that patched call sites called before or call now, or that stubs got or lost
 */
TRACE_EVENT(mux_retarget,

	TP_PROTO(unsigned long sites, u32 redirects, u32 waits, u64 ns, u32 mask),

	TP_ARGS(sites, redirects, waits, ns, mask),

	TP_STRUCT__entry(
		__field(unsigned long, sites)
		__field(u64, ns)
		__field(u32, redirects)
		__field(u32, waits)
		__field(u32, mask)
	),

	TP_fast_assign(
		__entry->sites = sites;
		__entry->ns = ns;
		__entry->redirects = redirects;
		__entry->waits = waits;
		__entry->mask = mask;
	),

	TP_printk("sites=%lu redirects=%u waits=%u ns=%llu mask=0x%02x",
		  __entry->sites, __entry->redirects, __entry->waits,
		  __entry->ns, __entry->mask)
);

#endif /* _TRACE_FTRACE_MUX_EVENTS_H */

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE events
#include <trace/define_trace.h>
