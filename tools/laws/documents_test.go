package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The documents name tests, files and make targets. Each must exist.
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
	for _, m := range regexp.MustCompile(`(?m)^([a-z0-9-]+):`).FindAllStringSubmatch(string(makefile), -1) {
		targets[m[1]] = true
	}

	quoted := regexp.MustCompile("`([^`\n]+)`")
	isTest := regexp.MustCompile(`^(Test|Fuzz)[A-Z]\w+$`)
	isFile := regexp.MustCompile(`^[a-z.][a-z0-9_./-]*(\.(go|md|txt|css|sh)|/[a-z0-9_]+)$`)
	made := regexp.MustCompile(`^(bin/|\./data)`) // by make and by the server
	seen := 0
	for name, text := range documents(t) {
		for _, m := range quoted.FindAllStringSubmatch(text, -1) {
			word := m[1]
			switch words := strings.Fields(word); {
			case isTest.MatchString(word):
				seen++
				if !tests[word] {
					t.Errorf("%s names the test %s, which does not exist", name, word)
				}
			case len(words) > 1 && words[0] == "make":
				seen++
				if !targets[words[1]] {
					t.Errorf("%s names make %s, which is not a target", name, words[1])
				}
			case isFile.MatchString(word) && strings.Contains(word, "/") && !made.MatchString(word):
				seen++
				if _, err := os.Stat(filepath.Join(root, word)); err != nil {
					t.Errorf("%s names the file %s, which does not exist", name, word)
				}
			}
		}
	}
	if seen < 50 {
		t.Errorf("only %d names were found in the documents: are they still written in backquotes?", seen)
	}
}

// A row of a table in SECURITY.md is a promise and its tests. The folder of a test stands before it.
func TestSecurityNamesTestsWhereTheyAre(t *testing.T) {
	root := filepath.Join("..", "..")
	quoted := regexp.MustCompile("`([^`]+)`")
	isTest := regexp.MustCompile(`^(Test|Fuzz)[A-Z]\w+$`)
	seen := 0
	for row := range strings.Lines(documents(t)["SECURITY.md"]) {
		cells := strings.Split(strings.Trim(row, "| \n"), " | ")
		if !strings.HasPrefix(row, "|") || len(cells) != 2 || cells[0] == "promise" {
			continue
		}
		folder, tests := "", 0
		for _, m := range quoted.FindAllStringSubmatch(cells[1], -1) {
			switch {
			case isTest.MatchString(m[1]):
				tests++
				if !declares(t, filepath.Join(root, folder), m[1]) {
					t.Errorf("%s: %q has no test %s", cells[0], folder, m[1])
				}
			case !strings.HasPrefix(m[1], "-"): // -tags slow
				folder = m[1]
			}
		}
		if tests == 0 {
			t.Errorf("%s: no test shows it", cells[0])
		}
		seen += tests
	}
	if seen < 60 {
		t.Errorf("SECURITY.md names only %d tests", seen)
	}
}

// The documents name the tests that show a figure: go test ./PACKAGE -run NAME.
func TestTheDocumentsRunTestsThatExist(t *testing.T) {
	command := regexp.MustCompile("`go test ([^`]+)`")
	pattern, folder := regexp.MustCompile(`-(?:run|bench) ([A-Za-z]+)`), regexp.MustCompile(`\./[a-z/]+`)
	seen := 0
	for name, text := range documents(t) {
		for _, m := range command.FindAllStringSubmatch(text, -1) {
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

// documents returns the texts of the documents by their paths.
func documents(t *testing.T) map[string]string {
	t.Helper()
	root := filepath.Join("..", "..")
	texts := map[string]string{}
	for _, pattern := range []string{"*.md", "docs/*.md"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			name, _ := filepath.Rel(root, file)
			texts[filepath.ToSlash(name)] = string(text)
		}
	}
	if len(texts) < 10 {
		t.Fatalf("found only %d documents", len(texts))
	}
	return texts
}

// declares reports whether a file of the folder has a test, a fuzz target or a benchmark whose name begins with name.
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
