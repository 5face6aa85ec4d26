package page

import (
	"slices"
	"strings"
	"testing"

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

// A plot that answers its step's question covers the answer in the page that the server sends.
func TestALessonCoversItsAnswers(t *testing.T) {
	l, err := lesson.Find("from-ppo")
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := plotFigure(l, 1).Render(t.Context(), &text); err != nil {
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
