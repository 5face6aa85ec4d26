package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ledger stores the verdicts about the mutants of one package. A verdict holds while its program is the same to the
// byte.
type ledger struct {
	Programs map[string]string          // package whose tests ran → hash
	Tests    map[string][]test          // their cost and the mutants they reach
	Killed   map[string]verdict         // by ID
	Survived map[string]map[string]bool // package whose tests ran → IDs

	path  string
	built map[string]string // package whose tests ran → hash of the program of this build
}

// verdict is the test that noticed a mutant. Hash is the hash of its program.
type verdict struct{ Package, Test, Hash string }

func openLedger(path string) (*ledger, error) {
	l := &ledger{Programs: map[string]string{}, Tests: map[string][]test{}, Killed: map[string]verdict{},
		Survived: map[string]map[string]bool{}}
	l.path, l.built = path, map[string]string{}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err == nil {
		err = json.Unmarshal(text, l)
	}
	if err != nil {
		return nil, fmt.Errorf("%w; delete %s to start again", err, path)
	}
	return l, nil
}

// save writes the ledger whole or not at all.
func (l *ledger) save() error {
	text, err := json.Marshal(l)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(l.path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(l.path+".new", text, 0o644); err != nil {
		return err
	}
	return os.Rename(l.path+".new", l.path)
}

// forget drops the verdicts of other programs of a package's tests than the present one.
func (l *ledger) forget(user, hash string) {
	l.built[user] = hash
	if l.Programs[user] != hash {
		l.Programs[user], l.Survived[user] = hash, map[string]bool{}
		delete(l.Tests, user)
	}
}

// left returns the mutants that no test has killed, that no list explains and that have not survived user's tests yet.
func (l *ledger) left(mutants []*Mutant, user string, explained map[string]string) (out []*Mutant) {
	for _, m := range mutants {
		if l.killer(m.ID) == "" && explained[m.ID] == "" && !l.Survived[user][m.ID] {
			out = append(out, m)
		}
	}
	return out
}

// killer returns the test that notices a mutant, as far as the present programs know, or "".
func (l *ledger) killer(id string) string {
	if v, ok := l.Killed[id]; ok && l.built[v.Package] == v.Hash {
		return v.Package + "." + v.Test
	}
	return ""
}

// note records a verdict; killer "" means that the mutant survived.
func (l *ledger) note(id string, p *program, killer string) {
	if killer == "" {
		l.Survived[p.dir][id] = true
	} else {
		l.Killed[id] = verdict{Package: p.dir, Test: killer, Hash: p.hash}
	}
}

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
		return nil, fmt.Errorf("%s: no such mutant any more; correct the line or delete it:\n%s", path,
			strings.Join(stale, "\n"))
	}
	return out, nil
}
