package stream

import (
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// Every stream of the table has numbers of its own: a new one that repeats another, or lies in the range of the
// actors, fails here without being listed.
func TestNoTwoStreamsShareANumber(t *testing.T) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "stream.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := (&types.Config{Importer: importer.Default()}).Check("stream", files, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	type span struct{ from, to uint64 }
	spans := map[string]span{}
	for _, name := range pkg.Scope().Names() {
		from, _ := constant.Uint64Val(pkg.Scope().Lookup(name).(*types.Const).Val())
		switch name {
		case "Many", "OfAgent": // sizes
		case "Actors", "Sharers":
			spans[name] = span{from, from + Many}
		default:
			spans[name] = span{from, from + 1}
		}
	}
	for a, x := range spans {
		for b, y := range spans {
			if a != b && x.from < y.to && y.from < x.to {
				t.Errorf("%s and %s share stream %d", a, b, max(x.from, y.from))
			}
		}
		if x.to > OfAgent {
			t.Errorf("%s reaches %d, into the streams of the next agent", a, x.to)
		}
	}
	if len(spans) < 10 {
		t.Errorf("only %d streams were read", len(spans))
	}
}
