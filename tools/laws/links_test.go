package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Links between documents lead to files that are there, and to headings of them.
func TestTheDocumentsLinksLead(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	seen := 0
	for _, pattern := range []string{"*.md", "docs/*.md", "notebooks/*.md"} {
		documents, err := filepath.Glob(filepath.Join("..", "..", pattern))
		if err != nil || len(documents) == 0 {
			t.Fatal(pattern, err)
		}
		for _, from := range documents {
			text, err := os.ReadFile(from)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range link.FindAllStringSubmatch(string(text), -1) {
				if strings.HasPrefix(m[1], "https://") {
					continue
				}
				seen++
				name, heading, _ := strings.Cut(m[1], "#")
				to := from
				if name != "" {
					to = filepath.Join(filepath.Dir(from), name)
				}
				if !leads(to, heading) {
					t.Errorf("%s: nothing is at %s", from, m[1])
				}
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d links were found", seen)
	}
}

// leads says whether the file is there and, unless heading is "", has a heading that GitHub gives this name.
func leads(file, heading string) bool {
	info, err := os.Stat(file)
	if err != nil || info.IsDir() || heading == "" {
		return err == nil && (heading == "" || !info.IsDir())
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return false
	}
	other := regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(string(text), -1) {
		if strings.ReplaceAll(other.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-") == heading {
			return true
		}
	}
	return false
}
