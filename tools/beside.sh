#!/bin/sh
# Runs two commands side by side: the first writes into a log, which is shown when both have ended. Fails if either
# does.
#
#   tools/beside.sh LOG COMMAND COMMAND
set -u
mkdir -p "$(dirname "$1")"
echo "$2    (beside what follows; shown at the end)"
sh -c "$2" >"$1" 2>&1 &
first=$!
echo "$3"
sh -c "$3"
second=$?
wait "$first"
first=$?
cat "$1"
[ "$first" = 0 ] && [ "$second" = 0 ]
