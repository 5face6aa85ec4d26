#!/bin/sh
# The tests of the page need a real browser. Chromium's shell without windows takes a third of the processor's time of
# the whole browser, so it is installed if we may. The whole browser is enough. Where there is neither, this says what
# to install.
set -eu

present() {
	for name in "$@"; do
		command -v "$name" >/dev/null 2>&1 && return
	done
	return 1
}

apt() {
	DEBIAN_FRONTEND=noninteractive timeout 300 apt-get -q -o Acquire::Retries=0 -o Acquire::http::Timeout=20 "$@"
}

shell() {
	apt install -y --no-install-recommends chromium-headless-shell
}

present chromium-headless-shell && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
	echo "No chromium-headless-shell here: installing Debian's for the tests of the page."
	if shell || { apt update && shell; }; then
		exit 0
	fi
fi
present chromium chromium-browser google-chrome && exit 0
echo "The tests of the page need a browser. Install chromium-headless-shell (Debian: sudo apt-get install" \
	"chromium-headless-shell) and run this again." >&2
exit 1
