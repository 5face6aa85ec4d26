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
	if row, _ := hyper.Lookup("lag"); Proposed(row) != "0, 1, 4, 16, 64" {
		t.Errorf("of the lag: %s", Proposed(row))
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
