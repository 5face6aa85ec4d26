package main

import (
	"bytes"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

func restorable(t *testing.T) (shader, image []byte) {
	return original(t, ebiten+"/internal/restorable", "shader.go", "image.go")
}

func TestNothingIsCompiledBeforeItIsDrawnWith(t *testing.T) {
	shader, image := restorable(t)
	shader, err := compiledLater(shader)
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), "shader.go", shader, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	_, within, found := strings.Cut(string(shader), "func init() {")
	within, _, _ = strings.Cut(within, "\n}\n")
	if !found || strings.Contains(within, "CompileShader") || !bytes.Contains(shader, []byte("CompileShader")) {
		t.Errorf("when is it compiled?\n%s", shader)
	}
	for _, name := range []string{"Shader", "NewShader", "NearestFilterShader", "LinearFilterShader", "clearShader"} {
		if file.Scope.Lookup(name) == nil {
			t.Errorf("%s is gone", name)
		}
	}
	if image, err = drawnWithCompiled(image); err != nil || bytes.Contains(image, []byte("hader.shader")) {
		t.Errorf("image.go draws with shaders that may not be compiled: %v", err)
	}
}

func TestAnotherRestorableThanExpectedIsRefused(t *testing.T) {
	shader, image := restorable(t)
	if _, err := compiledLater(bytes.Replace(shader, []byte("func init()"), []byte("func prepare()"), 1)); err == nil {
		t.Error("a shader.go without init")
	}
	if _, err := compiledLater(bytes.ReplaceAll(shader, []byte("s.ir.Unit"), []byte("s.unit"))); err == nil {
		t.Error("a shader.go that knows its unit in another way")
	}
	image = bytes.Replace(image, []byte("clearShader.shader"), []byte("clearShader.x"), 1)
	if _, err := drawnWithCompiled(image); err == nil {
		t.Error("an image.go with three uses")
	}
}
