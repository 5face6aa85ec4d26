package web

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"net/url"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	gohtml "github.com/yuin/goldmark/renderer/html"
	source "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"impalab/learner/hyper"
	"impalab/web/lesson"
)

// learnPath is the path of the lessons below the base.
const learnPath = "learn"

// LessonPath returns the path of a lesson below the base, with a slash before it.
func LessonPath(l *lesson.Lesson) string {
	return "/" + learnPath + "/" + l.Name
}

func (d *Data) lessonURL(l *lesson.Lesson) string { return d.Base + LessonPath(l)[1:] }

// embedded returns the address that a lesson's button opens in the frame.
func (d *Data) embedded(live lesson.Live) string {
	if live.Page() {
		return d.Base + live.Link
	}
	return string(d.labURL("#v=1&" + live.Link + "&embed=1"))
}

// introduced returns the words above the live figure before a run starts.
func introduced(l *lesson.Lesson) string {
	if first, _ := l.First(); first.Page() {
		return ""
	}
	return "The live figure is a real run in the Lab. A button starts it. Then you can change its settings."
}

// met draws the world of a lesson's run.
func met(live lesson.Live) (string, error) {
	pairs, err := url.ParseQuery(live.Link)
	if err != nil {
		return "", err
	}
	cfg, err := hyper.FromPreset(pairs.Get("p"))
	if err != nil {
		return "", err // a test checks every link
	}
	return worldPicture(cfg.World, pairs.Get("p"), pictureWide, pictureHigh)
}

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

// prose turns a lesson's prose into HTML. Links to other pages are written [text](../microscope) in every lesson.
func (d *Data) prose(text string) string {
	return strings.ReplaceAll(markdown(text), `<a href="../`, `<a href="`+html.EscapeString(d.Base))
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

// bar is one bar of a figure. Its numbers are percentages of the axis.
type bar struct {
	Name, Tone, Says string
	At, Low, High    float64
	Answer           bool // whether it is the answer of the prediction
}

// bars returns the bars of a step's figure. If given, only the bars that the reader may see before the prediction.
func bars(s *lesson.Step, given bool) (list []bar) {
	e := s.Evidence
	axis := lesson.Scale{From: e.From, To: e.To, Log: e.Log}
	for i := range e.Rows {
		row := &e.Rows[i]
		if row.Aside || given && !row.Given {
			continue
		}
		f, err := row.Value(e.Show)
		if err != nil {
			continue // a test checks every row
		}
		b := bar{Name: row.Name, Tone: row.Tone, Says: row.Field(e.Show),
			At:  100 * axis.Place(f.Mean),
			Low: 100 * axis.Place(f.Low), High: 100 * axis.Place(f.High)}
		if row.Exact != "" {
			b.Says = row.Says
			if b.Says == "" {
				b.Says = short(row.Is)
			}
		}
		b.Answer = s.Predict != nil && s.Predict.Bar != nil && s.Predict.Bar.Answer == row.Name
		list = append(list, b)
	}
	return list
}

// plotted is the plot of a dial or a drawing, in percent.
type plotted struct {
	Path, Known      string // the whole curve, and its part shown before the prediction
	Low, High        string // the vertical axis
	Ticks            []string
	Target, AnswerAt float64 // −1: none
}

func plotDial(p *lesson.Dial) plotted {
	low, high := math.Inf(1), math.Inf(-1)
	for _, at := range p.Curve {
		low, high = min(low, at.Y), max(high, at.Y)
	}
	if low > 0 && low < high/2 {
		low = 0
	}
	y := lesson.Scale{From: low, To: high}
	out := plotted{Low: short(low), High: short(high), Target: -1, AnswerAt: 100 * p.Place(p.Value)}
	for i, at := range p.Curve {
		out.Path += move(i) + place(100*p.Place(at.X)) + " " + place(100-100*y.Place(at.Y))
	}
	for _, share := range []float64{0, .25, .5, .75, 1} {
		out.Ticks = append(out.Ticks, short(p.At(share)))
	}
	if p.Target != nil {
		out.Target = 100 - 100*y.Place(*p.Target)
	}
	return out
}

func plotDrawing(c *lesson.Drawing) plotted {
	last := c.Truth[len(c.Truth)-1].X
	x, y := lesson.Scale{To: last}, lesson.Scale{To: c.To}
	out := plotted{Low: "0", High: short(c.To), Target: -1, AnswerAt: -1}
	for i, at := range c.Truth {
		out.Path += move(i) + place(100*x.Place(at.X)) + " " + place(100-100*y.Place(at.Y))
		if at.X <= c.Known {
			out.Known = out.Path
		}
	}
	for _, share := range []float64{0, .25, .5, .75, 1} {
		out.Ticks = append(out.Ticks, short(last*share))
	}
	return out
}

// handles is the number of points of a drawing that the reader moves.
const handles = 8

// handle is one of these points.
type handle struct {
	At    float64 // in percent
	Step  string
	Truth float64 // the true value, in percent
}

func handlesOf(c *lesson.Drawing) (list []handle) {
	last := c.Truth[len(c.Truth)-1].X
	y := lesson.Scale{To: c.To}
	for i := range handles {
		x := c.Known + (last-c.Known)*float64(i+1)/handles
		truth := c.Truth[0].Y
		for _, at := range c.Truth {
			if at.X <= x {
				truth = at.Y
			}
		}
		list = append(list, handle{100 * x / last, short(x), 100 * y.Place(truth)})
	}
	return list
}

func move(i int) string {
	if i == 0 {
		return "M"
	}
	return "L"
}

// place writes a coordinate.
func place(x float64) string { return strconv.FormatFloat(math.Round(x*10)/10, 'f', -1, 64) }

// short writes three digits, or a whole number with its thousands apart.
func short(x float64) string {
	if math.Abs(x) < 1000 {
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
	text := strconv.FormatFloat(math.Round(x), 'f', 0, 64)
	return text[:len(text)-3] + "\u202f" + text[len(text)-3:]
}

// scale returns the attributes of a scale for the page's script: the range of right guesses, and the answer in words.
func scale(p *lesson.Scale) templ.Attributes {
	low, high := p.Right()
	return templ.Attributes{"data-kind": "scale", "data-log": strconv.FormatBool(p.Log), "data-low": say(low),
		"data-high": say(high), "data-answer": short(p.Value), "data-unit": p.Unit}
}

// slider returns the range of a scale's slider. On a logarithmic scale the slider holds the logarithm.
func slider(p *lesson.Scale) templ.Attributes {
	from, to := p.From, p.To
	if p.Log {
		from, to = math.Log10(from), math.Log10(to)
	}
	return templ.Attributes{"min": say(from), "max": say(to), "step": say((to - from) / 1000),
		"value": say((from + to) / 2)}
}

// say writes a number for the page's script.
func say(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// course returns the path that a step belongs to.
func course(s *lesson.Step) string {
	if s.Core {
		return "core"
	}
	return "whole"
}

// command returns the command that measures a row again.
func command(r *lesson.Row) string {
	switch {
	case r.Exact != "":
		return r.Exact + " = " + say(r.Is)
	case r.Test != "":
		return r.TestCommand()
	}
	var claims []string
	for _, name := range lesson.Fields {
		if c := r.Field(name); c != "" {
			claims = append(claims, name+" "+c)
		}
	}
	return "impalab train " + r.Train + "\n    " + strings.Join(claims, ", ")
}

// errataPath is the path of the errata below the base.
const errataPath = "learn/errata"

// inline turns a sentence into HTML without a paragraph.
func inline(sentence string) string {
	set := strings.TrimSpace(markdown(sentence))
	return strings.TrimSuffix(strings.TrimPrefix(set, "<p>"), "</p>")
}

// pictured returns the bars of a lesson's thumbnail: at most four bars of its largest figure.
func pictured(l *lesson.Lesson) (list []bar) {
	for i := range l.Steps {
		if l.Steps[i].Evidence == nil {
			continue
		}
		if b := bars(&l.Steps[i], false); len(b) > len(list) {
			list = b
		}
	}
	return list[:min(len(list), 4)]
}

// plainNumber writes three digits as number fields accept them.
func plainNumber(x float64) string {
	digits := math.Pow(10, math.Floor(math.Log10(math.Abs(x)))-2)
	return strconv.FormatFloat(math.Round(x/digits)*digits, 'g', 6, 64)
}
