/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_KERNEL_FTRACE_MUX_PAUSED_H
#define _LINUX_KERNEL_FTRACE_MUX_PAUSED_H

/*
 * Early return from the callbacks of function and function_graph while their trace
 * array is paused: tracing_on is 0. Included at the end of trace.h.
 *
 * Whether events are recorded is a bit inside the ring buffer. trace_array::recording
 * mirrors it as FTRACE_MUX_PAUSED, next to the bit that says that the function tracer
 * runs, so that one comparison answers both.
 *
 * Code that switches tracing off sets FTRACE_MUX_PAUSED and then switches the buffer
 * off; code that switches it on switches the buffer on and then clears the bit. Many
 * tasks may do that at once, and an NMI in the middle of it: the last one that
 * switches the buffer on clears the bit afterwards, and each one that set the bit did
 * so before it switched the buffer off. So the bit never stays set while the buffer
 * is on, and the next call is recorded. It may be left clear while the buffer is off:
 * then the buffer refuses the event.
 */

#ifdef CONFIG_FTRACE_MUX

/* Bits of trace_array::recording */
#define FTRACE_MUX_FUNCTION	0
#define FTRACE_MUX_PAUSED	1

/* The function tracer of the trace array has been started or is being stopped */
static inline void ftrace_mux_enable_function(struct trace_array *tr, bool on)
{
	tr->function_enabled = on;
	assign_bit(FTRACE_MUX_FUNCTION, &tr->recording, on);
}

/* Does the function tracer record what it sees? */
static __always_inline bool ftrace_mux_records(struct trace_array *tr)
{
	/* A plain read, as that of function_enabled, becomes part of the comparison */
	return data_race(tr->recording) == BIT(FTRACE_MUX_FUNCTION);
}

/* Would the ring buffer refuse an event? */
static __always_inline bool ftrace_mux_paused(struct trace_array *tr)
{
	/* On x86, unlike test_bit(), a test of memory that needs no register */
	return unlikely(test_bit_acquire(FTRACE_MUX_PAUSED, &tr->recording));
}

#ifdef CONFIG_FUNCTION_GRAPH_TRACER
/*
 * Would the ring buffer refuse what function_graph sees, with nothing else to do?
 * A task has to know when it is in a function of set_graph_function.
 *
 * Context: preemption disabled.
 */
static __always_inline bool ftrace_mux_graph_paused(struct trace_array *tr)
{
	return ftrace_mux_paused(tr) && !tracing_thresh &&
	       ftrace_hash_empty(rcu_dereference_raw(tr->graph_hash));
}
#endif

/* Before the buffer is switched off. Any context, as the others */
static inline void ftrace_mux_pause(struct trace_array *tr)
{
	set_bit(FTRACE_MUX_PAUSED, &tr->recording);
	/* Orders against the write to the buffer that follows */
	smp_mb__after_atomic();
}

/* After the buffer has been switched on */
static inline void ftrace_mux_resume(struct trace_array *tr)
{
	/* Orders against the write to the buffer that went before */
	smp_mb__before_atomic();
	clear_bit(FTRACE_MUX_PAUSED, &tr->recording);
}

/* The trace array has another buffer: it may be on after all */
static inline void ftrace_mux_swapped(struct trace_array *tr)
{
	if (ring_buffer_record_is_set_on(tr->array_buffer.buffer))
		ftrace_mux_resume(tr);
}

#else /* !CONFIG_FTRACE_MUX */

#define ftrace_mux_enable_function(tr, on)	((tr)->function_enabled = (on))
#define ftrace_mux_records(tr)			((tr)->function_enabled)
#define ftrace_mux_paused(...)			false
#define ftrace_mux_graph_paused(...)		false
#define ftrace_mux_pause(...)			do { } while (0)
#define ftrace_mux_resume(...)			do { } while (0)
#define ftrace_mux_swapped(...)			do { } while (0)

#endif /* CONFIG_FTRACE_MUX */

#endif /* _LINUX_KERNEL_FTRACE_MUX_PAUSED_H */
