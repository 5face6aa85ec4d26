#!/bin/sh
# Checks the words of comments and documents with Vale. Without Vale and without a network it says so and ends well.
set -eu
cd "$(dirname "$0")/../.."

if ! vale=$(go tool -modfile=tools/words/go.mod -n vale 2>/dev/null); then
	echo "Vale cannot be built here: the words are not checked." >&2
	test -z "${NEED_WORDS:-}"
	exit
fi
# The style must find what it is for, and nothing else.
"$vale" --config tools/words/vale.ini --output line --no-exit tools/words/testdata/cases.md |
	cut -d: -f2,4 >bin/words.txt
diff tools/words/testdata/cases.txt bin/words.txt

git ls-files -z '*.go' '*.md' ':!*_templ.go' ':!*testdata*' |
	xargs -0 "$vale" --config tools/words/vale.ini --output line
