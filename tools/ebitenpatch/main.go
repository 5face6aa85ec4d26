// Command ebitenpatch writes a copy of Ebitengine that makes a smaller client which starts faster, and a go.mod that
// builds with it.
//
// Ebitengine compiles its own shaders when a program starts: from Go's syntax, which text/template writes, to WebGL's
// language. In the copy they are compiled, so the client has no compiler, no parser and no template. A template calls
// methods by their names, so the linker would keep every exported method of everything in the program. The copy takes
// no screenshots, which a variable of the environment allows elsewhere, and does not search for Ebitengine's source. It
// measures its window when the window changes: Ebitengine does so in every frame, and the browser then has to lay out
// the page at once. All other code in it is unchanged.
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

const (
	ebiten  = "github.com/hajimehoshi/ebiten/v2"
	version = "v2.9.9" // in which the replaced files were read
)

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
// root/name.mod and root/name.sum, for go build -modfile.
func write(root, name string) error {
	found, err := packages(root)
	if err != nil {
		return err
	}
	shaders, err := compiled(found, filepath.Join(root, name, "compile"))
	if err != nil {
		return err
	}
	library := filepath.Join(root, name, "ebiten")
	if err := os.RemoveAll(library); err != nil {
		return err
	}
	for _, p := range found {
		within := strings.TrimPrefix(p.ImportPath, ebiten)
		for _, file := range p.files() {
			body, err := os.ReadFile(filepath.Join(p.Dir, file))
			if err != nil {
				return err
			}
			if lean, ok := replaced[within+"/"+file]; ok {
				body = []byte(lean)
			}
			if body, err = edited(within+"/"+file, body); err != nil {
				return err
			}
			if len(body) == 0 {
				continue
			}
			if err := writeFile(filepath.Join(library, filepath.FromSlash(within), file), body); err != nil {
				return err
			}
		}
	}
	if err := writeFile(filepath.Join(library, "internal", "graphics", "shader.go"), shaders); err != nil {
		return err
	}
	return modules(root, name, found[0].Module.Dir)
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
		if err := writeFile(to, body); err != nil {
			return err
		}
	}
	body, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	body = fmt.Appendf(body, "\nreplace %s => ./%s/ebiten\n", ebiten, filepath.ToSlash(name))
	return writeFile(filepath.Join(root, name+".mod"), body)
}

// writeFile writes a file, in a folder that it makes.
func writeFile(file string, body []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, body, 0o644)
}

// source is a package of Ebitengine that is part of the client.
type source struct {
	ImportPath, Dir     string
	GoFiles, EmbedFiles []string
	Module              *struct{ Path, Version, Dir string }
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
	return found, known(found)
}

// known returns an error if the client's Ebitengine may have other code than the files that replace a part of it.
func known(found []source) error {
	if len(found) == 0 {
		return errors.New("the client does not use Ebitengine: nothing to make lean")
	}
	if is := found[0].Module.Version; is != version {
		return fmt.Errorf("ebitenpatch was written for Ebitengine %s, and go.mod has %s. Compare the files that it "+
			"replaces, fix them, and write the new version into tools/ebitenpatch/main.go", version, is)
	}
	return nil
}
