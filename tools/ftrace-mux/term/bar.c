// SPDX-License-Identifier: GPL-2.0
/* What tables of figures have in common: bars and durations. */
#include <string.h>
#include "term/bar.h"

void bar_print(double part, int width)
{
	char bar[BAR_MAX + 1];
	int n = part * width + 0.5;

	memset(bar, '#', n);
	bar[n] = '\0';
	printf("|%s%s%s%*s|", clr("green"), bar, clr("off"), width - n, "");
}

const char *duration(unsigned long long ns, char *buf, size_t size)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	double v = ns;
	size_t u = 0;

	while (v >= 999.5 && u + 1 < ARRAY_SIZE(units)) {
		v /= 1000;
		u++;
	}
	snprintf(buf, size, "%.*f%s", !u || v >= 99.95 ? 0 : v >= 9.995 ? 1 : 2, v, units[u]);
	return buf;
}
