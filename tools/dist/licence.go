package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// licenceFile matches the names of files that must travel with a program.
var licenceFile = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying|notice|copyright|patents)([-.].*)?$`)

// licences returns the licences of all code in the program, in its pages' client, and of Go itself.
func (d *dist) licences(t target) ([]byte, error) {
	const what = "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}"
	modules := map[string]string{}
	for _, of := range []struct {
		env      []string
		packages string
	}{{t.environment(), "./server"}, {[]string{"GOOS=js", "GOARCH=wasm"}, "./wasm"}} {
		list := slices.Concat([]string{"list", "-deps"}, t.tags(), []string{"-f", what, of.packages})
		out, err := d.tool(of.env, "go", list...)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(out)) {
			if name, dir, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
				modules[name] = dir
			}
		}
	}
	goroot, err := d.tool(nil, "go", "env", "GOROOT", "GOVERSION")
	if err != nil {
		return nil, err
	}
	place, version, _ := strings.Cut(strings.TrimSpace(string(goroot)), "\n")
	modules["Go "+version] = place
	names := make([]string, 0, len(modules))
	for name := range modules {
		names = append(names, name)
	}
	slices.Sort(names)
	var text bytes.Buffer
	fmt.Fprintln(&text, "impalab is made with the work of others. Here is what they ask to be kept with it.")
	for _, name := range names {
		if err := licence(&text, name, modules[name]); err != nil {
			return nil, err
		}
	}
	return text.Bytes(), nil
}

// licence adds the files of one module. Debian keeps Go's own beside its folder.
func licence(text *bytes.Buffer, name, dir string) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	found := false
	for _, f := range files {
		if f.IsDir() || !licenceFile.MatchString(f.Name()) {
			continue
		}
		words, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			return err
		}
		found = true
		fmt.Fprintf(text, "\n%s\n%s, %s\n\n%s\n", strings.Repeat("=", 80), name, f.Name(), bytes.TrimSpace(words))
	}
	if !found {
		return fmt.Errorf("%s has no licence in %s, and so may not be given to others", name, dir)
	}
	return nil
}
