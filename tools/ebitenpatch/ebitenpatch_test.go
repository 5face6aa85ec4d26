package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"text/template"
)

// original holds two files of a package of Ebitengine as downloaded.
func original(t *testing.T, path, one, other string) (a, b []byte) {
	t.Helper()
	found, err := packages("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range found {
		if p.ImportPath != path {
			continue
		}
		for file, body := range map[string]*[]byte{one: &a, other: &b} {
			if *body, err = os.ReadFile(filepath.Join(p.Dir, file)); err != nil {
				t.Fatal(err)
			}
		}
		return a, b
	}
	t.Fatal("the client has no package " + path)
	return nil, nil
}

func library(t *testing.T) (shader, defs []byte) { return original(t, shaders, "shader.go", "defs.go") }

// templateOf is the template in Ebitengine's shader.go.
func templateOf(t *testing.T, shader []byte) *template.Template {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "shader.go", shader, 0)
	if err != nil {
		t.Fatal(err)
	}
	var text string
	ast.Inspect(file, func(n ast.Node) bool {
		l, ok := n.(*ast.BasicLit)
		if ok && strings.HasPrefix(l.Value, "`//kage:unit pixels") && strings.Contains(l.Value, "{{") {
			text, err = strconv.Unquote(l.Value)
		}
		return true
	})
	if text == "" || err != nil {
		t.Fatalf("no template in shader.go: %v", err)
	}
	return template.Must(template.New("").Parse(text))
}

func TestTheTextsAreThoseOfTheTemplate(t *testing.T) {
	shader, defs := library(t)
	texts, err := textsOf(defs)
	if err != nil {
		t.Fatal(err)
	}
	made := templateOf(t, shader)
	for i, text := range texts {
		var want bytes.Buffer
		if err := made.Execute(&want, map[string]any{
			"Filter": i / 6, "FilterNearest": 0, "FilterLinear": 1, "FilterPixelated": 2,
			"Address": i / 2 % 3, "AddressUnsafe": 0, "AddressClampToZero": 1, "AddressRepeat": 2,
			"UseColorM": i%2 == 1,
		}); err != nil {
			t.Fatal(err)
		}
		if text != want.String() {
			t.Errorf("text %d:\n%s\nwant:\n%s", i, text, want.String())
		}
	}
}

func TestTheFileKeepsWhatItHadButForTheTemplate(t *testing.T) {
	shader, defs := library(t)
	lean, err := withoutTemplate(shader, defs)
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), "shader.go", lean, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(file.Imports) > 0 || bytes.Contains(lean, []byte("{{if")) {
		t.Errorf("it still imports something, or has a template:\n%s", lean)
	}
	for _, name := range []string{"FilterLinear", "AddressRepeat", "ClearShaderSource", "UniformColorMBody",
		"ShaderSource"} {
		if file.Scope.Lookup(name) == nil {
			t.Errorf("%s is gone", name)
		}
	}
}

func TestAnotherFileThanExpectedIsRefused(t *testing.T) {
	shader, defs := library(t)
	for say, files := range map[string][2][]byte{
		"ebitenpatch was written for": {bytes.ReplaceAll(shader, []byte("tmpl"), []byte("source")), defs},
		"17 texts":                    {shader, bytes.Replace(defs, []byte("const _"), []byte("var _"), 1)},
	} {
		if _, err := withoutTemplate(files[0], files[1]); err == nil || !strings.Contains(err.Error(), say) {
			t.Errorf("%v, want %q", err, say)
		}
	}
}
