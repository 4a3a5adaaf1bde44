# SPDX-License-Identifier: GPL-2.0
# Called by `pictures` with the directories `in` and `out`.

set terminal svg size 720,440 font "sans-serif,13" background "#ffffff" name "ftrace_mux" noenhanced
set style line 1 lc rgb "#b0413e" lw 2 pt 7 ps 0.5
set style line 2 lc rgb "#1f5fa8" lw 2 pt 5 ps 0.5
set style line 3 lc rgb "#b0413e" lw 1 dt 2 pt 6 ps 0.5
set style line 4 lc rgb "#1f5fa8" lw 1 dt 2 pt 4 ps 0.5
set border 3 lc rgb "#606060"
set tics nomirror
set grid ytics lc rgb "#d8d8d8"
set key top left reverse Left

set output out . "/per-call.svg"
set title "Instructions of one call of a traced function"
set xlabel "tracers of the function"
set ylabel "instructions"
set xrange [0:*]
set yrange [0:*]
plot in . "/tracers" using 1:2 with linespoints ls 1 title "stock", \
     in . "/tracers" using 1:3 with linespoints ls 2 title "multiplexed", \
     in . "/registers" using 1:2 with linespoints ls 3 title "stock, full registers", \
     in . "/registers" using 1:3 with linespoints ls 4 title "multiplexed, full registers"

set output out . "/per-call-others.svg"
set title "The same with two tracers of the function, and others elsewhere"
set xlabel "tracers of other functions"
set xrange [0:100]
plot in . "/others" using 1:2 with linespoints ls 1 title "stock", \
     in . "/others" using 1:3 with linespoints ls 2 title "multiplexed"

set output out . "/recording-tracers.svg"
set title "A read of one byte while tracers record all its functions, each into its own buffer"
set xlabel "tracers that record"
set ylabel "thousand instructions"
set xrange [0:7]
plot in . "/recording" using 1:2 with linespoints ls 1 title "stock", \
     in . "/recording" using 1:3 with linespoints ls 2 title "multiplexed"

set output out . "/retarget.svg"
set terminal svg size 860,520 font "sans-serif,13" background "#ffffff" name "ftrace_mux" noenhanced
set title "CPU time of enabling the n-th tracer on all functions, and of filter changes with N such tracers"
set xlabel ""
set key outside bottom center horizontal
set ylabel "million instructions of the writer"
set xrange [*:*]
set xtics rotate by -40
set style data histograms
set style histogram clustered gap 1
set style fill solid
set boxwidth 0.9
plot in . "/retarget" using 2:xtic(1) lc rgb "#b0413e" title "stock", \
     in . "/retarget" using 3 lc rgb "#1f5fa8" title "multiplexed"
