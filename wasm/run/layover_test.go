package run

import (
	"strings"
	"testing"

	"impalab/learner/telemetry"
	"impalab/web/chart"
)

// stored is the CSV of a run, as the API writes it.
const stored = "step,entropy,return_mean_10,return_mean_100\n1000,0.5,,\n2000,0.25,12,9\n3000,,480,300\n"

func TestAStoredRunLiesBehindTheChartsAndSetsNoRange(t *testing.T) {
	m := learned("")
	alone := m.returnChart(400, 200)
	if err := m.LayOver(strings.Repeat("a long name ", 20), m.force.World, stored); err != nil {
		t.Fatal(err)
	}
	r := m.returns()
	if r.Ghost == nil || r.Ghost.At(3000) != 300 || r.Ghost.At(2000) != 9 {
		t.Fatalf("the ghost is %+v", r.Ghost)
	}
	if n := len([]rune(r.Before)); n != 40 || !strings.HasSuffix(r.Before, "…") {
		t.Errorf("its name has %d letters: %q", n, r.Before)
	}
	if got := m.behind().Histories[telemetry.Entropy].At(2000); got != 0.25 {
		t.Errorf("its entropy is %v, want 0.25", got)
	}
	was, now := levels(alone), levels(m.returnChart(400, 200))
	if was != now || was == "" {
		t.Errorf("the stored run has moved the levels from %s to %s", was, now)
	}
	named := ""
	for _, side := range m.sidesOf(func(c *Curves) *chart.Curve { return &c.Return }) {
		named = side.head
	}
	if named != r.Before {
		t.Errorf("its column of the table is %q", named)
	}
	if err := m.LayOver("", "", ""); err != nil || m.returns().Ghost != nil {
		t.Errorf("taken away: %v, %v", err, m.returns().Ghost)
	}
}

// levels returns the texts of a chart's levels.
func levels(drawn string) (all string) {
	for _, part := range strings.Split(drawn, `class="label outside"`)[1:] {
		_, words, _ := strings.Cut(part, ">")
		words, _, _ = strings.Cut(words, "<")
		all += words + " "
	}
	return all
}

func TestAStoredRunOfAnotherWorldIsNotDrawn(t *testing.T) {
	m := learned("")
	if err := m.LayOver("Catch", "catch", stored); err != nil {
		t.Fatal(err)
	}
	if m.returns().Ghost != nil {
		t.Error("Catch's return is drawn over CartPole's")
	}
}

func TestCurvesThatCannotBeReadAreRefused(t *testing.T) {
	m := learned("")
	for csv, want := range map[string]string{
		"<html>no such run</html>\nnothing\n": "cannot be read",
		"step,return_mean_100\n1000\n":        "cannot be read",
		"step,return_mean_100\n":              "no episode",
		"step,return_mean_100\n1000,\n":       "no episode",
	} {
		err := m.LayOver("x", m.force.World, csv)
		if err == nil || !strings.Contains(err.Error(), want) || m.returns().Ghost != nil {
			t.Errorf("%q: %v", csv, err)
		}
	}
	if err := m.LayOver("x", m.force.World, "step,return_mean_100\n1000,inf\n2000,1\n"); err != nil {
		t.Error(err)
	} else if drawn := m.returnChart(400, 200); strings.Contains(drawn, "NaN") || strings.Contains(drawn, "Inf") {
		t.Errorf("an infinite return is drawn: %s", drawn)
	}
}
