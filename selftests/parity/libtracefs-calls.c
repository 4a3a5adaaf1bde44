// SPDX-License-Identifier: GPL-2.0
/*
 * libtracefs-calls [INSTANCE]: the calls of libtracefs for filters, tracers
 * and instances, on the top level or an instance of its own, and after each
 * one what it returned and what the files have. WORKLOAD in the environment is
 * a program that calls the functions of the test module.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>

static struct tracefs_instance *instance;

static void show(const char *file)
{
	char *text = tracefs_instance_file_read(instance, file, NULL);
	char *line, *next = text;

	while (next && *next) {
		line = strsep(&next, "\n");
		printf("\t%s: %s\n", file, line);
	}
	free(text);
}

static void result(const char *what, long ret)
{
	printf("%s: %ld\n", what, ret);
	show("current_tracer");
	show("set_ftrace_filter");
	show("set_ftrace_notrace");
}

static int count_function(struct tep_event *event, struct tep_record *record,
			  int cpu, void *context)
{
	unsigned int *count = context;

	(void)record;
	(void)cpu;
	*count += !strcmp(event->name, "function");
	return 0;
}

/* How many calls the buffer holds, read and decoded by the library */
static void count_events(void)
{
	const char *systems[] = { "ftrace", NULL };
	struct tep_handle *tep = tracefs_local_events_system(NULL, systems);
	unsigned int count = 0;
	int ret = -1;

	if (tep)
		ret = tracefs_iterate_raw_events(tep, instance, NULL, 0, count_function, &count);
	printf("tracefs_iterate_raw_events: %d, %u calls\n", ret, count);
	tep_free(tep);
}

static void filter_lists(void)
{
	char **list = NULL;
	int i, ret;

	ret = tracefs_filter_functions("mt_fn1[0-3]", NULL, &list);
	printf("tracefs_filter_functions: %d\n", ret);
	for (i = 0; list && list[i]; i++)
		printf("\t%s\n", list[i]);
	tracefs_list_free(list);
	list = NULL;
	ret = tracefs_filter_functions(NULL, "mux_test", &list);
	for (i = 0; list && list[i]; i++)
		;
	printf("tracefs_filter_functions of a module: %d, %d names\n", ret, i);
	tracefs_list_free(list);
}

static void by_index(const char *number)
{
	char text[32];

	snprintf(text, sizeof(text), "%s ", number);
	result("write an index", tracefs_instance_file_write(instance, "set_ftrace_filter", text) < 0);
	result("append a name", tracefs_instance_file_append(instance, "set_ftrace_filter", "mt_fn31 ") < 0);
	result("append a function that does not exist",
	       tracefs_instance_file_append(instance, "set_ftrace_filter", "no_such_function ") < 0);
}

int main(int argc, char **argv)
{
	const char *workload = getenv("WORKLOAD"), *index = getenv("INDEX");

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc > 1) {
		instance = tracefs_instance_create(argv[1]);
		printf("tracefs_instance_create: %d, new %d\n", !!instance,
		       instance && tracefs_instance_is_new(instance));
		if (!instance)
			return 1;
	}
	result("in the beginning", 0);
	filter_lists();
	result("filter", tracefs_function_filter(instance, "mt_fn0[0-3]", NULL, TRACEFS_FL_RESET));
	result("filter, more", tracefs_function_filter(instance, "^mt_fn.[89]$", "mux_test", TRACEFS_FL_CONTINUE));
	result("filter, end", tracefs_function_filter(instance, "mt_fn20", NULL, 0));
	result("filter of no function", tracefs_function_filter(instance, "no_such_function", NULL, TRACEFS_FL_RESET));
	result("filter of one function", tracefs_function_filter(instance, "mt_fn05", NULL, TRACEFS_FL_RESET));
	result("notrace", tracefs_function_notrace(instance, "mt_fn1.", NULL, TRACEFS_FL_RESET));
	result("notrace, more", tracefs_function_notrace(instance, "mt_fn05", NULL, 0));
	result("notrace off", tracefs_function_notrace(instance, NULL, NULL, TRACEFS_FL_RESET));
	if (index)
		by_index(index);
	result("filter for a tracer", tracefs_function_filter(instance, "mt_fn0[4-6]", NULL, TRACEFS_FL_RESET));
	result("tracer", tracefs_tracer_set(instance, TRACEFS_TRACER_FUNCTION));
	if (workload && system(workload))
		puts("the workload failed");
	result("another filter meanwhile", tracefs_function_filter(instance, "mt_fn07", NULL, TRACEFS_FL_RESET));
	if (workload && system(workload))
		puts("the workload failed");
	tracefs_trace_off(instance);
	count_events();
	tracefs_trace_on(instance);
	result("no tracer", tracefs_tracer_clear(instance));
	result("function_graph", tracefs_tracer_set(instance, TRACEFS_TRACER_FUNCTION_GRAPH));
	result("no tracer", tracefs_tracer_clear(instance));
	result("filter off", tracefs_function_filter(instance, NULL, NULL, TRACEFS_FL_RESET));
	if (instance) {
		printf("tracefs_instance_destroy: %d\n", tracefs_instance_destroy(instance));
		tracefs_instance_free(instance);
	}
	return 0;
}
