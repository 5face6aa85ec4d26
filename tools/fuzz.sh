#!/bin/sh
# Fuzzes every Fuzz target in the repository, each for the time given, one after the other, and says how many inputs that
# were: go test takes one target at a time.
set -eu

said=$(mktemp)
counts=$(mktemp)
trap 'rm -f "$said" "$counts"' EXIT
grep -rlE '^func Fuzz' --include='*_test.go' . | sort | while read -r file; do
	for target in $(sed -nE 's/^func (Fuzz[A-Za-z0-9_]*).*/\1/p' "$file"); do
		if ! go test -run '^$' -fuzz "^$target\$" -fuzztime "$1" -fuzzminimizetime 10x "$(dirname "$file")" >"$said" 2>&1; then
			cat "$said"
			exit 1
		fi
		n=$(sed -nE 's/.*execs: ([0-9]+).*/\1/p' "$said" | tail -n 1)
		echo "${n:-0}" >>"$counts"
		printf '%12d  %s in %s, %s\n' "${n:-0}" "$target" "$(dirname "$file")" "$1"
	done
done
awk '{ sum += $1 } END { printf "%12d  inputs in all, no crash\n", sum }' "$counts"
