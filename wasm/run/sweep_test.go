package run

import (
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
	if p.String() != "#v=1&p=catch&lag=8&t=90000:rho=2" || p.Seeds != "11-18" || p.Steps != 90_001 {
		t.Errorf("%+v", p)
	}
	body := map[string]any{"preset": "catch", "settings": map[string]any{"lag": "8"}, "turns": "90000:rho=2",
		"seeds": "11-18", "steps": uint64(90_001)}
	if got := p.Body(); !reflect.DeepEqual(got, body) {
		t.Errorf("the API would hear %v", got)
	}
}
