package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// plant makes a small module of our name with the files given.
func plant(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module impalab\n\ngo 1.26.0\n"
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestAPlantedViolationIsFoundWithItsReason(t *testing.T) {
	ground := "package envs\n"
	for _, c := range []struct {
		name  string
		files map[string]string
		want  []string // parts of the one violation; none: all is well
	}{
		{"downwards", map[string]string{
			"envs/a.go": ground, "learner/hyper/a.go": "package hyper\n\nimport _ \"impalab/envs\"\n"}, nil},
		{"upwards", map[string]string{
			"envs/a.go": "package envs\n\nimport _ \"impalab/learner/hyper\"\n", "learner/hyper/a.go": "package hyper\n"},
			[]string{"envs must not import learner/hyper", "row 2", "row 3", "stand on nothing"}},
		{"sideways", map[string]string{
			"learner/optim/a.go": "package optim\n\nimport _ \"impalab/learner/hyper\"\n",
			"learner/hyper/a.go": "package hyper\n"},
			[]string{"learner/optim must not import learner/hyper", "not who learns"}},
		{"in the browser only", map[string]string{
			"envs/a.go": ground, "envs/b.go": "//go:build js\n\npackage envs\n\nimport _ \"impalab/web/page\"\n",
			"web/page/a.go": "package page\n"},
			[]string{"envs must not import web/page"}},
		{"a library with one importer", map[string]string{
			"learner/algo/a.go": "package algo\n\nimport _ \"gorgonia.org/gorgonia\"\n"},
			[]string{"learner/algo must not import gorgonia.org/gorgonia", "only learner/graph may"}},
		{"a library with one importer, in a test", map[string]string{
			"web/page/a.go":      "package page\n",
			"web/page/a_test.go": "package page\n\nimport _ \"github.com/labstack/echo/v4\"\n"},
			[]string{"web/page must not import github.com/labstack/echo/v4", "only server/site may"}},
		{"a library under the mathematics", map[string]string{
			"learner/correct/a.go": "package correct\n\nimport _ \"example.org/matrix\"\n"},
			[]string{"learner/correct must not import example.org/matrix", "nothing to download"}},
		{"the page under the learner", map[string]string{
			"web/wire/a.go": "package wire\n", "learner/actor/a.go": "package actor\n\nimport _ \"impalab/web/wire\"\n"},
			[]string{"learner/actor must not import web/wire", "without a page"}},
		{"the server under the learner", map[string]string{
			"server/atomicfile/a.go": "package atomicfile\n",
			"learner/trial/a.go":     "package trial\n\nimport _ \"impalab/server/atomicfile\"\n"},
			[]string{"learner/trial must not import server/atomicfile", "without a server"}},
		{"the page under a test of the learner", map[string]string{
			"web/wire/a.go": "package wire\n", "learner/actor/a.go": "package actor\n",
			"learner/actor/a_test.go": "package actor\n\nimport _ \"impalab/web/wire\"\n"},
			[]string{"learner/actor must not import web/wire", "without a page"}},
		{"a page that knows the server", map[string]string{
			"server/store/a.go": "package store\n",
			"web/page/a.go":     "package page\n\nimport _ \"impalab/server/store\"\n"},
			[]string{"web/page must not import server/store", "which fills them"}},
		{"the client under the server", map[string]string{
			"wasm/run/a.go":   "package run\n",
			"server/lab/a.go": "package lab\n\nimport _ \"impalab/wasm/run\"\n"},
			[]string{"server/lab must not import wasm/run", "a program of its own"}},
		{"no row", map[string]string{"server/attic/a.go": "package attic\n"},
			[]string{"server/attic has no row", "tools/laws/rules.go"}},
		{"heavy through another", map[string]string{
			"wasm/a.go":      "package main\n\nimport _ \"impalab/wasm/page\"\n\nfunc main() {}\n",
			"wasm/page/a.go": "package page\n\nimport _ \"encoding/json\"\n"},
			[]string{"wasm must not import encoding/json", "every visitor downloads"}},
		{"the graph in the learner, through another", map[string]string{
			"learner/a.go":       "package learner\n\nimport _ \"impalab/learner/algo\"\n",
			"learner/algo/a.go":  "package algo\n\nimport _ \"impalab/learner/graph\"\n",
			"learner/graph/a.go": "package graph\n"},
			[]string{"learner must not import impalab/learner/graph", "stored programs"}},
		{"a long line", map[string]string{
			"envs/a.go": ground + "\n// " + strings.Repeat("π", 117) + "\n// " + strings.Repeat("π", 118) + "\n"},
			[]string{"envs/a.go:4 has 121 characters", "120 at most"}},
		{"a long line of a script", map[string]string{
			"envs/a.go": ground, "tools/a.sh": "# " + strings.Repeat("a", 120) + "\n"},
			[]string{"tools/a.sh:1 has 122 characters"}},
		{"a long line of a room's script", map[string]string{
			"envs/a.go": ground, "static/class.js": "// " + strings.Repeat("a", 120) + "\n"},
			[]string{"static/class.js:1 has 123 characters"}},
		{"a bad word in a text", map[string]string{
			"envs/a.go": "package envs\n\nimport \"errors\"\n\nvar a = errors.New(`a world\nthat nobody has`)\n"},
			[]string{"envs/a.go:6", `"nobody"`, "no viewer"}},
		{"a bad word on a page", map[string]string{
			"envs/a.go": ground, "web/a.templ": "package web\n\n<p>The run goes on.</p>\n"},
			[]string{"web/a.templ:3", `"goes on"`, "continues"}},
		{"words that may be", map[string]string{
			"envs/a.go":      ground + "\n// Nobody looks here.\nvar nobody = \"Break and mend, Break-and-mend\"\n",
			"envs/a_test.go": "package envs\n\nvar b = \"nobody\"\n"}, nil},
		{"long lines that may be", map[string]string{
			"envs/a.go": ground + "\nconst a = `" + strings.Repeat("a", 120) + "`\n",
			"envs/b.go": "// Code generated by hand, " + strings.Repeat("a", 120) + "\n\npackage envs\n"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			broken, _, err := check(plant(t, c.files))
			if err != nil {
				t.Fatal(err)
			}
			if len(c.want) == 0 {
				if len(broken) > 0 {
					t.Errorf("all is well, but: %v", broken)
				}
				return
			}
			if len(broken) != 1 {
				t.Fatalf("want one violation, have %v", broken)
			}
			for _, part := range c.want {
				if !strings.Contains(broken[0].String(), part) {
					t.Errorf("%q does not say %q", broken[0], part)
				}
			}
		})
	}
}

func TestEachPackageStandsInOneRow(t *testing.T) {
	seen := map[string]int{}
	for i, r := range rows {
		for _, p := range r.packages {
			if at, twice := seen[p]; twice {
				t.Errorf("%s stands in rows %d and %d", p, at, i)
			}
			seen[p] = i
		}
		if r.reason == "" {
			t.Errorf("row %d has no reason", i)
		}
	}
}
