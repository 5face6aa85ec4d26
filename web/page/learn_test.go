package page

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"impalab/web/lesson"
)

// A paragraph that begins with a figure and a full stop would be set as item 497 of a list.
func TestAFigureAtTheBeginningOfAParagraphIsNoListsNumber(t *testing.T) {
	if !strings.Contains(markdown("497. At the end."), "<ol") {
		t.Error("no list is set of what looks like one: this test proves nothing")
	}
	for _, l := range append(slices.Clone(lesson.All()), lesson.Errata()) {
		for _, s := range l.Steps {
			for _, prose := range []string{s.Prose, s.Reveal} {
				if strings.Contains(markdown(prose), "<ol") {
					t.Errorf("%s, %s: %.40s…", l.Name, s.Title, prose)
				}
			}
		}
	}
}

// The site's policy for its content allows no style in an element: such a style would have no effect.
func TestALessonHasNoStyleInAnElement(t *testing.T) {
	d := Data{Base: "/", Asset: func(name string) string { return name }}
	for _, l := range lesson.All() {
		var text strings.Builder
		if err := Lesson(d, l).Render(t.Context(), &text); err != nil {
			t.Fatal(err)
		}
		if _, after, styled := strings.Cut(text.String(), " style="); styled {
			t.Errorf("%s: style=%.40s", l.Name, after)
		}
	}
}

// The lesson on the border leads to the staleness map. A copy without a server has its own figure of it.
func TestTheLessonOnTheBorderLeadsToTheMap(t *testing.T) {
	l, err := lesson.Find("slow-is-safe")
	if err != nil {
		t.Fatal(err)
	}
	served, alone := data(), data()
	alone.Alone = &Alone{}
	for want, d := range map[string]Data{"/lab/" + StalenessPath: served, ownMap: alone} {
		root := parse(t, Lesson(d, l))
		links := all(root, func(n *html.Node) bool { return n.Data == "a" && text(n) == "staleness map" })
		if len(links) != 1 || attr(links[0], "href") != want {
			t.Errorf("%d links to the map; want one to %s", len(links), want)
		}
	}
	root := parse(t, Lesson(alone, l))
	step := one(t, root, "the step of the lesson's own map", with("id", ownMap[1:]))
	figure := one(t, root, "its figure", with("data-figure", attr(step, "data-step")))
	if !strings.Contains(text(figure), "Who falls, by lag and rate") {
		t.Errorf("the figure beside the step is %.80q", text(figure))
	}
}

// A plot that answers its step's question covers the answer in the page that the server sends.
func TestALessonCoversItsAnswers(t *testing.T) {
	l, err := lesson.Find("from-ppo")
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := plotFigure(Data{}, l, 1).Render(t.Context(), &text); err != nil {
		t.Fatal(err)
	}
	// The lines are V-trace, and PPO for good and for bad steps.
	for id, want := range map[string]bool{"0.0": false, "0.1": true, "0.2": true} {
		marks := strings.Split(text.String(), `data-line="`+id+`"`)[1:]
		if len(marks) != 3 {
			t.Errorf("line %s has %d marks, want a curve, a ring and a name", id, len(marks))
		}
		for _, mark := range marks {
			if tag, _, _ := strings.Cut(mark, ">"); strings.Contains(tag, "data-off") != want {
				t.Errorf("line %s: <… %s>, covered should be %v", id, tag, want)
			}
		}
	}
}

// Every lesson has a figure beside its text, and opens with one of its short path. The link of a sweep and of the board
// leads to a lesson.
func TestEveryLessonHasAFigureBesideItsText(t *testing.T) {
	d := Data{Base: "/", Asset: func(name string) string { return name }}
	for _, l := range lesson.All() {
		steps := figuresOf(l)
		if len(steps) == 0 {
			t.Errorf("%s: no step has a figure", l.Name)
			continue
		}
		var text strings.Builder
		if err := Lesson(d, l).Render(t.Context(), &text); err != nil {
			t.Fatal(err)
		}
		if !l.Steps[steps[0]-1].Core {
			t.Errorf("%s opens with the figure of step %d, which is not on the short path", l.Name, steps[0])
		}
		beside, _, _ := strings.Cut(text.String(), `id="live"`)
		shown := 0
		for _, tag := range strings.Split(beside, "<figure ")[1:] {
			tag, _, _ = strings.Cut(tag, ">")
			if !strings.Contains(tag, " hidden") {
				shown++
			}
		}
		if shown != 1 {
			t.Errorf("%s opens with %d figures, want 1", l.Name, shown)
		}
		last := l.Following() == nil
		if closes := strings.Contains(text.String(), `data-part="closing"`); closes != last {
			t.Errorf("%s: the closing card is there: %v, want %v", l.Name, closes, last)
		}
	}
	if _, err := lesson.Find(strings.TrimPrefix(string(d.howSure()), "/learn/")); err != nil {
		t.Error(err)
	}
}
