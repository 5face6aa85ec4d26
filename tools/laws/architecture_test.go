package main

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestArchitectureHasEveryPackageInItsRow(t *testing.T) {
	text, err := os.ReadFile("../../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "| row | packages | purpose |")
	names := regexp.MustCompile("`([^`]*)`")
	told := make([][]string, len(rows))
	at := 0
	for _, line := range strings.Split(table, "\n") {
		cells := strings.Split(line, "|")
		if len(cells) < 4 || strings.Contains(line, "---") {
			if len(told[len(told)-1]) > 0 && line == "" {
				break
			}
			continue
		}
		if n, err := strconv.Atoi(strings.TrimSpace(cells[1])); err == nil {
			at = n
		}
		for _, m := range names.FindAllStringSubmatch(cells[2], -1) {
			told[at] = append(told[at], m[1])
		}
	}
	for i, r := range rows {
		for _, p := range r.packages {
			if !slices.Contains(told[i], p) {
				t.Errorf("%s is in row %d, and not there in ARCHITECTURE.md", p, i)
			}
		}
		for _, p := range told[i] {
			if !slices.Contains(r.packages, p) {
				t.Errorf("ARCHITECTURE.md has %s in row %d, and tools/laws/rules.go does not", p, i)
			}
		}
	}
}
