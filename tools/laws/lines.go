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

// eachSource calls see with the text of every file that people wrote and that is chosen by its name.
func eachSource(dir string, chosen func(name string) bool, see func(name string, text []byte) error) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains([]string{".git", "bin", "testdata"}, d.Name()) {
			return filepath.SkipDir
		}
		name, _ := filepath.Rel(dir, path)
		if name = filepath.ToSlash(name); d.IsDir() || !chosen(name) {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil || bytes.HasPrefix(text, []byte("// Code generated ")) {
			return err
		}
		return see(name, text)
	})
}

// longest is the number of characters that a line may have; a tab counts as one.
const longest = 120

// longLines finds the lines of Go, of shell scripts, of the rooms' scripts and of the Makefile that are too long. It
// allows lines with a raw string: a struct tag, a formula, a table.
func longLines(dir string) (broken []violation, err error) {
	err = eachSource(dir, func(name string) bool {
		return slices.Contains([]string{".go", ".sh"}, filepath.Ext(name)) || filepath.Base(name) == "Makefile" ||
			name == ".ci/run" || strings.HasPrefix(name, "static/class") && strings.HasSuffix(name, ".js")
	}, func(name string, text []byte) error {
		for _, l := range lines(text) {
			long := utf8.RuneCountInString(l.text)
			if long > longest && !strings.Contains(l.text, "`") {
				broken = append(broken, violation{fmt.Sprintf("%s:%d", name, l.line), "",
					fmt.Sprintf("has %d characters; a line has %d at most", long, longest)})
			}
		}
		return nil
	})
	return broken, err
}
