#!/bin/sh
# The test of notebooks/corrections.py needs a Python that has NumPy. Where it is missing, Debian's is installed if we
# may; if we may not, this says what to install.
set -eu

present() { /usr/bin/python3 -c 'import numpy' 2>/dev/null || python3 -c 'import numpy' 2>/dev/null; }

present && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
	echo "No NumPy here: installing Debian's for the test of the corrections in Python."
	if apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends python3-numpy &&
		present; then
		exit 0
	fi
fi
echo "The test of the corrections in Python needs NumPy. Install it (Debian: sudo apt-get install python3-numpy) and" \
	"run this again." >&2
exit 1
