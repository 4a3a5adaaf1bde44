# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Packages of the distribution that runs here, and all that they depend on, without installing them. Sourced after
# tools/kernel/lib.sh.

# Packages that only serve the installation of others: as good as installed.
write_status()
{
	local package

	for package in debconf dpkg init-system-helpers usrmerge usr-is-merged install-info \
		debconf-2.0 cdebconf sensible-utils ucf; do
		printf 'Package: %s\nStatus: install ok installed\nArchitecture: all\nMulti-Arch: foreign\n' "$package"
		printf 'Version: 99:1\nMaintainer: none\nDescription: not needed in the guest\n\n'
	done
}

# download WORK PACKAGE...: them and all that they depend on into WORK/debs, for the architecture $arch. What they depend on
# is computed against the status above, not against the packages of this machine.
download()
{
	local work=$1 foreign
	shift

	mkdir -p "$work/debs/partial"
	write_status > "$work/status"
	foreign_apt "$work/lists" > "$work/apt.log" 2>&1 || return
	apt-get "${foreign[@]}" -o Dir::State::status="$work/status" -o Dir::State::extended_states="$work/extended" \
		-o Dir::Cache::archives="$work/debs" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= \
		-o APT::Sandbox::User="$(id -un)" -o Debug::NoLocking=1 -o APT::Install-Recommends=false \
		-o APT::Get::AllowUnauthenticated=false \
		-qq -y --download-only install "$@" >> "$work/apt.log" 2>&1
}
