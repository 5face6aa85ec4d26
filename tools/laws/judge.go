package main

import (
	"fmt"
	"slices"
	"strings"
)

// violation is one broken rule.
type violation struct{ from, to, why string }

func (v violation) String() string {
	if v.to == "" {
		return fmt.Sprintf("%s %s", v.from, v.why)
	}
	return fmt.Sprintf("%s must not import %s: %s", v.from, v.to, v.why)
}

// judge checks packages against the rules. client is true for packages listed for the browser.
func judge(list []pkg, client bool) (broken []violation) {
	for _, p := range list {
		name := short(p.ImportPath)
		own, known := rowOf(name)
		if !known {
			broken = append(broken, violation{name, "", "has no row: give it one in tools/laws/rules.go, with a reason"})
			continue
		}
		for _, to := range p.Imports {
			if ours(to) {
				broken = append(broken, below(name, own, short(to))...)
			} else if slices.Contains(alone.packages, name) && external(to) && !slices.Contains(alone.allowed, to) {
				broken = append(broken, violation{name, to, alone.reason})
			}
		}
		for _, to := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			for _, r := range exclusive {
				if within(to, r.library) && !slices.Contains(r.only, name) {
					broken = append(broken, violation{name, to, fmt.Sprintf("only %s may: %s", strings.Join(r.only, ", "), r.reason)})
				}
			}
		}
		for _, to := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			for _, s := range strangers {
				if within(name, s.from) && ours(to) && within(short(to), s.to) {
					broken = append(broken, violation{name, short(to), s.reason})
				}
			}
		}
		for _, w := range heavy {
			if name != w.of || w.client && !client {
				continue
			}
			for _, to := range p.Deps {
				for _, library := range w.libraries {
					if within(to, library) {
						broken = append(broken, violation{name, to, "not even through others: " + w.reason})
					}
				}
			}
		}
	}
	return broken
}

// below checks one import between our own packages.
func below(from string, own int, to string) []violation {
	row, known := rowOf(to)
	if !known || row < own { // a package without a row is reported once, under its own name
		return nil
	}
	return []violation{{from, to, fmt.Sprintf("it is in row %d, and %s in row %d: %s", own, to, row,
		rows[own].reason)}}
}

// rowOf returns the row of a package.
func rowOf(name string) (int, bool) {
	for i, r := range rows {
		if slices.Contains(r.packages, name) {
			return i, true
		}
	}
	return 0, false
}

func ours(path string) bool    { return strings.HasPrefix(path, module) }
func short(path string) string { return strings.TrimPrefix(path, module) }

// external reports whether an import path is neither ours nor the standard library's: only those have a dot in
// their first element.
func external(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !ours(path) && strings.Contains(first, ".")
}

// within reports whether a path is a library or lies under it.
func within(path, library string) bool {
	root := strings.TrimSuffix(library, "/")
	return path == root || strings.HasPrefix(path, root+"/")
}
