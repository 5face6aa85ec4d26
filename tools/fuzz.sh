#!/bin/sh
# Fuzzes every Fuzz target in the repository, each for the time given and on a core of its own, and says how many inputs
# that were.
#
#   tools/fuzz.sh TIME
#
# The fuzzer notes which of our own lines an input reaches. go test -fuzz notes those of libraries too and compiles them
# all anew for that, which takes minutes for a database.
set -eu

# one fuzzes one target: TIME WORK DIR TARGET.
one() {
	binary=$2/$(basename "$3").test
	said=$binary.$4
	if ! (cd "$3" && exec "$binary" -test.run '^$' -test.fuzz "^$4\$" -test.fuzztime "$1" -test.fuzzminimizetime 10x \
		-test.parallel 1 -test.fuzzcachedir "$(cat "$binary.cache")") >"$said" 2>&1; then
		# Go may take its own deadline for a failure (golang.org/issue/75804, gone with Go 1.27).
		if ! grep -q 'context deadline exceeded' "$said" || grep -q 'Failing input' "$said"; then
			cat "$said"
			exit 1
		fi
	fi
	if grep 'not built with coverage' "$said"; then
		exit 1
	fi
	n=$(sed -nE 's/.*execs: ([0-9]+).*/\1/p' "$said" | tail -n 1)
	printf '%12d  %s in %s, %s\n' "${n:-0}" "$4" "$3" "$1" | tee -a "$2/counts"
}

if [ $# = 4 ]; then
	one "$@"
	exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
touch "$work/targets" "$work/counts"
dirs=$(grep -rlE '^func Fuzz' --include='*_test.go' . | xargs -n 1 dirname | sort -u)
go test -c -vet off -gcflags 'impalab/...=-d=libfuzzer' -ldflags '-s -w' -o "$work/" $dirs
for dir in $dirs; do
	echo "$(go env GOCACHE)/fuzz/$(go list "$dir")" >"$work/$(basename "$dir").test.cache"
	sed -nE 's/^func (Fuzz[A-Za-z0-9_]*).*/\1/p' "$dir"/*_test.go | sed "s|^|$1 $work $dir |" >>"$work/targets"
done
xargs -n 4 -P "$(getconf _NPROCESSORS_ONLN)" sh "$0" <"$work/targets"
awk '{ sum += $1 } END { printf "%12d  inputs in all, no crash\n", sum }' "$work/counts"
