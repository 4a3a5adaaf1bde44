# SPDX-License-Identifier: GPL-2.0
#
# What a person calls; each target runs scripts that can also be called directly. Everything is built in
# ${XDG_CACHE_HOME:-~/.cache}/ftrace-mux, nothing here.

.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

KERNEL ?= mux
export KERNEL KERNEL_VERSION KSRC ARCH JOBS V
export CSV ACCEPT KERNELS CPUS SECONDS_EACH SEED AGENTS WRITES
export SMP MEM CPU APPEND KASLR ICOUNT FILES GUEST_PACKAGES TIMEOUT ALLOW LOGDIR RESULTS SLOW DEBUG

help:
	@echo 'ftrace-mux: several function tracers at once, a traced function calls exactly those that trace it'
	@echo
	@echo '  make demo             install what is missing, build, boot, and show it'
	@echo '  make shell            a prompt in a guest that runs the kernel; OUT=DIR: it gets what is in /out when you leave'
	@echo '  make check            all tests; TESTS="name ..." for some, SLOW=1 for the slow ones too'
	@echo "  make ftracetest       the kernel's own tests of ftrace on the stock and on the mux kernel, and what differs;"
	@echo '                        TESTS="ftrace instances ..." for some, VIEW=1 with trace_options=function-mux'
	@echo '  make stress           all that patches functions at once, every call checked, on stock and then on mux;'
	@echo '                        then random writes to its files; KERNELS="mux debug" CPUS="2 4" SECONDS_EACH=100 WRITES=100000 SEED=1'
	@echo '  make model            check the models of slots, stubs and the ring buffer with spin, those of the order on arm64 with herd7'
	@echo '  make mutations        put mistakes into the core and see tests fail; TESTS="skip-slot ..." for some'
	@echo '  make check-all        all tests, the slow ones too, then stress, mutations and ftracetest: hours'
	@echo '  make bench            instructions of everything, stock and mux kernel side by side; TOPICS="percall ..."'
	@echo '                        CSV=FILE; ACCEPT=1 puts the figures into selftests/bench/accepted.csv'
	@echo '  make cycles           time of the callers on this processor, in user space'
	@echo '  make pictures         draw the pictures in Documentation: from accepted.csv, or CSV=FILE, and of a recording in a guest'
	@echo '  make guest RUN=FILE   run FILE in a guest; its output, its exit status; OUT=DIR as for shell'
	@echo '  make kernel           compile the kernel KERNEL'
	@echo '  make tools            compile the command line tool'
	@echo '  make install          install it, with man pages and completions: DESTDIR= prefix=/usr/local'
	@echo '  make uninstall        remove it again, with the same DESTDIR= and prefix='
	@echo '  make deb OUT=DIR      the Debian package of the command line tool;'
	@echo '                        KCONFIG=/boot/config-$$(uname -r) also those of a kernel with that configuration'
	@echo '  make series OUT=DIR   what can be mailed: a directory for each series, with a cover letter, our files included'
	@echo '  make deps             install the packages of the distribution that all this needs'
	@echo '  make clean            delete the guests, logs and objects in the cache; distclean: all of it'
	@echo
	@echo 'For guest and shell: KERNEL=mux|stock|debug SMP=2 MEM=3G CPU=max APPEND="..." KASLR=1 ICOUNT=1 FILES="..."'
	@echo '                     GUEST_PACKAGES="..." TIMEOUT=300; selftests/guest/run says more.'
	@echo 'For all: KERNEL_VERSION=6.12|7.2|7.3, or KSRC=/path/to/linux for a kernel tree of your own.'
	@echo 'ARCH=arm64 for kernel, guest, shell, demo, check, bench: cross-compiled, and run by qemu-system-aarch64.'

deps:
	@tools/kernel/deps

kernel: deps
	@tools/kernel/build $(KERNEL)

guest: deps
	@[ -n "$(RUN)" ] || { echo 'make guest: say RUN=FILE'; exit 2; }
	@selftests/guest/run "$(RUN)" || { status=$$?; echo "guest: exit status $$status" >&2; exit $$status; }

# What the guest has in /out
guest shell: export OUT := $(OUT)

shell:
	@selftests/shell

demo: deps
	@selftests/demo

check:
	@selftests/check -l $(TESTS) > /dev/null
	@tools/kernel/deps
	@tools/kernel/deps style build-arm64
	@selftests/check $(TESTS)

stress: deps
	@selftests/stress/run $(KERNELS)

model: deps
	@tools/kernel/deps style
	@selftests/check models litmus

mutations: deps
	@selftests/mutations/run $(TESTS)

check-all: deps
	@tools/kernel/deps style kcfi lto build-arm64 host-arm64
	@status=0; for step in check stress/run mutations/run ftracetest/run; do \
		SLOW=1 selftests/$$step || { status=1; echo "FAIL selftests/$$step"; }; \
	done; exit $$status

ftracetest: deps
	@selftests/ftracetest/run $(if $(VIEW),--view) $(TESTS)

bench: deps
	@selftests/bench/bench $(TOPICS)

cycles: deps
	@selftests/bench/cycles/run

pictures: deps
	@tools/kernel/deps pictures
	@selftests/bench/pictures
	@selftests/command/picture

tools:
	@tools/kernel/deps tools
	@$(MAKE) -C tools/ftrace-mux

install: tools
	@$(MAKE) -C tools/ftrace-mux install

uninstall:
	@$(MAKE) -C tools/ftrace-mux uninstall

deb:
	@[ -n "$(OUT)" ] || { echo 'make deb: say OUT=DIR'; exit 2; }
	@tools/kernel/deps tools
	@tools/ftrace-mux/deb "$(OUT)"
ifneq ($(KCONFIG),)
	@tools/kernel/deps
	@tools/kernel/deps deb
	@tools/kernel/deb "$(KCONFIG)" "$(OUT)"
endif

series: deps
	@[ -n "$(OUT)" ] || { echo 'make series: say OUT=DIR, a new directory'; exit 2; }
	@n=$$(tools/kernel/series "$(OUT)") && echo "$$n in $(OUT)"

clean:
	@tools/kernel/clean

distclean:
	@tools/kernel/clean --all

.PHONY: help deps kernel guest shell demo check check-all stress model mutations ftracetest bench cycles pictures tools install uninstall deb series clean distclean
