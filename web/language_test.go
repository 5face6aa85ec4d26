package web

import (
	"strings"
	"testing"

	"github.com/a-h/templ"
	"golang.org/x/net/html"

	"impalab/web/lesson"
	"impalab/web/words"
)

// inGerman is every page that is there in German, with a server behind it and without.
func inGerman() map[string]templ.Component {
	served, alone, bare := data(), data(), data()
	alone.Alone = &Alone{Networks: "x"}
	bare.ClientBuilt = false
	return map[string]templ.Component{"first": First(served), "first, alone": First(alone), "stage": Stage(served),
		"lab": Lab(served), "lab, alone": Lab(alone),
		"stage without client": Stage(bare)}
}

// missing are the texts of a page that the German catalogue has not.
func missing(t *testing.T, page templ.Component) (texts []string) {
	t.Helper()
	root, err := html.ParseWithOptions(strings.NewReader(render(t, page)), html.ParseOptionEnableScripting(false))
	if err != nil {
		t.Fatal(err)
	}
	tr := translation{Data: data(), say: func(english string) string {
		other, known := german.Look(english)
		if !known {
			texts = append(texts, english)
		}
		if strings.Count(other, "<") != strings.Count(english, "<") {
			texts = append(texts, english+" (in German it has other parts: "+other+")")
		}
		return other
	}}
	tr.walk(root)
	return texts
}

func TestEveryTextOfAGermanPageIsInTheCatalogue(t *testing.T) {
	for name, page := range inGerman() {
		for _, text := range missing(t, page) {
			t.Errorf("%s: %q has no German in web/words/de.txt", name, text)
		}
	}
}

// A hole takes in whatever stands there: of a setting with names for values it must leave what follows.
func TestNoHoleOfTheCatalogueSwallowsASentence(t *testing.T) {
	anew := "Changing it begins the run anew."
	if said := german.Say("Takes one of shallow, deep. " + anew); strings.Contains(said, anew) {
		t.Error(said)
	}
}

func TestTheCatalogueHasNoTextThatNoPageHas(t *testing.T) {
	parts, err := words.Parse(germanText)
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	for _, page := range inGerman() {
		root, err := html.ParseWithOptions(strings.NewReader(render(t, page)), html.ParseOptionEnableScripting(false))
		if err != nil {
			t.Fatal(err)
		}
		tr := translation{Data: data(), say: func(english string) string {
			said.WriteString(english + "\n")
			return english
		}}
		tr.walk(root)
	}
	for _, part := range parts {
		if strings.HasSuffix(part.Name, "program") {
			continue
		}
		for english := range part.Pairs {
			for piece := range strings.SplitSeq(english, "{}") {
				if !strings.Contains(said.String(), piece) {
					t.Errorf("no page says %q", english)
				}
			}
		}
	}
}

func TestTheGermanPageIsTheSamePageInGerman(t *testing.T) {
	d := data()
	root := parse(t, InGerman(d, First(d)))
	page := one(t, root, "html", tagged("html"))
	if attr(page, "lang") != "de" {
		t.Errorf("lang=%q", attr(page, "lang"))
	}
	english := parse(t, First(d))
	for _, tag := range []string{"p", "div", "span", "b", "a", "button", "section", "output", "input", "svg", "i", "h1"} {
		if got, want := len(all(root, tagged(tag))), len(all(english, tagged(tag))); got != want {
			t.Errorf("%d <%s>, %d in English", got, tag, want)
		}
	}
	link := one(t, root, "language", with("data-part", "language"))
	if attr(link, "href") != "/lab/?lang=en" || text(link) != "English" || attr(link, "lang") != "en" {
		t.Errorf("the way back: %q %q", attr(link, "href"), text(link))
	}
	if n := one(t, root, "stage", with("id", "stage")); attr(n, "src") != "/lab/de/stage" {
		t.Errorf("stage src=%q", attr(n, "src"))
	}
	if n := one(t, root, "why", with("id", "why-title")); text(n) != "Warum er stürzt, und mit V-trace nicht" {
		t.Errorf("why: %q", text(n))
	}
	for _, n := range all(root, tagged("a")) {
		if href := attr(n, "href"); strings.HasSuffix(href, "/learn/late") {
			t.Errorf("%q leads to the lesson in English", href)
		}
	}
	if body := one(t, root, "body", tagged("body")); !strings.Contains(attr(body, "data-words"), "V-trace einschalten") {
		t.Error("the page brings no texts for its program")
	}
}

// A drawing that waits for the client says so.
func TestTheWordsInADrawingAreGermanToo(t *testing.T) {
	d := data()
	root := parse(t, InGerman(d, Lab(d)))
	if said := text(one(t, root, "return", with("data-chart", "return"))); said != "noch keine Episode" {
		t.Errorf("the chart without a run says %q", said)
	}
}

func TestALessonHasItsMastheadInItsOwnLanguage(t *testing.T) {
	for want, l := range map[string]*lesson.Lesson{"Lessons": lesson.All()[0], "Lektionen": lesson.InGerman()[0]} {
		root := parse(t, Lesson(data(), l))
		now := one(t, root, "this screen", with("aria-current", "page"))
		if text(now) != want {
			t.Errorf("%s: the masthead says %q, want %q", l.Title, text(now), want)
		}
		home := one(t, root, "home", func(n *html.Node) bool { return tagged("a")(n) && text(n) == "impalab" })
		if german := strings.HasSuffix(attr(home, "href"), "/de/"); german != (want == "Lektionen") {
			t.Errorf("%s: the logo leads to %s", l.Title, attr(home, "href"))
		}
	}
}

func TestALineKeepsWhatStandsInIt(t *testing.T) {
	root := parse(t, templ.Raw(`<p>Read <a href="x">the <i class="symbol">ρ</i> first</a> or <b>1</b>.</p>`))
	var asked string
	tr := translation{Data: data(), say: func(english string) string {
		asked = english
		return "Zuerst <3/> oder <1>das <2/></1>."
	}}
	tr.walk(root)
	var b strings.Builder
	if err := html.Render(&b, one(t, root, "p", tagged("p"))); err != nil {
		t.Fatal(err)
	}
	if asked != "Read <1>the <2/> first</1> or <3/>." {
		t.Errorf("asked for %q", asked)
	}
	if got := b.String(); got != `<p>Zuerst <b>1</b> oder <a href="x">das <i class="symbol">ρ</i></a>.</p>` {
		t.Error(got)
	}
}
