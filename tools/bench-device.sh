#!/bin/sh
# Trains the same things on the processor and on a device, one after the other, and prints what bench --json says.
#
#   tools/bench-device.sh DEVICE [SECONDS]
#
# PoCL is no device to measure: it computes on the processor.
set -eu
cd "$(dirname "$0")/.."
device=${1:-auto}
seconds=${2:-10}

bin/impalab devices
while read -r what; do
	for on in cpu "$device"; do
		# shellcheck disable=SC2086 # $what is several words
		bin/impalab bench --json --seconds "$seconds" --device "$on" $what
	done
done <<EOF
--world cartpole
--world cartpole --set batch=256
--world breakout --set torso=shallow --set hidden=128
--world breakout --set torso=shallow --set hidden=128 --set batch=256
--world breakout --set torso=deep
--world breakout --set torso=deep --set batch=128
--world catch --set lstm=128
--world catch --set lstm=128 --set batch=256
--world rooms-collect
EOF
