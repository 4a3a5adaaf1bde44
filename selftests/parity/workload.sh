#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# workload.sh [ROUNDS]: calls each function of the test module that often (default 50), and writes that down
echo "call * ${1:-50}" > /sys/kernel/debug/mux_test/cmd && echo "${1:-50}" >> /tmp/rounds
