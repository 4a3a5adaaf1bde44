#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The guest's half of the benchmark: measures the topics that /files/topics names, one per line, and prints one line
# `TOPIC,CASE,VALUE,UNIT` for each figure. What a topic measures is in /files/bench/TOPIC.sh.
set -euo pipefail
T=/sys/kernel/tracing

# figure TOPIC CASE VALUE UNIT
figure()
{
	printf '%s,%s,%s,%s\n' "$1" "$2" "$3" "$4"
}

# instances COUNT: makes b1 .. bCOUNT, with nothing traced and the buffer off
instances()
{
	local i

	for ((i = 1; i <= $1; i++)); do
		mkdir "$T/instances/b$i"
		echo 0 > "$T/instances/b$i/tracing_on"
	done
}

remove_instances()
{
	local dir

	for dir in "$T"/instances/b*; do
		echo nop > "$dir/current_tracer"
		rmdir "$dir"
	done
}

muxbench()
{
	/files/bin/muxbench "$@"
}

# The first figures of a boot are for the rest of its work: let it end.
sleep 2
echo 0 > "$T/tracing_on"
figure meta functions "$(wc -l < "$T/available_filter_functions")" functions
while read -r topic words; do
	# shellcheck source=/dev/null
	. "/files/bench/$topic.sh"
	# shellcheck disable=SC2086 # a list of words
	"topic_$topic" $words
done < /files/topics
