package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// longest is the number of characters that a line may have; a tab counts as one.
const longest = 120

// longLines finds the lines of Go, of shell scripts and of the Makefile that are too long. It allows generated files,
// and lines with a raw string: a struct tag, a formula, a table.
func longLines(dir string) (broken []violation, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		if d.IsDir() {
			if slices.Contains([]string{".git", "bin", "testdata"}, d.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		if !slices.Contains([]string{".go", ".sh"}, filepath.Ext(name)) && d.Name() != "Makefile" && name != ".ci/run" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil || bytes.HasPrefix(text, []byte("// Code generated ")) {
			return err
		}
		n := 0
		for line := range strings.Lines(string(text)) {
			n++
			long := utf8.RuneCountInString(strings.TrimSuffix(line, "\n"))
			if long > longest && !strings.Contains(line, "`") {
				broken = append(broken, violation{fmt.Sprintf("%s:%d", name, n), "",
					fmt.Sprintf("has %d characters; a line has %d at most", long, longest)})
			}
		}
		return nil
	})
	return broken, err
}
