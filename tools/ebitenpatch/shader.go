package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	_ "embed"
)

// The packages of Ebitengine that compile a shader. The client needs their result only.
var compiling = []string{"/internal/builtinshader", "/internal/graphics", "/internal/shader", "/internal/shaderir",
	"/internal/shaderir/glsl"}

// compile is the program that compiles Ebitengine's own shaders and prints the result as a Go file.
//
//go:embed testdata/compile/main.go
var compile []byte

// compiled returns the copy's file /internal/graphics/shader.go. It runs Ebitengine's own compiler, in a module in dir.
func compiled(found []source, dir string) ([]byte, error) {
	for _, p := range found {
		within := strings.TrimPrefix(p.ImportPath, ebiten)
		if !slices.Contains(compiling, within) {
			continue
		}
		for _, file := range p.files() {
			body, err := os.ReadFile(filepath.Join(p.Dir, file))
			if err != nil {
				return nil, err
			}
			if err := writeFile(filepath.Join(dir, filepath.FromSlash(within), file), body); err != nil {
				return nil, err
			}
		}
	}
	for file, body := range map[string][]byte{"go.mod": []byte("module " + ebiten + "\n\ngo 1.24\n"), "main.go": compile} {
		if err := writeFile(filepath.Join(dir, file), body); err != nil {
			return nil, err
		}
	}
	run := exec.Command("go", "run", ".")
	run.Dir, run.Stderr = dir, os.Stderr
	run.Env = append(os.Environ(), "GOOS=", "GOARCH=", "GOFLAGS=", "GOWORK=off")
	out, err := run.Output()
	if err != nil {
		return nil, fmt.Errorf("compiling Ebitengine's shaders: %w", err)
	}
	return out, nil
}
