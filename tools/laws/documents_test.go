package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The documents name tests, files and make targets; each must exist, or the document has become untrue.
func TestTheDocumentsNameWhatExists(t *testing.T) {
	root := filepath.Join("..", "..")
	tests := map[string]bool{}
	grep := exec.Command("grep", "-rhoE", "--include=*_test.go", `^func (Test|Fuzz)[A-Za-z0-9]+`, root)
	out, err := grep.Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		tests[strings.TrimPrefix(strings.TrimSpace(line), "func ")] = true
	}
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	targets := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^([a-z-]+):`).FindAllStringSubmatch(string(makefile), -1) {
		targets[m[1]] = true
	}

	quoted := regexp.MustCompile("`([^`\n]+)`")
	isTest := regexp.MustCompile(`^(Test|Fuzz)[A-Z]\w+$`)
	isFile := regexp.MustCompile(`^[a-z.][a-z0-9_./-]*(\.(go|md|txt|css|sh)|/[a-z0-9_]+)$`)
	made := regexp.MustCompile(`^(bin/|\./data)`) // by make and by the server
	seen := 0
	for _, name := range []string{"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md",
		"RESULTS.md", "docs/api.md", "docs/failures.md", "docs/hosting.md", "docs/speed.md", "docs/tape.md"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range quoted.FindAllStringSubmatch(string(text), -1) {
			word := m[1]
			switch words := strings.Fields(word); {
			case isTest.MatchString(word):
				seen++
				if !tests[word] {
					t.Errorf("%s names %s, which is no test", name, word)
				}
			case len(words) > 1 && words[0] == "make":
				seen++
				if !targets[words[1]] {
					t.Errorf("%s names make %s, which is no target", name, words[1])
				}
			case isFile.MatchString(word) && strings.Contains(word, "/") && !made.MatchString(word):
				seen++
				if _, err := os.Stat(filepath.Join(root, word)); err != nil {
					t.Errorf("%s names %s, which is not there", name, word)
				}
			}
		}
	}
	if seen < 50 {
		t.Errorf("only %d names were found in the documents: are they still written in backquotes?", seen)
	}
}

// A row of SECURITY.md names a package and then its tests, and the attacks that make attack runs by their names.
func TestSecurityNamesTestsWhereTheyAre(t *testing.T) {
	root := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(root, "SECURITY.md"))
	if err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile(filepath.Join(root, "tools", "attack", "promises.go"))
	if err != nil {
		t.Fatal(err)
	}
	attacks := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\t\{"([a-z]+)", "`).FindAllStringSubmatch(string(table), -1) {
		attacks[m[1]] = true
	}
	word := regexp.MustCompile("`([^`]+)`( [a-z]+)?")
	isTest := regexp.MustCompile(`^(Test|Fuzz)[A-Z]\w+$`)
	for row := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(row, "| \n"), " | ")
		if len(cells) != 3 {
			continue
		}
		folder := ""
		for _, m := range word.FindAllStringSubmatch(cells[2], -1) {
			switch {
			case m[1] == "attack":
				if !attacks[strings.TrimSpace(m[2])] {
					t.Errorf("%s: no attack is called%s", cells[0], m[2])
				}
			case isTest.MatchString(m[1]):
				if !declares(t, filepath.Join(root, folder), m[1]) {
					t.Errorf("%s: %s is no test of %q", cells[0], m[1], folder)
				}
			case !strings.HasPrefix(m[1], "-"): // -tags slow
				folder = m[1]
			}
		}
	}
	if len(attacks) < 10 {
		t.Errorf("only %d attacks were found", len(attacks))
	}
}

// The documents say which tests show a figure: go test ./PACKAGE -run NAME.
func TestTheDocumentsRunTestsThatThereAre(t *testing.T) {
	command := regexp.MustCompile("`go test ([^`]+)`")
	pattern, folder := regexp.MustCompile(`-(?:run|bench) ([A-Za-z]+)`), regexp.MustCompile(`\./[a-z/]+`)
	seen := 0
	for _, name := range []string{"README.md", "RESULTS.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/speed.md"} {
		text, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range command.FindAllStringSubmatch(string(text), -1) {
			run, where := pattern.FindStringSubmatch(m[1]), folder.FindString(m[1])
			if run == nil || where == "" {
				continue
			}
			seen++
			if !declares(t, filepath.Join("..", "..", where), `\w*`+run[1]) {
				t.Errorf("%s: no test of %s is called like %s", name, where, run[1])
			}
		}
	}
	if seen < 5 {
		t.Errorf("only %d commands were found", seen)
	}
}

// declares says whether a file of the folder has a test, a fuzz target or a benchmark whose name begins so.
func declares(t *testing.T, folder, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	begins := regexp.MustCompile(`(?m)^func (Test|Fuzz|Benchmark)?` + name)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if begins.Match(text) {
			return true
		}
	}
	return false
}
