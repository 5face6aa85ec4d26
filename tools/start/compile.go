package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// root is the folder of impalab's go.mod, from the folder of this module.
const root = ".."

// modules are the programs for browsers by the name of their file in bin.
var modules = map[string]struct {
	pkg   string
	flags []string
}{
	// The client is built with a copy of Ebitengine that leaves out what only makes it larger and slower to start: see
	// tools/ebitenpatch.
	"app.wasm": {"./wasm", []string{"-modfile=bin/client.mod"}},
	// A program with this tag imports static/kernels.js.
	"worker.wasm":   {"./wasm/worker", []string{"-tags=simd128"}},
	"exercise.wasm": {"./wasm/exercise", nil},
}

// compile writes files into bin. flags are more flags for go build.
func compile(names []string, flags ...string) error {
	for _, name := range names {
		var err error
		switch m, known := modules[name]; {
		case known:
			err = module(name, m.pkg, append(flags, m.flags...))
		case name == "client.mod":
			err = clientMod()
		case name == "wasm_exec.js":
			err = wasmExec()
		default:
			err = fmt.Errorf("no file of bin is named %s; -h lists them", name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// module compiles a module. The same source gives the same bytes: no paths, no commit inside. The file appears when it
// is whole, and keeps its date if it is the same.
func module(name, pkg string, flags []string) error {
	if name == "app.wasm" {
		if err := clientMod(); err != nil {
			return err
		}
	}
	if err := hide(name); err != nil {
		return err
	}
	hidden := filepath.Join("bin", ".hidden", name)
	flags = append([]string{"-trimpath", "-buildvcs=false"}, flags...)
	if err := build(hidden, pkg, flags, "GOOS=js", "GOARCH=wasm"); err != nil {
		return err
	}
	return os.Rename(filepath.Join(root, hidden), filepath.Join(root, "bin", name))
}

// hide moves a file of bin to where go build finds it and the server does not.
func hide(name string) error {
	hidden := filepath.Join(root, "bin", ".hidden")
	err := os.MkdirAll(hidden, 0o755)
	if err == nil {
		err = os.Rename(filepath.Join(root, "bin", name), filepath.Join(hidden, name))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// clientMod writes bin/client.mod and the copy of Ebitengine, if something that they are made of is newer.
func clientMod() error {
	made, err := os.Stat(filepath.Join(root, "bin", "client.mod"))
	from, _ := filepath.Glob(filepath.Join("ebitenpatch", "*.go"))
	current := err == nil
	for _, file := range append(from, filepath.Join(root, "go.mod"), filepath.Join(root, "go.sum")) {
		if source, err := os.Stat(file); err != nil {
			return err
		} else if current && source.ModTime().After(made.ModTime()) {
			current = false
		}
	}
	if current {
		return nil
	}
	patch := exec.Command("go", "run", "./ebitenpatch", "-C", root, "bin/client")
	patch.Stdout, patch.Stderr = os.Stderr, os.Stderr
	return patch.Run()
}

// wasmExec copies wasm_exec.js, which must come from the compiler of the client.
func wasmExec() error {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("go env GOROOT: %w", err)
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return err
	}
	file := filepath.Join(root, "bin", "wasm_exec.js")
	if old, err := os.ReadFile(file); err == nil && bytes.Equal(old, text) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

// quicker are flags that save the compiler a third of its time: no debug information, and no inlining in packages that
// neither train nor draw. Go's own packages are left as they are, since this program has them compiled already.
var quicker = []struct{ packages, flags string }{
	{"gorgonia.org/...", "-dwarf=false"},
	{"gonum.org/...", "-dwarf=false"},
	{"golang.org/...", "-dwarf=false"},
	{"google.golang.org/...", "-dwarf=false"},
	{"impalab/...", "-dwarf=false"},
	{"impalab/server/...", "-dwarf=false -l"},
	{"impalab/web/page", "-dwarf=false -l"},
	{"github.com/...", "-dwarf=false -l"},
	{"modernc.org/...", "-dwarf=false -l"},
}

// native returns the flags for a program of this machine. Compilers for other processors than amd64 make one
// instruction, which rounds once, of a product and a sum, and so other bits than a browser's, unless they are told not
// to.
func native() []string {
	var flags []string
	unfused := ""
	if runtime.GOARCH != "amd64" {
		unfused = " -d=fmahash=qn"
		flags = append(flags, "-gcflags=all="+unfused)
	}
	for _, q := range quicker {
		flags = append(flags, "-gcflags="+q.packages+"="+q.flags+unfused)
	}
	return flags
}

// build compiles a package of impalab into a file, without debug information.
func build(to, pkg string, flags []string, env ...string) error {
	compiler := exec.Command("go", append(append([]string{"build", "-v", "-ldflags=-s -w", "-o", to}, flags...), pkg)...)
	compiler.Dir, compiler.Env = root, append(os.Environ(), env...)
	compiler.Stdout, compiler.Stderr = os.Stderr, shown
	if err := compiler.Run(); err != nil {
		return fmt.Errorf("%s is not compiled: %w", to, err)
	}
	return nil
}
