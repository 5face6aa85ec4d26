package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Instrumented is a package with all its mutants in it. A number at the start of its program chooses one. So each test
// binary is built once, and not once per mutant.
type Instrumented struct {
	Path    string // import path
	Dir     string // within the module
	Mutants []*Mutant
	overlay string // for go build -overlay
}

// runtime is the code that every instrumented package also contains. Number 0 is the original program; −1 records in a
// file the mutants that it reaches.
const runtime = `package %s

import (
	"encoding/binary"
	"os"
	"strconv"
	"sync/atomic"
)

var mutant_, _ = strconv.Atoi(os.Getenv("MUTANT"))

var noted_ [%d]atomic.Bool

var notes_ = func() *os.File {
	if mutant_ != -1 {
		return nil
	}
	file, err := os.OpenFile(os.Getenv("MUTANT_NOTES"), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		panic(err)
	}
	return file
}()

// mut_ tells whether mutant k is meant. It inlines where nothing is.
func mut_(k int) bool { return mutant_ != 0 && chosen_(k) }

func chosen_(k int) bool {
	if mutant_ == -1 && !noted_[k].Load() && !noted_[k].Swap(true) {
		notes_.Write(binary.LittleEndian.AppendUint32(nil, uint32(k)))
	}
	return mutant_ == k
}

func plusOne_[T ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64](x T) T {
	return x + 1
}
func twice_[T ~float32 | ~float64](x T) T { return 2 * x }
`

// listed is the output of go list for a package.
type listed struct {
	ImportPath, Name, Dir, Export string
	GoFiles                       []string
}

// instrument finds the mutants of the package in dir of the module at root and writes the package with them into
// folder.
func instrument(root, dir, folder string) (*Instrumented, error) {
	all, err := list(root, "-deps", "-export", "./"+dir)
	if err != nil {
		return nil, err
	}
	pkg, exports := all[len(all)-1], map[string]string{}
	for _, p := range all {
		exports[p.ImportPath] = p.Export
	}
	fset, files := token.NewFileSet(), []*ast.File{}
	for _, name := range pkg.GoFiles {
		file, err := parser.ParseFile(fset, filepath.Join(pkg.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	config := types.Config{Importer: importer.ForCompiler(fset, "gc",
		func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })}
	own, err := config.Check(pkg.ImportPath, fset, files, info)
	if err != nil {
		return nil, err
	}

	out := &Instrumented{Path: pkg.ImportPath, Dir: dir}
	replaced := map[string]string{}
	for i, file := range files {
		at := filepath.Join(pkg.Dir, pkg.GoFiles[i])
		source, err := os.ReadFile(at)
		if err != nil {
			return nil, err
		}
		// Types of packages that the file does not import get an import of their own.
		extra := map[string]string{}
		f := &finder{
			file: fset.File(file.FileStart), name: filepath.Join(dir, pkg.GoFiles[i]), source: source, info: info,
			counter: map[string]int{},
			typ: func(t types.Type) string {
				return types.TypeString(t, func(p *types.Package) string {
					if p == own {
						return ""
					}
					extra[p.Path()] = p.Name() + "_"
					return p.Name() + "_"
				})
			},
		}
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if decl.Body != nil {
					f.walk(decl)
				}
			case *ast.GenDecl:
				f.inside = "table"
				ast.Inspect(decl, f.visit)
			}
		}
		slices.SortStableFunc(f.sites, func(a, b *site) int { // outer before inner
			if a.from != b.from {
				return a.from - b.from
			}
			return b.to - a.to
		})
		for _, s := range f.sites {
			for _, m := range s.mutants {
				m.Number = len(out.Mutants) + 1
				out.Mutants = append(out.Mutants, m)
			}
		}
		written := bytes.NewBuffer(nil)
		clause := f.offset(file.Name.End())
		written.Write(source[:clause])
		for _, path := range slices.Sorted(maps.Keys(extra)) {
			fmt.Fprintf(written, "; import %s %q", extra[path], path)
		}
		render(written, source, f.sites, clause, len(source))
		to := filepath.Join(folder, pkg.GoFiles[i])
		if err := os.WriteFile(to, written.Bytes(), 0o644); err != nil {
			return nil, err
		}
		replaced[at] = to
	}

	to := filepath.Join(folder, "mutants_runtime.go")
	if err := os.WriteFile(to, fmt.Appendf(nil, runtime, pkg.Name, len(out.Mutants)+1), 0o644); err != nil {
		return nil, err
	}
	replaced[filepath.Join(pkg.Dir, "mutants_runtime.go")] = to
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return nil, err
	}
	out.overlay = filepath.Join(folder, "overlay.json")
	return out, os.WriteFile(out.overlay, overlay, 0o644)
}

// render returns source[from:to] with its sites, which are in order, made switchable.
func render(w *bytes.Buffer, source []byte, sites []*site, from, to int) {
	for len(sites) > 0 {
		s := sites[0]
		if s.from >= to {
			break
		}
		within := 1
		for within < len(sites) && sites[within].from < s.to {
			within++
		}
		w.Write(source[from:s.from])
		if s.typ == "" {
			for _, m := range s.mutants {
				fmt.Fprintf(w, "if mut_(%d) { %s } else ", m.Number, m.change)
			}
			w.WriteString("{ ")
			render(w, source, sites[1:within], s.from, s.to)
			w.WriteString(" }")
		} else {
			fmt.Fprintf(w, "func() %s { if mutant_ != 0 { ", s.typ)
			for _, m := range s.mutants {
				fmt.Fprintf(w, "if mut_(%d) { return %s }; ", m.Number, m.change)
			}
			w.WriteString("}; return ")
			render(w, source, sites[1:within], s.from, s.to)
			w.WriteString(" }()")
		}
		from, sites = s.to, sites[within:]
	}
	w.Write(source[from:to])
}

// list runs go list -json.
func list(root string, args ...string) (out []listed, err error) {
	text, err := run(root, "go", append([]string{"list", "-json=ImportPath,Name,Dir,Export,GoFiles"}, args...)...)
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(strings.NewReader(text)); d.More(); {
		var p listed
		if err := d.Decode(&p); err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}
