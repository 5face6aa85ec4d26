package run

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"impalab/learner/hyper"
)

func TestTheValuesProposedForASweepAreAllowed(t *testing.T) {
	for i := range hyper.Table {
		row := &hyper.Table[i]
		if !row.Numeric() && row.Choices == nil || row.Key == "seed" {
			continue
		}
		seen := map[string]bool{}
		for _, v := range strings.Split(Proposed(row), ", ") {
			if _, err := hyper.ParseChange(row.Key, v); err != nil || seen[v] {
				t.Errorf("%s: %q of %s: %v", row.Key, v, Proposed(row), err)
			}
			seen[v] = true
		}
	}
	for key, want := range map[string]string{
		"lag": "0, 1, 4, 16, 64", "rho": "0.1, 0.25, 1, 4, 10", "c": "0, 0.5, 1, 2, 4", "alpha": "0, 0.25, 0.5, 0.75, 1",
		"lr": "1e-05, 0.0001, 0.001, 0.01, 0.1", "entropy": "0.0001, 0.001, 0.005, 0.05, 0.3",
		"clip": "0.1, 0.5, 2, 20, 100",
	} {
		if row, _ := hyper.Lookup(key); Proposed(row) != want {
			t.Errorf("of %s it proposes %s, want %s", key, Proposed(row), want)
		}
	}
}

func TestAPlanHasTheSettingsOfTheRunAndEightSeeds(t *testing.T) {
	m := New("#v=1&p=catch&lag=8&seed=11&speed=400&t=90000:rho=2", new(Speech))
	p := m.Plan()
	if p.String() != "#v=1&p=catch&lag=8&t=90000:rho=2" || p.Seeds != "11-18" || p.Steps != 100_000 {
		t.Errorf("%+v", p)
	}
	body := map[string]any{"preset": "catch", "settings": map[string]any{"lag": "8"}, "turns": []string{"90000:rho=2"},
		"seeds": "11-18", "steps": uint64(100_000)}
	if got := p.Body(); !reflect.DeepEqual(got, body) {
		t.Errorf("the API would hear %v", got)
	}
}

// A default length is rounded up; the budget of a run is not changed.
func TestAPlanHasRoundSteps(t *testing.T) {
	for link, want := range map[string]uint64{"#v=1&p=catch": 60_000, "#v=1&p=catch&steps=99360": 99_360} {
		if got := New(link, new(Speech)).Plan().Steps; got != want {
			t.Errorf("%s: %d steps, not %d", link, got, want)
		}
	}
}

func TestASweepSaysItsSizeBeforeItBegins(t *testing.T) {
	for _, c := range []struct {
		size Size
		want string
	}{
		{Size{48, 6, 2_880_000, 62}, "48 runs | 6 cells × 8 seeds, 2.88\u2009M steps | about 1 min on this server"},
		{Size{1, 1, 3000, 0.2}, "1 run | 1 cell × 1 seed, 3.00\u2009k steps | about 1 s on this server"},
		{Size{200, 25, 20_000_000, 3 * 3600}, "200 runs | 25 cells × 8 seeds, 20.0\u2009M steps | about 3 h on this server"},
		{Size{8, 1, 80_000, math.NaN()}, "8 runs | 1 cell × 8 seeds, 80.0\u2009k steps | time unknown: this server has " +
			"trained no sweep since it started"},
	} {
		runs, rest, time := c.size.Words()
		if got := runs + " | " + rest + " | " + time; got != c.want {
			t.Errorf("%q, not %q", got, c.want)
		}
	}
}
