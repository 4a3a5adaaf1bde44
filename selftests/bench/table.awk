# SPDX-License-Identifier: GPL-2.0
#
# Joins goals, figures of the stock kernel and figures of the mux kernel (in this order on the command line, with
# part=goals, part=stock, part=mux before each) to TOPIC,CASE,STOCK,MUX,UNIT,GOAL,MET lines in the order of the figures.
# MET is yes, no, or empty where there is no goal or no figure.

BEGIN { FS = OFS = "," }

/^#/ || NF < 3 { next }

part == "goals" {
	pattern = $2
	gsub(/[][.+?^$(){}|\\]/, "\\\\&", pattern)
	gsub(/\*/, ".*", pattern)
	goals++
	goal_topic[goals] = $1
	goal_case[goals] = "^" pattern "$"
	goal[goals] = $3
	next
}

$1 == "meta" {
	functions = $3
	next
}

{
	key = $1 OFS $2
	if (!(key in unit)) {
		order[++keys] = key
		unit[key] = $4
	}
	figure[part, key] = $3
}

# The goal of a case as a number, or empty
function goal_of(topic, name, key,	i, g, more)
{
	for (i = 1; i <= goals; i++)
		if (goal_topic[i] == topic && name ~ goal_case[i])
			break
	if (i > goals)
		return ""
	if (goal[i] == "stock")
		return figure["stock", key]
	if (split(goal[i], g, "+") == 2) {
		more = g[2] ~ /^[0-9.]+$/ ? g[2] : figure["stock", topic FS g[2]]
		return figure["stock", key] == "" || more == "" ? "" : figure["stock", key] + more
	}
	if (split(goal[i], g, "/") == 2)
		return sprintf("%.2f", (g[1] == "stock" ? figure["stock", key] : g[1] * functions) / g[2])
	return goal[i]
}

# A tick of the timer leaves some tenths of an instruction in a figure of a single call.
function met(value, limit, unit)
{
	if (limit == "" || value == "")
		return ""
	return value + 0 <= limit + (unit == "instructions" ? 0.5 : 0) ? "yes" : "no"
}

END {
	for (k = 1; k <= keys; k++) {
		key = order[k]
		split(key, part_of, FS)
		g = goal_of(part_of[1], part_of[2], key)
		print key, figure["stock", key], figure["mux", key], unit[key], g, met(figure["mux", key], g, unit[key])
	}
}
