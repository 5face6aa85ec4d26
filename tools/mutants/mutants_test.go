package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// small is a module with mutants of every fate: IsBig and Half are tested well, only the package that uses Top tests
// it, and Least has one that no test can tell.
var small = map[string]string{
	"go.mod": "module small\n\ngo 1.26\n",
	"c/c.go": "package c\n\ntype Kind string\n\nconst Big Kind = \"big\"\n",
	"a/a.go": `package a

import "small/c"

func IsBig(k c.Kind) bool { return k == c.Big }

func Half[F ~float32 | ~float64](x F) F { return x / 2 }

func Top(x []int) int { return x[len(x)-1] }

func Least(x []int) int {
	least := x[0]
	for _, v := range x[1:] {
		least = min(least, v)
	}
	return least
}
`,
	"a/a_test.go": `package a

import "testing"

func TestIsBig(t *testing.T) {
	if !IsBig("big") || IsBig("small") {
		t.Error()
	}
}

func TestHalf(t *testing.T) {
	if Half(3.0) != 1.5 {
		t.Error()
	}
}

func TestLeast(t *testing.T) {
	if Least([]int{3, 1, 2}) != 1 || Least([]int{1, 3}) != 1 {
		t.Error()
	}
}
`,
	"b/b.go": "package b\n\nimport \"small/a\"\n\nfunc Last(x []int) int { return a.Top(x) }\n",
	"b/b_test.go": `package b

import "testing"

func TestLast(t *testing.T) {
	if Last([]int{4, 5, 6}) != 6 {
		t.Error()
	}
}
`,
}

func TestUnnoticedMutantsAreReported(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range small {
		write(name, text)
	}
	const list, same = "tools/mutants/equivalents.txt", "a/a.go Least: 1 → 0\n    The first is compared with itself.\n"
	with := func(users ...string) *runner {
		return &runner{root: root, jobs: 2, only: regexp.MustCompile(""), users: users,
			longest: time.Minute}
	}
	try := func(users ...string) int {
		t.Helper()
		n, err := with(users...).test(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	write(list, "")
	if got := try(); got != 3 { // Least's own, and Top's two: + for −, 0 for 1
		t.Errorf("%d to be explained by the package's own tests, want 3", got)
	}
	write(list, same)
	if got := try("b"); got != 0 {
		t.Errorf("%d left once Top's user has tried and Least's is explained", got)
	}
	write(list, same+"a/a.go Half: 2 → 2*2\n    Not so.\n")
	if got := try("b"); got != 1 {
		t.Errorf("%d found wrong with a list that is wrong once", got)
	}
	for _, gone := range []string{"a/a.go Gone: 1 → 0", "d/d.go Half: 1 → 0"} {
		write(list, same+gone+"\n    Gone.\n")
		if _, err := with("b").test(t.Context(), "a"); err == nil || !strings.Contains(err.Error(), gone) {
			t.Errorf("%s is no more and is listed: %v", gone, err)
		}
	}
	write(list, same)
	write("a/a_test.go", "package a\n")
	if got := try(); got < 5 {
		t.Errorf("without tests %d are to be explained", got)
	}
}
