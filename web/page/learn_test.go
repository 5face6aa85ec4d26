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
