package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestTheClientHasNeitherACompilerNorTemplates(t *testing.T) {
	dir := t.TempDir()
	name, err := filepath.Rel(mustAbs(t, "../.."), filepath.Join(dir, "client"))
	if err != nil {
		t.Fatal(err)
	}
	if err := write("../..", name); err != nil {
		t.Fatal(err)
	}
	list := exec.Command("go", "list", "-deps", "-modfile="+filepath.Join(dir, "client.mod"), "./wasm")
	list.Dir, list.Stderr = "../..", os.Stderr
	list.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := strings.Fields(string(out))
	if !slices.Contains(packages, ebiten) {
		t.Fatalf("the client has no %s", ebiten)
	}
	for _, p := range packages {
		if strings.HasPrefix(p, "go/") ||
			slices.Contains([]string{"text/template", "regexp", "math/big", "archive/zip"}, p) {
			t.Errorf("the client has %s", p)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "client", "ebiten", "internal", "graphics", "shader.go"))
	if err != nil {
		t.Fatal(err)
	}
	shaders(t, string(text))
}

// shaders checks that the four shaders are whole. All of them read the projection's sixteen words and no other uniform.
func shaders(t *testing.T, text string) {
	t.Helper()
	parts := strings.Split(text, "UniformNames:")[1:]
	if len(parts) != 4 {
		t.Fatalf("%d shaders, want 4", len(parts))
	}
	for i, part := range parts {
		_, used, _ := strings.Cut(part, "Used:")
		used, _, _ = strings.Cut(used, "\n")
		if n := strings.Count(used, "0x1"); n != 16 {
			t.Errorf("shader %d reads %d words of its uniforms, want 16", i, n)
		}
		for _, kind := range []string{"Vertex:", "Fragment:"} {
			_, code, _ := strings.Cut(part, kind)
			code, _, _ = strings.Cut(code, ",\n")
			code, err := strconv.Unquote(strings.TrimSpace(code))
			if err != nil || !strings.HasPrefix(code, "#version 300 es\n") || !strings.Contains(code, "void main(void) {") {
				t.Errorf("shader %d, %s %v\n%s", i, kind, err, code)
			}
		}
	}
}

func mustAbs(t *testing.T, path string) string {
	t.Helper()
	abs, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return abs
}

func TestAnotherEbitengineThanExpectedIsRefused(t *testing.T) {
	found, err := packages("../..")
	if err != nil {
		t.Fatal(err)
	}
	if err := known(found); err != nil {
		t.Error(err)
	}
	found[0].Module.Version = "v2.9.10"
	if err := known(found); err == nil || !strings.Contains(err.Error(), "v2.9.10") {
		t.Errorf("another version: %v", err)
	}
	if err := known(nil); err == nil {
		t.Error("a client without Ebitengine")
	}
}

func TestAFileThatLacksTheEditedLinesIsRefused(t *testing.T) {
	for _, e := range edits {
		body, err := edited(e.file, []byte("package ui\n"))
		if err == nil || body != nil || !strings.Contains(err.Error(), e.file) {
			t.Errorf("%s: %v", e.file, err)
		}
	}
	if body, err := edited("/other.go", []byte("package ui\n")); err != nil || string(body) != "package ui\n" {
		t.Errorf("another file: %q, %v", body, err)
	}
}
