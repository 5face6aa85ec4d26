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
	seen := 0
	for _, name := range []string{"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md",
		"docs/failures.md", "docs/speed.md"} {
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
			case isFile.MatchString(word) && strings.Contains(word, "/"):
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
