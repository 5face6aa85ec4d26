#!/bin/sh
# nginx and Caddy for the tests of docs/hosting.md. Debian's packages are unpacked into bin/proxies and not installed:
# an installed one would start a server for the whole machine.
set -eu
cd "$(dirname "$0")/.."

missing=
for program in nginx caddy; do
	command -v $program >/dev/null 2>&1 || [ -x bin/proxies/usr/sbin/$program ] || [ -x bin/proxies/usr/bin/$program ] ||
		missing="$missing $program"
done
[ -z "$missing" ] && exit 0
if command -v apt-get >/dev/null 2>&1; then
	mkdir -p bin/proxies
	cd bin/proxies
	[ "$(id -u)" != 0 ] || apt-get update -q
	if apt-get download -q $missing; then
		for package in *.deb; do
			dpkg -x "$package" .
			rm "$package"
		done
		exit 0
	fi
fi
echo "The tests of proxies need$missing in PATH. Install them and run this again." >&2
exit 1
