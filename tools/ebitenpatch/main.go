// Command ebitenpatch writes a copy of Ebitengine that makes a smaller client which starts faster, and a go.mod that
// builds with it.
//
// Ebitengine makes the texts of its own shaders with text/template when a program starts. A template calls methods by
// their names, so the linker keeps every exported method of everything in the program, from time zones to prime
// numbers. That is a sixth of the client. Ebitengine also has the finished texts in a generated file that it does not
// use yet; in the copy its function returns them. It also compiles three of these shaders before main begins, which is
// most of the loading time of a page. In the copy each is compiled on its first use. All other code in the copy is
// unchanged.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const ebiten = "github.com/hajimehoshi/ebiten/v2"

// changes are the changed files of the copy, by their path within Ebitengine.
var changes = map[string]func(dir string, body []byte) ([]byte, error){
	"/internal/builtinshader/shader.go": func(dir string, body []byte) ([]byte, error) {
		texts, err := os.ReadFile(filepath.Join(dir, "defs.go"))
		if err != nil {
			return nil, err
		}
		return withoutTemplate(body, texts)
	},
	"/internal/restorable/shader.go": func(_ string, body []byte) ([]byte, error) { return compiledLater(body) },
	"/internal/restorable/image.go":  func(_ string, body []byte) ([]byte, error) { return drawnWithCompiled(body) },
}

func main() {
	root := flag.String("C", ".", "folder of the module whose client is built")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: ebitenpatch [-C ROOT] NAME  (writes NAME.mod, NAME.sum, NAME/ebiten)")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := write(*root, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "ebitenpatch:", err)
		os.Exit(1)
	}
}

// write writes the copy to root/name/ebiten. It writes go.mod and go.sum with the copy in the library's place to
// root/name.mod and root/name.sum, for go build -modfile. Files with the right content keep their date.
func write(root, name string) error {
	packages, err := packages(root)
	if err != nil {
		return err
	}
	for _, p := range packages {
		for _, file := range p.files() {
			body, err := os.ReadFile(filepath.Join(p.Dir, file))
			if err != nil {
				return err
			}
			if change := changes[strings.TrimPrefix(p.ImportPath, ebiten)+"/"+file]; change != nil {
				if body, err = change(p.Dir, body); err != nil {
					return fmt.Errorf("%s: %w", filepath.Join(p.Dir, file), err)
				}
			}
			within := strings.TrimPrefix(p.ImportPath, ebiten)
			if err := keep(filepath.Join(root, name, "ebiten", filepath.FromSlash(within), file), body); err != nil {
				return err
			}
		}
	}
	return modules(root, name, packages[0].Module.Dir)
}

// modules writes the files for -modfile: go.mod with one replacement, which is relative to the module's folder.
func modules(root, name, library string) error {
	for from, to := range map[string]string{
		filepath.Join(library, "go.mod"):  filepath.Join(root, name, "ebiten", "go.mod"),
		filepath.Join(library, "LICENSE"): filepath.Join(root, name, "ebiten", "LICENSE"),
		filepath.Join(root, "go.sum"):     filepath.Join(root, name+".sum"),
	} {
		body, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		if err := keep(to, body); err != nil {
			return err
		}
	}
	body, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	body = fmt.Appendf(body, "\nreplace %s => ./%s/ebiten\n", ebiten, filepath.ToSlash(name))
	return keep(filepath.Join(root, name+".mod"), body)
}

// keep writes a file unless it has this content.
func keep(file string, body []byte) error {
	if have, err := os.ReadFile(file); err == nil && bytes.Equal(have, body) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, body, 0o644)
}

// source is a package of Ebitengine that is part of the client.
type source struct {
	ImportPath, Dir     string
	GoFiles, EmbedFiles []string
	Module              *struct{ Path, Dir string }
}

func (s *source) files() []string {
	return append(s.GoFiles[:len(s.GoFiles):len(s.GoFiles)], s.EmbedFiles...)
}

func packages(root string) (found []source, err error) {
	list := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,GoFiles,EmbedFiles,Module", "./wasm")
	list.Dir, list.Stderr = root, os.Stderr
	list.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for in := json.NewDecoder(bytes.NewReader(out)); ; {
		var p source
		if err := in.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		if p.Module != nil && p.Module.Path == ebiten {
			found = append(found, p)
		}
	}
	if len(found) == 0 {
		return nil, errors.New("the client does not use Ebitengine: nothing to make lean")
	}
	return found, nil
}
