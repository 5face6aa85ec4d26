package main

import (
	"bytes"
	"errors"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"regexp"
)

// compiler replaces the function that compiled the built-in shaders.
const compiler = `
// later is a shader of Ebitengine's own that is compiled when it is first used. All of these count in pixels.
func later(name string, source []byte) *Shader { return &Shader{name: name, source: source} }

func init() {
	source := func(f builtinshader.Filter) []byte {
		return builtinshader.ShaderSource(f, builtinshader.AddressUnsafe, false)
	}
	NearestFilterShader = later("nearest", source(builtinshader.FilterNearest))
	LinearFilterShader = later("linear", source(builtinshader.FilterLinear))
	clearShader = later("clear", []byte(builtinshader.ClearShaderSource))
}

// made is the shader to draw with.
func (s *Shader) made() *graphicscommand.Shader {
	if s.shader == nil && s.source != nil {
		ir, err := graphics.CompileShader(s.source)
		if err != nil {
			panic(fmt.Errorf("restorable: compiling the %s shader failed: %w", s.name, err))
		}
		s.ir, s.source = ir, nil
		s.shader = graphicscommand.NewShader(ir, s.name)
		theImages.addShader(s)
	}
	return s.shader
}
`

// compiledLater is restorable's shader.go with compiler instead of its function init.
func compiledLater(shader []byte) ([]byte, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "shader.go", shader, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	at := func(p token.Pos) int { return files.Position(p).Offset }
	changed := shader
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == "init" {
			changed = append(bytes.Clone(shader[:at(f.Pos())]), compiler...)
			changed = append(changed, shader[at(f.End()):]...)
		}
	}
	for _, r := range [][2]string{
		{"\t\"golang.org/x/sync/errgroup\"\n", ""},
		{"type Shader struct {\n", "type Shader struct {\n\tsource []byte // of one that is not compiled yet\n"},
		{"\treturn s.ir.Unit\n",
			"\tif s.ir == nil {\n\t\treturn shaderir.Pixels\n\t}\n\treturn s.ir.Unit\n"},
	} {
		if bytes.Count(changed, []byte(r[0])) != 1 {
			return nil, errOther
		}
		changed = bytes.Replace(changed, []byte(r[0]), []byte(r[1]), 1)
	}
	if len(changed) == len(shader) || bytes.Contains(changed, []byte("errgroup")) {
		return nil, errOther
	}
	return format.Source(append([]byte(sayLater), changed...))
}

// drawnWithCompiled is restorable's image.go, which asks a shader for the result of compiledLater.
func drawnWithCompiled(image []byte) ([]byte, error) {
	const uses = 4
	use := regexp.MustCompile(`\b(clearShader|shader|c\.shader)\.shader\b`)
	if len(use.FindAll(image, -1)) != uses {
		return nil, errOther
	}
	return append([]byte(sayLater), use.ReplaceAll(image, []byte("$1.made()"))...), nil
}

const sayLater = "// Changed by tools/ebitenpatch: the built-in shaders are compiled when they are used.\n\n"

var errOther = errors.New("not the file that ebitenpatch was written for, whose built-in shaders are compiled in " +
	"init and used in image.go. Read Ebitengine's new code, and fix ebitenpatch or remove it")
