#!/bin/sh
# Fuzzes every Fuzz target in the repository, each for the time given, one after the other, and says how many inputs that
# were: go test takes one target at a time. Fuzzing compiles all that a package stands on anew, which takes minutes for a
# database: packages that import one are left out where LIGHT=1.
set -eu

said=$(mktemp)
counts=$(mktemp)
trap 'rm -f "$said" "$counts"' EXIT
grep -rlE '^func Fuzz' --include='*_test.go' . | sort | while read -r file; do
	if [ "${LIGHT:-}" = 1 ] && go list -deps "$(dirname "$file")" | grep -q '^modernc.org/sqlite$'; then
		echo "     left out  $file, which stands on a database; make fuzz has it"
		continue
	fi
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
