// SPDX-License-Identifier: GPL-2.0
/*
 * Events of several buffers, merged in order of time.
 *
 * There is a source for each CPU of each tracer.  A round notes the time of the
 * trace clock, and takes the earliest event of all sources again and again, as
 * long as it is not later than that time.  What was written before the round is
 * in the buffers by then, so nothing earlier can come from another source.
 *
 * A round of all that is there notes how many events that is: reading may call
 * functions that are traced, and then there is never a last event.
 *
 * tracefs_iterate_raw_events() reads one instance until it is empty; several
 * cannot be merged with it.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <kbuffer.h>
#include <tracefs.h>
#include "events/event-format.h"
#include "events/stream.h"
#include "term/term.h"
#include "tracefs/tfs.h"

struct source {
	char *tracer;
	char *stats;			/* the file per_cpu/cpuN/stats */
	int cpu;
	int fd;
	struct kbuffer *kbuf;
	char *page;
	bool loaded;			/* kbuf has a page with events left */
	bool lost_told;
	bool dry;			/* nothing more in this round */
	struct tep_record rec;		/* valid while rec.data */
};

struct stream {
	struct tep_handle *tep;
	struct tep_plugin_list *plugins;
	struct source *src;
	size_t n;
	size_t page_size;
	bool clock_ns;
	int no_event;			/* an ID that no event has */
	int unknown[256];		/* processes that were looked up in vain */
};

struct stream *stream_new(void)
{
	/* those of other events are read when one is met */
	static const char *const systems[] = { "ftrace", "ftrace_mux", NULL };
	struct stream *s = xcalloc(1, sizeof(*s));

	progress_begin("reading symbols");
	s->tep = tracefs_local_events_system(tfs_dir(), systems);
	progress_end();
	if (!s->tep) {
		char *path = tfs_path("events");

		tfs_fail("reading", path, errno ? errno : EIO);
		free(path);
		free(s);
		return NULL;
	}
	s->plugins = tep_load_plugins(s->tep);
	s->page_size = 4096;
	return s;
}

struct tep_handle *stream_tep(struct stream *s)
{
	return s->tep;
}

static void note_clock(struct stream *s, const char *dir)
{
	char *path = xasprintf("%s/trace_clock", dir);
	char *text = tfs_read_line(path);

	/* these two count no nanoseconds: a round then takes all events */
	s->clock_ns = text && !strstr(text, "[counter]") && !strstr(text, "[x86-tsc]");
	free(text);
	free(path);
}

static int add_cpu(struct stream *s, const char *tracer, const char *dir, int cpu)
{
	char *path = xasprintf("%s/per_cpu/cpu%d/trace_pipe_raw", dir, cpu);
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), ret = 0;
	struct source *src;

	if (fd < 0) {
		ret = tfs_fail("opening", path, errno);
		free(path);
		return ret;
	}
	free(path);
	s->src = xrealloc(s->src, (s->n + 1) * sizeof(*s->src));
	src = &s->src[s->n++];
	memset(src, 0, sizeof(*src));
	src->tracer = xstrdup(tracer);
	src->stats = xasprintf("%s/per_cpu/cpu%d/stats", dir, cpu);
	src->cpu = cpu;
	src->fd = fd;
	src->kbuf = kbuffer_alloc(KBUFFER_LSIZE_8, KBUFFER_ENDIAN_LITTLE);
	if (!src->kbuf)
		ret = FTM_FAIL;
	return ret;
}

int stream_add(struct stream *s, const char *tracer, const char *dir)
{
	char *path = xasprintf("%s/per_cpu", dir);
	DIR *d = opendir(path);
	struct dirent *e;
	long kb, cpu;
	int ret = d ? FTM_OK : tfs_fail("reading", path, errno);

	free(path);
	path = xasprintf("%s/buffer_subbuf_size_kb", dir);
	kb = tfs_read_long(path, 4);
	free(path);
	if ((size_t)kb * 1024 > s->page_size)
		s->page_size = kb * 1024;
	if (!s->n)
		note_clock(s, dir);
	while (!ret && (e = readdir(d)))
		if (!strncmp(e->d_name, "cpu", 3) && parse_num(e->d_name + 3, 0, 65535, &cpu))
			ret = add_cpu(s, tracer, dir, cpu);
	if (d)
		closedir(d);
	return ret;
}

/* Now, on the clock of the events; ~0 where that cannot be told. */
static unsigned long long trace_now(const struct stream *s)
{
	unsigned long long sec, usec, res = ~0ULL;
	char *text = s->clock_ns && s->n ? tfs_read(s->src[0].stats) : NULL;
	const char *p = text ? strstr(text, "now ts:") : NULL;

	if (p && sscanf(p, "now ts: %llu.%6llu", &sec, &usec) == 2)
		res = sec * 1000000000 + usec * 1000;
	free(text);
	return res;
}

/* How many events are in the buffers now. */
static long entries_now(const struct stream *s)
{
	long all = 0, n;
	size_t i;

	for (i = 0; i < s->n; i++) {
		char *text = tfs_read_line(s->src[i].stats);

		if (text && sscanf(text, "entries: %ld", &n) == 1)
			all += n;
		free(text);
	}
	return all;
}

/* Reads the next event into @src->rec; false: none there now. */
static bool source_next(struct stream *s, struct source *src)
{
	unsigned long long ts;
	ssize_t n;
	void *data;

	for (;;) {
		data = src->loaded ? kbuffer_read_event(src->kbuf, &ts) : NULL;
		if (data)
			break;
		src->loaded = false;
		if (!src->page)
			src->page = xcalloc(1, s->page_size);
		n = read(src->fd, src->page, s->page_size);
		if (n <= 0 || kbuffer_load_subbuffer(src->kbuf, src->page))
			return false;
		src->loaded = true;
		src->lost_told = false;
	}
	memset(&src->rec, 0, sizeof(src->rec));
	src->rec.ts = ts;
	src->rec.data = data;
	src->rec.cpu = src->cpu;
	src->rec.ref_count = 1;
	src->rec.size = kbuffer_event_size(src->kbuf);
	src->rec.record_size = kbuffer_curr_size(src->kbuf);
	if (!src->lost_told)
		src->rec.missed_events = kbuffer_missed_events(src->kbuf);
	src->lost_told = true;
	return true;
}

static struct source *earliest(struct stream *s)
{
	struct source *best = NULL;
	size_t i;

	for (i = 0; i < s->n; i++) {
		struct source *src = &s->src[i];

		if (!src->rec.data && !src->dry)
			src->dry = !source_next(s, src);
		if (!src->rec.data)
			continue;
		if (!best || src->rec.ts < best->rec.ts)
			best = src;
	}
	return best;
}

static struct tep_event *find_event(struct stream *s, struct tep_record *rec)
{
	int id = tep_data_type(s->tep, rec);
	struct tep_event *event = tep_find_event(s->tep, id);

	if (event || id == s->no_event)
		return event;
	event = event_format_load(s->tep, id);
	if (!event)
		s->no_event = id;
	return event;
}

long stream_read(struct stream *s, bool (*fn)(const struct stream_event *e, void *arg),
		 void *arg, bool all)
{
	unsigned long long until = all ? ~0ULL : trace_now(s);
	long most = all ? entries_now(s) : LONG_MAX;
	struct source *src;
	long count = 0;
	size_t i;

	for (i = 0; i < s->n; i++)
		s->src[i].dry = false;
	while (!ftm_stop && count < most && (src = earliest(s)) && src->rec.ts <= until) {
		struct stream_event e = {
			.tracer = src->tracer, .cpu = src->cpu, .lost = src->rec.missed_events,
			.record = &src->rec,
		};

		e.event = find_event(s, &src->rec);
		if (!fn(&e, arg))
			return -1;
		/* only now: @src->rec points into the page */
		src->rec.data = NULL;
		kbuffer_next_event(src->kbuf, NULL);
		count++;
	}
	return count;
}

void stream_drop(struct stream *s)
{
	size_t i;

	for (i = 0; i < s->n; i++) {
		free(s->src[i].tracer);
		free(s->src[i].stats);
		free(s->src[i].page);
		close(s->src[i].fd);
		kbuffer_free(s->src[i].kbuf);
	}
	free(s->src);
	s->src = NULL;
	s->n = 0;
}

void stream_free(struct stream *s)
{
	stream_drop(s);
	tep_unload_plugins(s->plugins, s->tep);
	tep_free(s->tep);
	free(s);
}

/* A task that began after the start is not in the table read then. */
static const char *task_name(struct stream *s, int pid)
{
	const char *comm = tep_data_comm_from_pid(s->tep, pid);
	int *unknown = &s->unknown[pid % ARRAY_SIZE(s->unknown)];
	char path[64], *text;

	if ((comm && strcmp(comm, "<...>")) || *unknown == pid)
		return comm;
	*unknown = pid;
	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	text = tfs_read_line(path);
	if (text)
		tep_override_comm(s->tep, text, pid);
	else
		tracefs_load_cmdlines(tfs_dir(), s->tep);
	free(text);
	return tep_data_comm_from_pid(s->tep, pid);
}

void stream_decode(struct stream *s, const struct stream_event *e, struct func_event *f)
{
	f->pid = tep_data_pid(s->tep, e->record);
	f->task = task_name(s, f->pid);
	call_decode(&f->call, e->event, e->record);
}
