package page

import (
	"bytes"
	"context"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"golang.org/x/net/html"

	"impalab/learner/hyper"
	"impalab/learner/trial"
	"impalab/web/exercise"
	"impalab/web/lesson"
)

func data() Data {
	return Data{Base: "/lab/", Build: "test", Asset: func(name string) string { return "/lab/static/" + name + "?h" },
		ClientBuilt: true}
}

// pages is every page this package makes.
func pages() map[string]templ.Component {
	built, bare := data(), data()
	bare.ClientBuilt = false
	return map[string]templ.Component{"lab": Lab(built), "stage": Stage(built), "stage without client": Stage(bare),
		"first": First(built), "corrections": Corrections(built),
		"microscope": Microscope(built), "two states": TwoStates(built),
		"proposition 2": Buttons(built), "microscope without client": Microscope(bare),
		"sweep": SweepPage(built, sampleSweep()), "map": SweepPage(built, mappedSweep()),
		"gallery": Gallery(built), "papers": Papers(built),
		"exercises": ClassAlone(built), "exercise": ExerciseAlone(built, exercise.All()[0]),
		"not found": NotFound(built, Address{}), "lesson": Lesson(built, lesson.All()[0])}
}

// mappedSweep is a map of two cells, of which one waits.
func mappedSweep() Sweep {
	s := sampleSweep()
	s.Keys = append(s.Keys, Axis{Key: "rho", Values: []string{"1"}})
	for i := range s.Cells {
		s.Cells[i].Values = append(s.Cells[i].Values, "1")
	}
	return s
}

// sampleSweep has two values of one setting, of which one waits.
func sampleSweep() Sweep {
	cfg, _ := hyper.FromPreset("cartpole")
	runs := []Member{{Seed: 1, ID: "ab", State: "done", Return: 7, Counts: true},
		{Seed: 2, State: "lost", Return: math.NaN(), Failed: true}}
	waiting := []Member{{Seed: 1, State: "waiting", Return: math.NaN()}, {Seed: 2, State: "waiting", Return: math.NaN()}}
	const csv = "https://lab.example/lab/api/v1/sweeps/cd/runs.csv"
	return Sweep{ID: "cd", Preset: "cartpole", State: "running", Base: cfg, Seeds: []uint64{1, 2}, Runs: 4, Over: 2,
		CSV: csv, Keys: []Axis{{Key: "lag", Values: []string{"0", "4"}}},
		Cells: []Cell{
			{Values: []string{"0"}, Estimate: trial.NewEstimate([]float64{7}), N: 1, Over: 2, Runs: runs},
			{Values: []string{"4"}, Estimate: trial.NewEstimate(nil), Runs: waiting}}}
}

// A sweep's map has its first values at the bottom left, and a stripe for each seed that counts.
func TestAMapOfASweepShowsItsCells(t *testing.T) {
	page := render(t, SweepPage(data(), mappedSweep()))
	for _, words := range []string{"Policy lag 0, ρ̄ 1: 7.00, 95 % interval – over 1 seed",
		"Policy lag 4, ρ̄ 1: waiting",
		`<b>7.00</b>`, "2 of 4 runs", `aria-label="Run of seed 1, done"`, `<span class="quiet">lost</span>`,
		`fill-opacity="`, `href="/lab/s/cd/seeds.svg?cell=0"`,
		`pandas.read_csv(&#34;https://lab.example/lab/api/v1/sweeps/cd/runs.csv&#34;)`} {
		if !strings.Contains(page, words) {
			t.Errorf("it does not say %q", words)
		}
	}
}

// Two sweeps stand side by side in the colours of one scale, and only the page's own sweep has cells to choose.
func TestASweepStandsBesideAnother(t *testing.T) {
	own, guest := mappedSweep(), mappedSweep()
	guest.ID, guest.Guest = "ef", true
	guest.Base.Set("c", "2")
	guest.Cells[0].Runs = slices.Clone(guest.Cells[0].Runs)
	guest.Cells[0].Runs[0].Return = 900
	alone := own.scale()
	own.Beside = &guest
	if both := own.scale(); both.low != alone.low || both.high != 900 {
		t.Errorf("the scale of both is %v, of one %v", both, alone)
	}
	page := parse(t, SweepPage(data(), own))
	cells := all(page, func(n *html.Node) bool { return strings.HasPrefix(attr(n, "id"), "cell-") })
	beside := all(page, func(n *html.Node) bool { return strings.HasPrefix(attr(n, "id"), "beside-") && n.Data == "a" })
	if len(cells) != 2 || len(beside) != 2 {
		t.Fatalf("%d cells, %d beside", len(cells), len(beside))
	}
	if href := attr(cells[1], "href"); href != "?cell=1&beside=ef" {
		t.Errorf("a cell leads to %s", href)
	}
	if href := attr(beside[1], "href"); href != "ef?cell=1" || has(beside[1], "data-number") {
		t.Errorf("a cell of the other sweep leads to %s", href)
	}
	if words := render(t, SweepPage(data(), own)); !strings.Contains(words, "c 2") {
		t.Error("the settings of the other sweep are not named")
	}
}

func render(t *testing.T, c templ.Component) string {
	t.Helper()
	var b bytes.Buffer
	if err := c.Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func parse(t *testing.T, c templ.Component) *html.Node {
	t.Helper()
	root, err := html.Parse(strings.NewReader(render(t, c)))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// all is every element below root that wanted takes.
func all(root *html.Node, wanted func(*html.Node) bool) []*html.Node {
	var out []*html.Node
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && wanted(n) {
			out = append(out, n)
		}
	}
	return out
}

func tagged(names ...string) func(*html.Node) bool {
	return func(n *html.Node) bool { return slices.Contains(names, n.Data) }
}

func with(name, value string) func(*html.Node) bool {
	return func(n *html.Node) bool { return attr(n, name) == value && has(n, name) }
}

func has(n *html.Node, name string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func text(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return strings.TrimSpace(b.String())
}

func one(t *testing.T, root *html.Node, what string, wanted func(*html.Node) bool) *html.Node {
	t.Helper()
	found := all(root, wanted)
	if len(found) != 1 {
		t.Fatalf("%s: found %d, want 1", what, len(found))
	}
	return found[0]
}

// A browser repairs wrong nesting, and then the style sheet no longer fits: the HTML must be nested correctly.
func TestTheHTMLIsWellNested(t *testing.T) {
	for name, page := range pages() {
		source := render(t, page)
		written := map[string]int{}
		for z := html.NewTokenizer(strings.NewReader(source)); ; {
			kind := z.Next()
			if kind == html.ErrorToken {
				break
			}
			if token := z.Token(); kind == html.StartTagToken || kind == html.SelfClosingTagToken {
				written[token.Data]++
			} else if kind == html.EndTagToken {
				written["/"+token.Data]++
			}
		}
		root := parse(t, page)
		for _, tag := range []string{"p", "div", "dl", "dt", "dd", "button", "span", "section", "i", "table", "tbody"} {
			if got := len(all(root, tagged(tag))); got != written[tag] || got != written["/"+tag] {
				t.Errorf("%s: %d <%s> and %d </%s> written, %d understood", name, written[tag], tag, written["/"+tag], tag, got)
			}
		}
	}
}

func TestNamesAreUniqueAndLeadSomewhere(t *testing.T) {
	for name, page := range pages() {
		root := parse(t, page)
		ids := map[string]bool{}
		for _, n := range all(root, func(n *html.Node) bool { return has(n, "id") }) {
			if id := attr(n, "id"); id == "" || ids[id] {
				t.Errorf("%s: id %q is empty or taken", name, id)
			} else {
				ids[id] = true
			}
		}
		for n := range root.Descendants() {
			for _, key := range []string{"for", "popovertarget", "aria-labelledby", "aria-describedby"} {
				for _, id := range strings.Fields(attr(n, key)) {
					if !ids[id] {
						t.Errorf("%s: %s=%q of <%s> leads nowhere", name, key, id, n.Data)
					}
				}
			}
			if to, ok := strings.CutPrefix(attr(n, "href"), "#"); ok && !ids[to] {
				t.Errorf("%s: link to #%s leads nowhere", name, to)
			}
		}
	}
}

// The pages run under a policy that allows nothing inline.
func TestNothingInline(t *testing.T) {
	for name, page := range pages() {
		for _, n := range all(parse(t, page), func(*html.Node) bool { return true }) {
			if n.Data == "style" || n.Data == "script" && (text(n) != "" || attr(n, "src") == "") {
				t.Errorf("%s: inline <%s>", name, n.Data)
			}
			for _, a := range n.Attr {
				if a.Key == "style" || strings.HasPrefix(a.Key, "on") || strings.HasPrefix(a.Val, "javascript:") {
					t.Errorf("%s: inline %s=%q on <%s>", name, a.Key, a.Val, n.Data)
				}
			}
		}
	}
}

// Every control has a name for screen readers.
func TestEverythingOperatedHasAName(t *testing.T) {
	for name, page := range pages() {
		root := parse(t, page)
		labelled := map[string]bool{}
		for _, n := range all(root, tagged("label")) {
			if text(n) != "" {
				labelled[attr(n, "for")] = true
			}
		}
		for _, n := range all(root, tagged("input", "select", "button", "iframe", "svg", "a")) {
			switch {
			case attr(n, "aria-label") != "" || attr(n, "title") != "" || attr(n, "aria-hidden") == "true":
			case (n.Data == "input" || n.Data == "select") && labelled[attr(n, "id")]:
			case (n.Data == "button" || n.Data == "a") && text(n) != "":
			default:
				t.Errorf("%s: <%s id=%q data-part=%q> has no name", name, n.Data, attr(n, "id"), attr(n, "data-part"))
			}
		}
		if n := one(t, root, name+": html", tagged("html")); attr(n, "lang") != "en" || attr(n, "data-theme") != "auto" {
			t.Errorf("%s: <html> needs lang and data-theme", name)
		}
	}
	root := parse(t, pages()["lab"])
	for _, tag := range []string{"header", "main", "nav", "h1", "noscript"} {
		one(t, root, tag, tagged(tag))
	}
}

func TestAssetsExist(t *testing.T) {
	built := []string{"app.wasm", "wasm_exec.js"} // by the Makefile
	for name, c := range map[string]func(Data) templ.Component{"lab": Lab, "stage": Stage, "no link": NoLink} {
		d, asked := data(), 0
		d.Asset = func(file string) string {
			asked++
			if _, err := os.Stat("../../static/" + file); err != nil && !slices.Contains(built, file) {
				t.Errorf("%s: %v", name, err)
			}
			return file
		}
		if render(t, c(d)); asked == 0 {
			t.Errorf("%s asks for no style sheet", name)
		}
	}
}

// A site that shows a link of ours shows a picture with it, by its whole address. Where that is not known there is
// none.
func TestALinkElsewhereHasAPicture(t *testing.T) {
	d := data()
	if pictures := all(parse(t, First(d)), with("property", "og:image")); len(pictures) != 0 {
		t.Errorf("without an origin: %q", attr(pictures[0], "content"))
	}
	d.Origin = "https://example.org"
	for name, page := range map[string]templ.Component{"first": First(d),
		"gallery": Gallery(d)} {
		root := parse(t, page)
		picture := one(t, root, name, with("property", "og:image"))
		if got, want := attr(picture, "content"), d.Origin+d.Asset("preview.png"); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		if title := one(t, root, name, with("property", "og:title")); attr(title, "content") == "" {
			t.Errorf("%s has no title", name)
		}
	}
}
