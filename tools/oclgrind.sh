#!/bin/sh
# Oclgrind interprets OpenCL kernels and reports data races: a second witness beside PoCL, for make check. If it is
# missing, this installs Debian's if it may (250 MB), or says what to install.
set -eu

[ -e /usr/lib/oclgrind/liboclgrind-rt-icd.so ] && exit 0
if [ "$(uname -sm)" = "Linux x86_64" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
	echo "Oclgrind is missing: installing Debian's for the slow tests of devices."
	apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends oclgrind && exit 0
fi
echo "The slow tests of devices need Oclgrind. Install it (Debian: sudo apt-get install oclgrind)." >&2
exit 1
