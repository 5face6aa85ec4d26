#!/bin/sh
# Fuzzes every Fuzz target in the repository, each for the time given, one after the other: go test takes one at a time.
set -eu

grep -rlE '^func Fuzz' --include='*_test.go' . | sort | while read -r file; do
	for target in $(sed -nE 's/^func (Fuzz[A-Za-z0-9_]*).*/\1/p' "$file"); do
		echo "== $target in $(dirname "$file"), $1"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "$1" "$(dirname "$file")" || exit 1
	done
done
