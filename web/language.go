package web

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"impalab/web/lesson"
	"impalab/web/words"
)

// The pages are written in English. In another language they are the same pages, with each text looked up in the
// catalogue: so no template knows of languages, and a text that the catalogue lacks is found by walking the page.

// germanText is what the pages say in German: in the part "page" what stands on the first page and on every one, in
// "program" what its program says, and the same for the Lab in "lab" and "lab program".
//
//go:embed words/de.txt
var germanText string

var german, germanFirst, germanLab = mustRead(germanText)

// germanPath is where the pages in German are, below the base.
const germanPath = "de/"

// translated are the pages that are there in German, below the base.
var translated = []string{"", labPath, "stage"}

// mustRead reads the catalogue that is built in: the pages' texts, and what their program takes along. That of the Lab
// writes many of the page's own texts anew, so it gets all of them.
func mustRead(text string) (pages *words.Catalogue, first, lab string) {
	parts, err := words.Parse(text)
	if err != nil {
		panic("words/de.txt: " + err.Error()) // a test reads it
	}
	all := map[string]string{}
	for _, part := range parts {
		if part.Name == "program" {
			list, _ := json.Marshal(part.Pairs) // a map of strings
			first = string(list)
		}
		for english, other := range part.Pairs {
			all[english] = other
		}
	}
	if pages, err = words.New(all); err != nil {
		panic("words/de.txt: " + err.Error())
	}
	list, _ := json.Marshal(all)
	return pages, first, string(list)
}

// InGerman is a page in German. It leads to other pages in German where there are some.
func InGerman(d Data, page templ.Component) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		var b bytes.Buffer
		if err := page.Render(ctx, &b); err != nil {
			return err
		}
		root, err := html.ParseWithOptions(&b, html.ParseOptionEnableScripting(false)) // noscript is read too
		if err != nil {
			return err
		}
		t := translation{Data: d, say: german.Say}
		t.walk(root)
		return html.Render(w, root)
	})
}

// headerIn is the masthead of a lesson, in the lesson's language.
func headerIn(d Data, of *lesson.Language, current string) templ.Component {
	header := plainHeader(d, current)
	if of != lesson.German {
		return header
	}
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		var b bytes.Buffer
		if err := header.Render(ctx, &b); err != nil {
			return err
		}
		body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
		nodes, err := html.ParseFragment(&b, body)
		if err != nil {
			return err
		}
		t := translation{Data: d, say: german.Say}
		for _, n := range nodes {
			t.walk(n)
			if err := html.Render(w, n); err != nil {
				return err
			}
		}
		return nil
	})
}

// translation puts the texts of one page into another language.
type translation struct {
	Data
	say func(english string) string
}

// walk translates what stands in an element and below.
func (t *translation) walk(n *html.Node) {
	t.attributes(n)
	if neutral(n) {
		return
	}
	var run []*html.Node // of text and of what stands within a line
	flush := func() {
		t.line(n, run)
		run = nil
	}
	for _, child := range slices.Collect(n.ChildNodes()) {
		if child.Type == html.TextNode || inLine(child) {
			run = append(run, child)
			continue
		}
		flush()
		t.walk(child)
	}
	flush()
}

// neutral reports whether an element's content is the same in every language: formulas, symbols, another language's
// name.
func neutral(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script, atom.Style:
		return true
	}
	return hasClass(n, "symbol") || hasClass(n, "formula") || attribute(n, "data-part") == "language" ||
		hasClass(n, "source") && !strings.Contains(content(n), takes)
}

// takes begins what stands behind a reference: the values of a setting.
const takes = "Takes "

func hasClass(n *html.Node, class string) bool {
	return slices.Contains(strings.Fields(attribute(n, "class")), class)
}

var lineAtoms = []atom.Atom{atom.A, atom.B, atom.I, atom.Em, atom.Strong, atom.Span, atom.Code, atom.Kbd, atom.Sub,
	atom.Sup, atom.Small, atom.Output}

func inLine(n *html.Node) bool {
	return n.Type == html.ElementNode && slices.Contains(lineAtoms, n.DataAtom)
}

var aWord = regexp.MustCompile("[A-Za-z]{2}")

func content(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// line translates a stretch of text as one, if it has words of its own: what stands within it is numbered, as in
// "Colour is <1>blue</1> or <2/>", where <2/> has no words. Without words of its own, each part is by itself.
func (t *translation) line(in *html.Node, run []*html.Node) {
	own := slices.ContainsFunc(run, func(n *html.Node) bool {
		return n.Type == html.TextNode && aWord.MatchString(n.Data)
	})
	if !own {
		for _, n := range run {
			if n.Type != html.TextNode {
				t.walk(n)
			}
		}
		return
	}
	var parts []*html.Node
	var key strings.Builder
	var write func(n *html.Node)
	write = func(n *html.Node) {
		if n.Type != html.ElementNode {
			key.WriteString(n.Data)
			return
		}
		parts = append(parts, n)
		t.attributes(n)
		number := strconv.Itoa(len(parts))
		if neutral(n) || !aWord.MatchString(content(n)) {
			key.WriteString("<" + number + "/>")
			return
		}
		key.WriteString("<" + number + ">")
		for c := range n.ChildNodes() {
			write(c)
		}
		key.WriteString("</" + number + ">")
	}
	for _, n := range run {
		write(n)
	}
	text := key.String()
	said := strings.Join(strings.Fields(text), " ")
	reference := ""
	if hasClass(in, "source") { // papers are quoted in their own language
		at := max(0, strings.Index(said, takes))
		reference, said = said[:at], said[at:]
	}
	said = reference + t.say(said)
	if strings.TrimLeft(text, " \n\t") != text {
		said = " " + said
	}
	if strings.TrimRight(text, " \n\t") != text {
		said += " "
	}
	behind := run[len(run)-1].NextSibling
	for _, n := range run {
		in.RemoveChild(n)
	}
	for _, n := range rebuild(said, parts) {
		in.InsertBefore(n, behind)
	}
}

var numbered = regexp.MustCompile(`<(/?)(\d+)(/?)>`)

// rebuild makes nodes of a translated line.
func rebuild(said string, parts []*html.Node) []*html.Node {
	top := &html.Node{Type: html.ElementNode}
	at := top
	text := func(s string) {
		if s != "" {
			at.AppendChild(&html.Node{Type: html.TextNode, Data: s})
		}
	}
	from := 0
	for _, m := range numbered.FindAllStringSubmatchIndex(said, -1) {
		text(said[from:m[0]])
		from = m[1]
		number, _ := strconv.Atoi(said[m[4]:m[5]])
		switch {
		case number < 1 || number > len(parts): // a test has it that there is no such line
		case m[2] < m[3]: // its end
			if at.Parent != nil {
				at = at.Parent
			}
		case m[6] < m[7]: // without words
			whole := parts[number-1]
			if whole.Parent != nil {
				whole.Parent.RemoveChild(whole)
			}
			at.AppendChild(whole)
		default:
			p := parts[number-1]
			shell := &html.Node{Type: p.Type, DataAtom: p.DataAtom, Data: p.Data, Attr: p.Attr}
			at.AppendChild(shell)
			at = shell
		}
	}
	text(said[from:])
	nodes := slices.Collect(top.ChildNodes())
	for _, n := range nodes {
		top.RemoveChild(n)
	}
	return nodes
}

// spokenAttributes are attributes that people read or hear.
var spokenAttributes = []string{"aria-label", "title", "placeholder", "alt", "aria-valuetext"}

// describes reports whether an element tells other sites of the page in words.
func describes(n *html.Node) bool {
	return attribute(n, "name") == "description" ||
		slices.Contains([]string{"og:title", "og:description", "og:image:alt"}, attribute(n, "property"))
}

func (t *translation) attributes(n *html.Node) {
	if n.Type != html.ElementNode {
		return
	}
	if attribute(n, "data-part") == "language" {
		english := t.Base + strings.TrimPrefix(attribute(n, "href"), t.Base+germanPath)
		if t.Alone == nil {
			english += "?lang=en" // else a server might lead back here
		}
		setAttribute(n, "href", english)
		setAttribute(n, "lang", "en")
		setAttribute(n, "hreflang", "en")
		n.FirstChild.Data = "English"
		return
	}
	for i := range n.Attr {
		a := &n.Attr[i]
		switch {
		case slices.Contains(spokenAttributes, a.Key), a.Key == "label" && n.DataAtom == atom.Optgroup,
			a.Key == "content" && describes(n):
			a.Val = t.say(a.Val)
		case a.Key == "href" || a.Key == "src" || a.Key == "data-lab":
			a.Val = t.address(a.Val)
		}
	}
	switch n.DataAtom {
	case atom.Html:
		setAttribute(n, "lang", "de")
	case atom.Body:
		switch {
		case attribute(n, "data-screen") == "first":
			setAttribute(n, "data-words", germanFirst)
		case !hasClass(n, "stage"):
			setAttribute(n, "data-words", germanLab)
		}
	}
}

// address is where a page is in German, if it is.
func (t *translation) address(href string) string {
	path, ok := strings.CutPrefix(href, t.Base)
	if !ok {
		return href
	}
	for _, l := range lesson.InGerman() {
		if path == LessonPath(l.Original)[1:] {
			return t.Base + LessonPath(l)[1:]
		}
	}
	path, fragment, _ := strings.Cut(path, "#")
	if !slices.Contains(translated, path) {
		return href
	}
	if fragment != "" {
		fragment = "#" + fragment
	}
	return t.Base + germanPath + path + fragment
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func setAttribute(n *html.Node, name, value string) {
	for i := range n.Attr {
		if n.Attr[i].Key == name {
			n.Attr[i].Val = value
			return
		}
	}
	n.Attr = append(n.Attr, html.Attribute{Key: name, Val: value})
}

// germanURL is where a page is in German, for people who read that.
func (d *Data) germanURL(path string) templ.SafeURL { return templ.SafeURL(d.Base + germanPath + path) }
