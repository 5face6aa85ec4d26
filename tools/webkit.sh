#!/bin/sh
# The tests of the page in Safari's engine need WebKitGTK's driver, its small browser and a screen without a monitor
# (Xvfb). Where they are missing, Debian's are installed if we may; if we may not, this says what to install. Those in
# Firefox, of make check, need firefox-esr and the screen.
set -eu

browser() {
	for found in /usr/lib/*/webkit2gtk-4.1/MiniBrowser /usr/libexec/webkit2gtk-4.1/MiniBrowser; do
		[ -x "$found" ] && return
	done
	return 1
}

present() {
	command -v WebKitWebDriver >/dev/null 2>&1 && command -v Xvfb >/dev/null 2>&1 && browser
}

present && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
	echo "No WebKit here: installing Debian's for the tests of the page."
	if apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends \
		webkit2gtk-driver xvfb && present; then
		exit 0
	fi
fi
echo "The tests of the page in WebKit need a driver. Install it (Debian: sudo apt-get install" \
	"webkit2gtk-driver xvfb) and run this again." >&2
exit 1
