#!/bin/sh
# The test of the real page needs a real browser. Where there is none, Debian's is installed if we may; if we may not,
# this says what to install.
set -eu

for name in chromium chromium-browser google-chrome; do
	command -v "$name" >/dev/null 2>&1 && exit 0
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
	echo "No chromium here: installing Debian's for the test of the page."
	if apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends chromium; then
		exit 0
	fi
fi
echo "The test of the page needs a browser. Install chromium (Debian: sudo apt-get install chromium) and run this" \
	"again." >&2
exit 1
