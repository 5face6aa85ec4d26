package run

import (
	"strings"
	"testing"

	"impalab/web/wire"
)

// two is a page of two runs of one seed on the lag cliff, which part at an update.
func two(t *testing.T, more string) (a, b *Run) {
	t.Helper()
	a, b = onCliff(t, ""), onCliff(t, more)
	both := func() []*Run { return []*Run{a, b} }
	a.Page, b.Page = both, both
	return a, b
}

func TestALakeLiesWhereARunWithoutACorrectionIsLower(t *testing.T) {
	a, b := two(t, "")
	stay(a, 400, 200)
	stay(b, 400, 200)
	if drawn := draw(a, "return", 900, 300); strings.Contains(drawn, `class="lake"`) {
		t.Error("a lake lies between equal runs")
	}
	b.Apply(&wire.Changed{Event: b.last + 1, Step: b.Steps(), Key: "correction", From: "vtrace", To: "none"})
	stay(a, 440, 200)
	stay(b, 40, 200)
	for _, m := range []*Run{a, b} {
		drawn := draw(m, "return", 900, 300)
		if strings.Count(drawn, `class="lake"`) != 1 || !strings.Contains(drawn, "is worth: 400") {
			t.Errorf("%s: no lake of 400 in %s", m.letter(), drawn)
		}
		if strings.Index(drawn, "lake") > strings.Index(drawn, "axis") {
			t.Error("the lake covers the grid")
		}
	}
	if drawn := draw(a, "return", 200, 300); strings.Contains(drawn, "is worth") {
		t.Error("a narrow chart has words about the lake")
	}
	b.Apply(&wire.Changed{Event: b.last + 1, Step: b.Steps(), Key: "correction", From: "none", To: "vtrace"})
	stay(a, 440, 100)
	stay(b, 440, 100)
	if drawn := draw(a, "return", 900, 300); strings.Count(drawn, `class="lake"`) != 1 || strings.Contains(drawn, "is worth") {
		t.Error("the lake of a rescued run does not stay, or still has a depth")
	}
}

func TestRunsThatDoNotCompareHaveNoLake(t *testing.T) {
	for name, page := range map[string]func() []*Run{
		"both corrected": func() []*Run { a, b := two(t, "&lag=0"); return []*Run{a, b} },
		"neither corrected": func() []*Run {
			a, b := two(t, "&correction=none")
			a.Apply(&wire.Changed{Event: a.last + 1, Key: "correction", From: "vtrace", To: "none"})
			return []*Run{a, b}
		},
		"three runs": func() []*Run {
			a, b := two(t, "")
			b.Apply(&wire.Changed{Event: b.last + 1, Key: "correction", From: "vtrace", To: "none"})
			return []*Run{a, b, onCliff(t, "")}
		},
	} {
		runs := page()
		for i, m := range runs {
			m.Page = func() []*Run { return runs }
			stay(m, 400/float32(i+1), 100)
		}
		if strings.Contains(draw(runs[0], "return", 900, 300), `class="lake"`) {
			t.Errorf("%s, and a lake", name)
		}
	}
}

func TestTheReturnOfAFixedPolicyIsNotAFall(t *testing.T) {
	m := New("#v=1&p=destination", new(Speech))
	greet(m)
	m.force, _, _ = m.Link.Config()
	for _, v := range []float32{0.2, 0.3} {
		m.Apply(&wire.Gauge{Target: 0.485, Learned: v})
		stay(m, 1-v, 1)
	}
	if got := read(m, "bearing"); got != "π is fixed" {
		t.Errorf("the page says %q", got)
	}
	m.Apply(&wire.Gauge{Target: 0.5})
	if got := read(m, "bearing"); got != "" {
		t.Errorf("π changed, and the page says %q", got)
	}
}

// The first run is blue and the second is ink, whichever is selected.
func TestARunKeepsItsColour(t *testing.T) {
	a, b := two(t, "&correction=none")
	stay(a, 400, 100)
	stay(b, 40, 100)
	for _, c := range []struct {
		selected     *Run
		has, signs   []string
		hasNot, name string
	}{
		{a, []string{`"line hand pi"`, `"line other ink"`}, []string{`"sign own halo pi"`, `"sign halo"`}, `hand ink"`, "A"},
		{b, []string{`"line hand ink"`, `"line other pi"`}, []string{`"sign own halo"`, `"sign halo pi"`}, `hand pi"`, "B"},
	} {
		drawn := draw(c.selected, "return", 900, 300)
		for _, want := range append(c.has, c.signs...) {
			if !strings.Contains(drawn, want) {
				t.Errorf("with %s selected, the return lacks %s", c.name, want)
			}
		}
		if strings.Contains(drawn, c.hasNot) || strings.Count(drawn, `class="framed"`) != 1 {
			t.Errorf("with %s selected, the return has %s, or more than one letter with a frame", c.name, c.hasNot)
		}
	}
}
