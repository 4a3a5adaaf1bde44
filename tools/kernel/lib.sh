# shellcheck shell=bash
# What the scripts of this directory and of selftests/guest share. Source it; it sets no option of the shell.

# shellcheck disable=SC2034 # used by the scripts that source this file
repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/ftrace-mux
kernel_version=${KERNEL_VERSION:-6.12}

# The architecture of the kernel and of the guest, as kbuild calls it, with the image of its kernel, the prefix of its compiler's
# name where this machine needs another one than its own, and what ends the names of its directories in the cache.
case ${ARCH:-x86_64} in
x86_64 | x86)
	arch=x86_64 srcarch=x86 image=arch/x86/boot/bzImage cross='' apart=''
	;;
arm64 | aarch64)
	arch=arm64 srcarch=arm64 image=arch/arm64/boot/Image cross=aarch64-linux-gnu- apart=-arm64
	;;
*)
	printf '%s: ARCH=%s: the architectures are x86_64 and arm64\n' "${me:-${0##*/}}" "$ARCH" >&2
	exit 2
	;;
esac

# What a message calls the program; a script may set its own.
me=${me:-${0##*/}}

# The help of each script is the comment at its top.
case ${1:-} in
-h | --help)
	sed -n '4,$ { /^#/! q; s/^# \{0,1\}//p }' "$0"
	exit
	;;
esac

die()
{
	printf '%s: %s\n' "$me" "$*" >&2
	exit 1
}

usage_error()
{
	printf '%s: %s\n' "$me" "$*" >&2
	exit 2
}

# Progress goes to stderr: the output of a guest stays alone on stdout.
note()
{
	[ -n "${QUIET:-}" ] || printf '%-9s %s\n' "$1" "$2" >&2
}

# packages_of GROUP...: the packages of these groups, one per line
packages_of()
{
	local group

	for group; do
		awk -v g="$group" '$1 == g { print $2 }' "$repo/tools/kernel/packages"
	done | sort -u
}

# copy_pristine DIR NAME: DIR/NAME as hard links to DIR/pristine, unless it is there already
copy_pristine()
{
	[ ! -d "$1/$2" ] || return 0
	rm -rf "$1/$2.new"
	cp -al "$1/pristine" "$1/$2.new"
	mv "$1/$2.new" "$1/$2"
}

# compiler_of KERNEL: what it and its modules are compiled with
compiler_of()
{
	case $1 in
	clang) echo clang ;;
	kcfi | lto | lto-stock | bti) packages_of kcfi ;;
	*) echo "${cross}gcc" ;;
	esac
}

# llvm_of KERNEL: kbuild's LLVM for it, the end of the names of LLVM's programs, or nothing
llvm_of()
{
	case $1 in
	lto | lto-stock) compiler_of "$1" | sed 's/^clang//' ;;
	esac
}

# make_kernel KERNEL ARGUMENT...: kbuild, for the architecture and with the compiler of the kernel
make_kernel()
{
	local llvm kernel=$1
	shift

	llvm=$(llvm_of "$kernel")
	make ARCH=$arch ${cross:+CROSS_COMPILE=$cross} ${llvm:+LLVM=$llvm} CC="${CC:-ccache $(compiler_of "$kernel")}" "$@"
}

# kernel_versions: those that can be fetched, built and tested
kernel_versions()
{
	sed -n 's/^source-\([0-9.]*\)[[:space:]].*/\1/p' "$repo/tools/kernel/packages"
}

# version_of TREE: that of a Linux source tree, without the stable release: 6.12
version_of()
{
	sed -n -e 's/^VERSION = //p' -e 's/^PATCHLEVEL = //p' "$1/Makefile" | paste -sd .
}

# hook_versions: the directories of the hooks, each named after the first version that its patches are for
hook_versions()
{
	find "$repo/kernel/hooks" -mindepth 1 -maxdepth 1 -name '[0-9]*' -printf '%f\n' | sort -V
}

# is_before VERSION VERSION
is_before()
{
	[ "$1" != "$2" ] && [ "$(printf '%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]
}

# The series that can be mailed without the multiplexer, and those of the multiplexer, in the order of kernel/hooks/series
kinds_alone='fix poke wait ring below'
kinds_mux='mux names paused group graph'

# steps_for VERSION: the steps of all series for it, in order, one per line: KIND PATCH|NAME [PATCH|FILE...]
steps_for()
{
	awk '!NF || /^#/ { next }
		/^[[:space:]]/ { for (i = 1; i <= NF; i++) line = line " " $i; next }
		{ if (line) print line; line = $1; for (i = 2; i <= NF; i++) line = line " " $i }
		END { if (line) print line }' "$repo/kernel/hooks/series" |
		while read -r kind rest; do
			[ "$kind" = "${kind#*<}" ] || is_before "$1" "${kind#*<}" || continue
			echo "${kind%<*} $rest"
		done
}

# hooks_for VERSION [KIND...]: the patches for it of all series or of these, one path per line, in order
hooks_for()
{
	local hooks=$repo/kernel/hooks version=$1 words name dir path dirs=()
	shift

	while read -r dir; do
		is_before "$version" "$dir" || dirs+=("$dir")
	done < <(hook_versions)
	steps_for "$version" | while read -ra words; do
		[ $# = 0 ] || [[ " $* " = *" ${words[0]} "* ]] || continue
		for name in "${words[@]:1}"; do
			[ "$name" != "${name%.patch}" ] || continue
			compgen -G "$hooks/*/$name" > /dev/null || die "kernel/hooks/series: no such patch: $name"
			path=
			for dir in "${dirs[@]}"; do
				[ ! -f "$hooks/$dir/$name" ] || path=$hooks/$dir/$name
			done
			[ -z "$path" ] || echo "$path"
		done
	done
}

# Our files: PATH-IN-CHECKOUT PATH-IN-TREE
own_files()
{
	(
		cd "$repo" || exit
		[ ! -f Kconfig ] || echo Kconfig kernel/trace/mux/Kconfig
		find kernel -type f \( -name '*.[chS]' -o -name Makefile \) |
			sed -n -e 's,^kernel/\(x86\|arm64\)/asm\.h,& arch/\1/include/asm/ftrace_mux.h,p;t' \
				-e 's,^kernel/\(x86\|arm64\)/\(.*\),& arch/\1/kernel/ftrace_mux/\2,p;t' \
				-e 's,^kernel/\(.*\),& kernel/trace/mux/\1,p'
	) | LC_ALL=C sort
}

# Lines appended to upstream files: FILE, our file that it needs, LINE
appended_lines()
{
	cat <<-'EOF'
	kernel/trace/Kconfig Kconfig source "kernel/trace/mux/Kconfig"
	kernel/trace/Makefile kernel/Makefile obj-$(CONFIG_FTRACE_MUX) += mux/
	arch/x86/kernel/Makefile kernel/x86/Makefile obj-$(CONFIG_FTRACE_MUX) += ftrace_mux/
	arch/arm64/kernel/Makefile kernel/arm64/Makefile obj-$(CONFIG_FTRACE_MUX) += ftrace_mux/
	EOF
}

# source_oldest: the oldest version of the source's package that the series fits
source_oldest()
{
	awk -v g="source-$kernel_version" '$1 == g { print $3 }' "$repo/tools/kernel/packages"
}

# source_suites: the suites of Debian to get the source from, nothing where the releases have it
source_suites()
{
	awk -v g="source-$kernel_version" '$1 == g { sub(/^[^ ]+ +[^ ]+ +[^ ]+ */, ""); print }' \
		"$repo/tools/kernel/packages"
}

# apt_own DIR SUITES ARGUMENT...: apt-get with these suites of Debian only, with lists, status and archives of its
# own in DIR: the system's are not touched, and it needs no root. A mirror that is out of date will do: what it has is signed.
apt_own()
{
	local dir=$1 suites=$2 suite
	shift 2

	mkdir -p "$dir"/{sources,lists/partial,cache,archives/partial}
	[ -f "$dir/status" ] || : > "$dir/status"
	for suite in $suites; do
		case $suite in
		*-security) printf 'Types: deb\nURIs: http://deb.debian.org/debian-security\n' ;;
		*) printf 'Types: deb\nURIs: http://deb.debian.org/debian\n' ;;
		esac
		printf 'Suites: %s\nComponents: main\n' "$suite"
		printf 'Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg\n\n'
	done > "$dir/sources/debian.sources"
	apt-get -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$dir/sources" \
		-o Dir::State::lists="$dir/lists" -o Dir::State::status="$dir/status" \
		-o Dir::State::extended_states="$dir/extended" -o Dir::Cache="$dir/cache" \
		-o Dir::Cache::archives="$dir/archives" -o APT::Sandbox::User="$(id -un)" -o Debug::NoLocking=1 \
		-o APT::Install-Recommends=false -o Acquire::http::Timeout=15 -o Acquire::Retries=1 \
		-o Acquire::Check-Valid-Until=false -o APT::Update::Error-Mode=any -qq -y "$@"
}

# foreign_apt DIR: sets foreign to the options of apt-get for packages of $arch, where this machine has another
# architecture. Their lists are in DIR then, from the system's sources: what the system has and knows is not touched.
foreign_apt()
{
	foreign=()
	[ -n "$apart" ] || return 0
	mkdir -p "$1/partial"
	foreign=(-o APT::Architecture="$arch" -o APT::Architectures="$arch" -o Dir::State::lists="$1"
		-o Dir::Cache::pkgcache='' -o Dir::Cache::srcpkgcache='' -o APT::Sandbox::User="$(id -un)"
		-o Debug::NoLocking=1)
	apt-get "${foreign[@]}" -qq update
}

# codename: that of the Debian that runs here
codename()
{
	# shellcheck source=/dev/null
	(. /etc/os-release && echo "${VERSION_CODENAME:-unknown}")
}

# take_lock FILE: waits until no other process works on what FILE stands for; held until this shell ends
take_lock()
{
	mkdir -p "$(dirname "$1")"
	exec {lock_fd}> "$1"
	if ! flock -n "$lock_fd"; then
		note WAIT "for another process that holds $1"
		flock "$lock_fd"
	fi
}

# install_if_changed SOURCE TARGET: replaces TARGET, never writes into it (it may be a hard link into another
# tree), and leaves it alone when the content is already that
install_if_changed()
{
	if [ -f "$2" ] && [ ! -L "$2" ] && cmp -s "$1" "$2"; then
		return
	fi
	mkdir -p "$(dirname "$2")"
	cp "$1" "$2.ftrace-mux-new"
	mv -f "$2.ftrace-mux-new" "$2"
}

# discard DIR...: removes directories that may be large, without waiting for the end of it
discard()
{
	local trash

	trash=$(mktemp -d "$cache/.trash.XXXXXX")
	mv -f "$@" "$trash" 2> /dev/null || true
	# Not with the lock's descriptor: the lock would last as long as the removal.
	(
		[ -z "${lock_fd:-}" ] || exec {lock_fd}>&-
		nice rm -rf "$trash" > /dev/null 2>&1 < /dev/null &
	)
}
