#!/bin/sh
# The tests of devices need one. PoCL is an OpenCL driver that computes on the processor, as slow as it is exact. Where
# there is none, Debian's is installed if we may (271 MB); if we may not, this says what to install.
set -eu

for folder in /usr/lib/x86_64-linux-gnu /usr/lib /usr/lib64 /usr/local/lib; do
	[ -e "$folder/libpocl.so.2" ] && exit 0
done
if [ "$(uname -sm)" = "Linux x86_64" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
	echo "No PoCL here: installing Debian's for the tests of devices."
	if apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends \
		pocl-opencl-icd; then
		exit 0
	fi
fi
echo "The tests of devices need PoCL. Install it (Debian: sudo apt-get install pocl-opencl-icd)." >&2
exit 1
