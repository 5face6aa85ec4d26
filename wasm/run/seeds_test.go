package run

import (
	"strings"
	"testing"

	"impalab/web/chart"
	"impalab/web/wire"
)

// withSeeds is a run with eight seeds on its chart, of which n are over.
func withSeeds(n int) *Run {
	m := learned("p=catch&seed=5")
	m.Seeds = nil
	s := m.BeginSeeds("sweep", m.Plan())
	var lines []*chart.Curve
	for k := range 8 {
		c := &chart.Curve{}
		c.Add(500, float32(k))
		c.Add(2000, float32(2*k))
		lines = append(lines, c)
	}
	s.Over, s.Running = n, n < 8
	m.DrawSeeds(s, lines, []chart.Middle{{Step: 500, Mean: 3.5, Low: 2, High: 5, N: 8},
		{Step: 2000, Mean: 7, Low: 4, High: 10, N: n}})
	return m
}

func TestSeedsAreDrawnOnTheRunsOwnChart(t *testing.T) {
	m := withSeeds(8)
	drawn := m.returnChart(600, 200)
	for class, want := range map[string]int{`"line seed ink"`: 8, `"area ink"`: 1, `"line hand pi"`: 1, `>8 seeds<`: 0} {
		if got := strings.Count(drawn, class); got != want {
			t.Errorf("%d of %s, want %d", got, class, want)
		}
	}
	if end := m.Axis().Steps; end < 2000 {
		t.Errorf("the axis ends at %d, before the seeds do", end)
	}
	m.ForgetSeeds()
	if strings.Contains(m.returnChart(600, 200), "seed") {
		t.Error("seeds that were put away are still drawn")
	}
}

func TestTheCursorNamesTheBandAndItsSeeds(t *testing.T) {
	m := withSeeds(5)
	if got := read(m, "seeds"); got != "5 of 8 seeds done: 3.50, 95 % 2.00 to 5.00" {
		t.Errorf("at 1000 steps: %q", got)
	}
	m.Cursor.Pin(2000)
	if got := read(m, "seeds"); got != "5 of 8 seeds done: 7.00, 95 % 4.00 to 10.0 over 5" {
		t.Errorf("at 2000 steps: %q", got)
	}
	m.Seeds.Running = false
	if got := read(m, "seeds"); !strings.HasPrefix(got, "5 of 8 seeds done, stopped: ") {
		t.Errorf("cancelled: %q", got)
	}
	if table := m.Table("seeds"); len(table.Rows) != 2 || table.Rows[1][4] != "5" {
		t.Errorf("table: %v", table.Rows)
	}
}

func TestSeedsComeBackToTheirRunAfterAReload(t *testing.T) {
	m := withSeeds(8)
	m.Apply(&wire.Changed{Event: m.last + 1, Step: 1000, Update: 10, Key: "lag", From: "0", To: "4"})
	m.BeginSeeds("another", m.Plan())
	kept := m.SavedSeeds()
	reloaded := open("p=catch&seed=5&lag=4")
	for _, other := range []string{"", " ", "run", "run sweep", "elsewhere sweep #v=1", "run  #v=1"} {
		if reloaded.ID = "run"; reloaded.RestoreSeeds([]string{other}) != nil {
			t.Errorf("%q has seeds of the run", other)
		}
	}
	s := reloaded.RestoreSeeds([]string{"elsewhere sweep #v=1", kept})
	if s == nil || s.ID != "another" || !s.Running || s.of.String() != m.Seeds.of.String() || s != reloaded.Seeds {
		t.Errorf("%q came back as %+v, of %+v", kept, s, m.Seeds.of)
	}
	m.ForgetSeeds()
	if kept := m.SavedSeeds(); kept != "" {
		t.Errorf("put away, and kept as %q", kept)
	}
}

func TestSeedsOfEarlierSettingsSaySo(t *testing.T) {
	m := withSeeds(8)
	if got := read(m, "seeds"); strings.Contains(got, "of then") {
		t.Errorf("of the same settings: %q", got)
	}
	m.Again()
	greet(m)
	if m.Seeds == nil || strings.Contains(read(m, "seeds"), "of then") {
		t.Errorf("the same seed again: %q", read(m, "seeds"))
	}
	m.begin(m.linkWith("lag", "7"))
	greet(m)
	if got := read(m, "seeds"); !strings.HasSuffix(got, "; with earlier settings") {
		t.Errorf("of another lag: %q", got)
	}
	m.begin(m.linkTo("p", "cartpole"))
	if m.Seeds != nil {
		t.Error("seeds of another world stay on the chart")
	}
}
