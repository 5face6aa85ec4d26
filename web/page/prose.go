package page

import (
	"bytes"
	"fmt"
	"html"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	gohtml "github.com/yuin/goldmark/renderer/html"
	source "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// The prose of the lessons: Markdown with formulas.

// ofLessons reads Markdown without HTML, with formulas between dollars.
var ofLessons = goldmark.New(
	goldmark.WithExtensions(extension.Table),
	goldmark.WithParserOptions(parser.WithInlineParsers(util.Prioritized(formulas{}, 150))),
	goldmark.WithRendererOptions(
		gohtml.WithXHTML(), renderer.WithNodeRenderers(util.Prioritized(formulas{}, 150))),
)

// markdown turns prose into HTML.
func markdown(prose string) string {
	var b bytes.Buffer
	if err := ofLessons.Convert([]byte(prose), &b); err != nil {
		return html.EscapeString(prose)
	}
	return b.String()
}

// ownMap is where the lesson on the staleness map has its own figure of it. A copy without a server has no other.
const ownMap = "#step-3"

// prose turns a lesson's prose into HTML. Links to other pages are written [text](../microscope) in every lesson.
func (d *Data) prose(text string) string {
	made := markdown(text)
	if d.Alone != nil {
		made = strings.ReplaceAll(made, `<a href="../`+StalenessPath+`"`, `<a href="`+ownMap+`"`)
	}
	return strings.ReplaceAll(made, `<a href="../`, `<a href="`+html.EscapeString(d.Base))
}

// formulas parses and renders $…$.
type formulas struct{}

// formulaNode is one formula.
type formulaNode struct {
	ast.BaseInline
	text string
}

var formulaKind = ast.NewNodeKind("Formula")

func (*formulaNode) Kind() ast.NodeKind         { return formulaKind }
func (n *formulaNode) Dump(b []byte, depth int) { ast.DumpHelper(n, b, depth, nil, nil) }

func (formulas) Trigger() []byte { return []byte{'$'} }

func (formulas) Parse(_ ast.Node, block source.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	end := bytes.IndexByte(line[1:], '$')
	if end < 1 {
		return nil
	}
	block.Advance(end + 2)
	return &formulaNode{text: string(line[1 : end+1])}
}

func (formulas) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(formulaKind, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			class, text := "formula", n.(*formulaNode).text
			if len([]rune(text)) <= shortFormula {
				class += " whole"
			}
			fmt.Fprintf(w, `<span class="%s">%s</span>`, class, typeset(text))
		}
		return ast.WalkContinue, nil
	})
}

// shortFormula is the length, in letters, up to which a formula stays on one line.
const shortFormula = 16

// inline turns a sentence into HTML without a paragraph.
func inline(sentence string) string {
	set := strings.TrimSpace(markdown(sentence))
	return strings.TrimSuffix(strings.TrimPrefix(set, "<p>"), "</p>")
}
