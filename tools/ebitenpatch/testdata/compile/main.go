// This program runs inside of a copy of Ebitengine. It compiles the shaders that the client draws with, and prints
// them as a file of the package graphics.
package main

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"slices"

	"github.com/hajimehoshi/ebiten/v2/internal/builtinshader"
	"github.com/hajimehoshi/ebiten/v2/internal/graphics"
	"github.com/hajimehoshi/ebiten/v2/internal/shaderir/glsl"
)

const head = `// Written by tools/ebitenpatch with Ebitengine's own compiler.

package graphics

import (
	"errors"

	"github.com/hajimehoshi/ebiten/v2/internal/shaderir"
)

// CompileShader returns the compiled shader of this name.
func CompileShader(name []byte) (*shaderir.Program, error) {
	if p := shaders[string(name)]; p != nil {
		return p, nil
	}
	return nil, errors.New("tools/ebitenpatch has not compiled this shader for the client")
}

var shaders = map[string]*shaderir.Program{
`

func main() {
	var out bytes.Buffer
	out.WriteString(head)
	source := func(f builtinshader.Filter) string {
		return string(builtinshader.ShaderSource(f, builtinshader.AddressUnsafe, false))
	}
	for _, s := range [][2]string{
		{"nearest", source(builtinshader.FilterNearest)},
		{"linear", source(builtinshader.FilterLinear)},
		{"pixelated", source(builtinshader.FilterPixelated)},
		{"clear", builtinshader.ClearShaderSource},
	} {
		p, err := graphics.CompileShader([]byte(s[1]))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		words := 0
		for _, u := range p.Uniforms {
			words += u.DwordCount()
		}
		used := slices.Repeat([]uint32{1}, words)
		p.FilterUniformVariables(used)
		vertex, fragment := glsl.Compile(p, glsl.GLSLVersionES300)
		fmt.Fprintf(&out, "%q: {\nUniformNames: %#v,\nUniforms: %#v,\nUnit: %d,\nUsed: %#v,\nVertex: %q,\nFragment: %q,\n},\n",
			s[0], p.UniformNames, p.Uniforms, p.Unit, used, vertex, fragment)
	}
	out.WriteString("}\n")
	text, err := format.Source(out.Bytes())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Stdout.Write(text)
}
