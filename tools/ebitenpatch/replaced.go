package main

// replaced are the changed files of the copy, by their path within Ebitengine. The copy lacks those without a text.
var replaced = map[string]string{
	"/imagedumper.go":                       dumper,
	"/internal/builtinshader/defs.go":       "",
	"/internal/builtinshader/shader.go":     builtin,
	"/internal/debug/caller.go":             caller,
	"/internal/graphicscommand/image_js.go": dump,
	"/internal/shader/expr.go":              "",
	"/internal/shader/shader.go":            "",
	"/internal/shader/stmt.go":              "",
	"/internal/shader/type.go":              "",
	"/internal/shaderir/check.go":           "",
	"/internal/shaderir/program.go":         program,
	"/internal/shaderir/glsl/glsl.go":       language,
	"/internal/shaderir/glsl/type.go":       "",
}

const written = "// Written by tools/ebitenpatch in place of Ebitengine's file of this name.\n\n"

const dumper = written + `package ebiten

type imageDumper struct{}

func (*imageDumper) update() error { return nil }

func (*imageDumper) dump(*Image, bool) error { return nil }
`

const dump = written + `package graphicscommand

import (
	"image"

	"github.com/hajimehoshi/ebiten/v2/internal/graphicsdriver"
)

func (i *Image) Dump(graphicsdriver.Graphics, string, bool, image.Rectangle) (string, error) {
	return "", nil
}

func DumpImages([]*Image, graphicsdriver.Graphics, string) (string, error) { return "", nil }
`

const caller = written + `package debug

type CallerType int

const (
	CallerTypeNone CallerType = iota
	CallerTypeRegular
	CallerTypeInternal
)

// FirstCaller knows no caller: it would search for the source of Ebitengine.
func FirstCaller() (file string, line int, callerType CallerType) { return "", 0, CallerTypeNone }
`

const builtin = written + `package builtinshader

type Filter int

const (
	FilterNearest Filter = iota
	FilterLinear
	FilterPixelated
)

const FilterCount = 3

type Address int

const (
	AddressUnsafe Address = iota
	AddressClampToZero
	AddressRepeat
)

const AddressCount = 3

const (
	UniformColorMBody        = "ColorMBody"
	UniformColorMTranslation = "ColorMTranslation"
)

const ClearShaderSource = "clear"

// ShaderSource is the name of a shader, for graphics.CompileShader.
func ShaderSource(filter Filter, address Address, useColorM bool) []byte {
	if address != AddressUnsafe || useColorM {
		return nil
	}
	return []byte([FilterCount]string{"nearest", "linear", "pixelated"}[filter])
}
`

const program = written + `package shaderir

type Unit int

const (
	Texels Unit = iota
	Pixels
)

// Program is a compiled shader.
type Program struct {
	UniformNames     []string
	Uniforms         []Type
	Unit             Unit
	Used             []uint32 // for each word of the uniforms: 1, or 0 for a word that no shader reads
	Vertex, Fragment string   // in GLSL ES 3.00

	Attributes, Varyings     []Type // empty, like the rest: type.go reads them
	Funcs                    []Func
	VertexFunc, FragmentFunc struct{ Block *Block }
}

type (
	Func struct {
		InParams, OutParams []Type
		Block               *Block
	}
	Block struct {
		LocalVars           []Type
		LocalVarIndexOffset int
		Stmts               []struct{ Blocks []*Block }
	}
)

// FilterUniformVariables replaces unused uniform variables by 0, so that more commands can be merged.
func (p *Program) FilterUniformVariables(uniforms []uint32) {
	for i, used := range p.Used {
		uniforms[i] *= used
	}
}
`

const language = written + `package glsl

import "github.com/hajimehoshi/ebiten/v2/internal/shaderir"

type GLSLVersion int

const (
	GLSLVersionDefault GLSLVersion = iota
	GLSLVersionES300
)

// Compile returns a program in GLSL ES 3.00, the only version in a browser.
func Compile(p *shaderir.Program, _ GLSLVersion) (vertex, fragment string) {
	return p.Vertex, p.Fragment
}
`
