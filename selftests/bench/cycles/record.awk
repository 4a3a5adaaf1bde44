# SPDX-License-Identifier: GPL-2.0
#
# Of kernel/trace/ring_buffer.c, what writes an event: the functions that `names` names, and constants and structures of
# the file. Debugging aids that are off are left out.
BEGIN {
	n = split(names, list, /[ \t\n]+/)
	for (i = 1; i <= n; i++)
		wanted[list[i]] = 1
}

/^#define[ \t]+(RB_[A-Z_]+|TS_MSB|ABS_TS_MASK|CHECK_FULL_PAGE|NESTED_BITS)[ \t]/ && !/\\$/ { print; next }
/^#define[ \t]+(skip_time_extend|extended_time)\(/ { inside = "[^\\\\]$" }
/^enum \{$/ || /^struct (rb_event_info|ring_buffer_(cpu_)?meta) \{$/ { inside = "^};" }
/^static inline void rb_end_commit\(.*;$/ { print; next }

# A function begins with its name in the first column, or after what it returns
!inside && /^[a-zA-Z_][^;]*\(/ && !/;[ \t]*$/ {
	name = $0
	sub(/\(.*/, "", name)
	head = name
	sub(/.*[ *\t]/, "", name)
	if (name in wanted) {
		inside = "^}"
		if (head == name)
			print before
	}
}
inside {
	print
	if ($0 ~ inside && !/\\$/) {
		inside = ""
		print ""
	}
}
{ before = $0 }
