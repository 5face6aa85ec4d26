package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// readEquivalents reads the mutants of a package that compute the same: a line with the ID, then the reason, indented.
// A line that names none of them is an error.
func readEquivalents(root, dir string, mutants []*Mutant) (map[string]string, error) {
	path := filepath.Join(root, "tools", "mutants", "equivalents.txt")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	out, id := map[string]string{}, ""
	for n, line := range strings.Split(string(text), "\n") {
		switch trimmed := strings.TrimSpace(line); {
		case trimmed == "" || trimmed[0] == '#':
		case line == strings.TrimLeft(line, " \t"):
			if id != "" && out[id] == "" {
				return nil, fmt.Errorf("%s:%d: the mutant above has no reason", path, n+1)
			}
			id = trimmed
		case id == "":
			return nil, fmt.Errorf("%s:%d: a reason without a mutant", path, n+1)
		default:
			out[id] = strings.TrimSpace(out[id] + " " + trimmed)
		}
	}
	var stale []string
	for id := range out {
		file, _, _ := strings.Cut(id, " ")
		there := slices.ContainsFunc(mutants, func(m *Mutant) bool { return m.ID == id })
		if filepath.Dir(file) != dir { // another package's: only its file must exist
			delete(out, id)
			_, err := os.Stat(filepath.Join(root, file))
			there = err == nil
		}
		if !there {
			stale = append(stale, id)
		}
	}
	if stale != nil {
		slices.Sort(stale)
		return nil, fmt.Errorf("%s: no such mutant; correct the line or delete it:\n%s", path,
			strings.Join(stale, "\n"))
	}
	return out, nil
}
