package sweep

import (
	"math"
	"slices"
	"strconv"
	"testing"
	"time"

	"impalab/learner/trial"
	"impalab/server/store"
)

// mapOf returns the sweep over these axes of a run of CartPole whose seeds fell above a product of lag and rate.
func mapOf(t *testing.T, border float64, keys ...Axis) *Sweep {
	t.Helper()
	spec := planned(t, "preset=lag-cliff correction=none", "1-4", keys...)
	s := &Sweep{Spec: spec}
	s.info = infoOf(&store.Sweep{ID: "x"}, &spec)
	for c := range s.info.Cells {
		product := 1.0
		for k, a := range s.info.Keys {
			v, err := strconv.ParseFloat(spec.Values(c)[k], 64)
			if err != nil {
				t.Fatal(a.Key, err)
			}
			product *= v
		}
		for k := range s.info.Cells[c].Runs {
			run := &s.info.Cells[c].Runs[k]
			run.State, run.Counts, run.Return = Finished, true, 400
			if product > border {
				run.Return = 9.3
			}
			s.info.Over++
		}
	}
	return s
}

// Both orders of the axes, and values in any order, are the same map.
func TestASweepOfLagAndRateIsAMap(t *testing.T) {
	lags, rates := []string{"4", "1", "16"}, []string{"0.001", "0.004"}
	for _, keys := range [][]Axis{{{"lag", lags}, {"lr", rates}}, {{"lr", rates}, {"lag", lags}}} {
		m := mapOf(t, 0.006, keys...).LagMap()
		if m == nil {
			t.Fatal("there is no map")
		}
		if !slices.Equal(m.Lags, []float64{1, 4, 16}) || !slices.Equal(m.Rates, []float64{0.001, 0.004}) {
			t.Fatalf("lags %v, rates %v", m.Lags, m.Rates)
		}
		for i, fates := range m.Fates {
			want := trial.Stood
			if m.Lags[i%3]*m.Rates[i/3] > 0.006 {
				want = trial.FellToChance
			}
			if !slices.Equal(fates, []trial.Fate{want, want, want, want}) {
				t.Errorf("%s first: cell %d has %v, want %v", keys[0].Key, i, fates, want)
			}
		}
		if want := 0.008; math.Abs(m.Border.Product-want) > 1e-9 { // between .004 and .016, on a logarithmic scale
			t.Errorf("the border is at %v, want %v", m.Border.Product, want)
		}
		if a, b := m.Each[0], m.Each[1]; math.Abs(a-0.008) > 1e-9 || math.Abs(b-0.008) > 1e-9 {
			t.Errorf("of each rate it is at %v and %v", a, b)
		}
	}
	for name, keys := range map[string][]Axis{
		"lag alone":    {{"lag", lags}},
		"lag 0":        {{"lag", []string{"0", "4"}}, {"lr", rates}},
		"one rate":     {{"lag", lags}, {"lr", rates[:1]}},
		"another pair": {{"lag", lags}, {"rho", []string{"1", "2"}}},
	} {
		if mapOf(t, 1, keys...).LagMap() != nil {
			t.Errorf("%s: a map", name)
		}
	}
}

// A run that diverged fell; a run that was stopped has no end. The map follows the runs that end.
func TestTheMapFollowsItsRuns(t *testing.T) {
	s := mapOf(t, 1, Axis{"lag", []string{"1", "4"}}, Axis{"lr", []string{"0.001", "0.004"}})
	if m := s.LagMap(); !math.IsInf(m.Border.Product, 1) {
		t.Fatalf("where all stand the border is at %v", m.Border.Product)
	}
	cell := &s.info.Cells[3]
	cell.Runs[0] = Member{Seed: 1, State: Diverged, Return: trial.None}
	cell.Runs[1] = Member{Seed: 2, State: Cut, Return: trial.None}
	s.info.Over--
	s.mappedAt = time.Time{}
	want := []trial.Fate{trial.FellToChance, trial.Training, trial.Stood, trial.Stood}
	if m := s.LagMap(); !slices.Equal(m.Fates[3], want) {
		t.Errorf("the fates are %v, want %v", m.Fates[3], want)
	}
}
