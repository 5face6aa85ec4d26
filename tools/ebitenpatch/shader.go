package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"strconv"
)

// shaders is the changed package.
const shaders = ebiten + "/internal/builtinshader"

// kinds is the number of texts: three filters, three treatments of the outside of a picture, with and without a matrix
// for colours, in this order.
const kinds = 3 * 3 * 2

// withoutTemplate returns shader.go with another function ShaderSource, which looks the text up in defs.go. It drops
// the code that only the old function uses.
func withoutTemplate(shader, defs []byte) ([]byte, error) {
	texts, err := textsOf(defs)
	if err != nil {
		return nil, err
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "shader.go", shader, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	at := func(p token.Pos) int { return files.Position(p).Offset }
	var out bytes.Buffer
	out.WriteString("// Written by tools/ebitenpatch: Ebitengine's file of this name without its template.\n\n")
	end, cut := 0, 0
	for _, d := range file.Decls {
		from, name := at(d.Pos()), ""
		switch d := d.(type) {
		case *ast.FuncDecl:
			name = d.Name.Name
			if d.Doc != nil {
				from = at(d.Doc.Pos())
			}
		case *ast.GenDecl:
			switch d.Tok {
			case token.IMPORT:
				name = "import"
			case token.VAR:
				name = d.Specs[0].(*ast.ValueSpec).Names[0].Name
			}
		}
		switch name {
		case "import", "shaders", "tmpl", "ShaderSource":
			out.Write(shader[end:from])
			end = at(d.End())
			cut++
		}
	}
	if cut != 4 {
		return nil, errors.New("not the file that ebitenpatch was written for: it has an import, the variables shaders " +
			"and tmpl, and the function ShaderSource. Read Ebitengine's new code, and fix ebitenpatch or remove it")
	}
	out.Write(shader[end:])
	out.WriteString("\n// ShaderSource returns the built-in shader source based on the given parameters.\n" +
		"func ShaderSource(filter Filter, address Address, useColorM bool) []byte {\n" +
		"\tvar c int\n\tif useColorM {\n\t\tc = 1\n\t}\n\treturn []byte(texts[filter][address][c])\n}\n\n" +
		"var texts = [FilterCount][AddressCount][2]string{\n")
	for i, text := range texts {
		if i%6 == 0 {
			out.WriteString("{\n")
		}
		if i%2 == 0 {
			fmt.Fprintf(&out, "{%q, %q},\n", text, texts[i+1])
		}
		if i%6 == 5 {
			out.WriteString("},\n")
		}
	}
	out.WriteString("}\n")
	return format.Source(out.Bytes())
}

// textsOf returns the texts in defs.go, which Ebitengine's own generator wrote with the template.
func textsOf(defs []byte) (texts []string, err error) {
	file, err := parser.ParseFile(token.NewFileSet(), "defs.go", defs, 0)
	if err != nil {
		return nil, err
	}
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		literal, ok := g.Specs[0].(*ast.ValueSpec).Values[0].(*ast.BasicLit)
		if !ok {
			return nil, errors.New("a constant of defs.go is no text")
		}
		text, err := strconv.Unquote(literal.Value)
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	if len(texts) != kinds {
		return nil, fmt.Errorf("defs.go has %d texts, want %d. Look at what Ebitengine does now", len(texts), kinds)
	}
	return texts, nil
}
