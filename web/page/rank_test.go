package page

import (
	"math"
	"slices"
	"testing"

	"impalab/learner/hyper"
)

// A knob stops at numbers that people type, at the track's start, and nowhere outside the range of the track.
func TestAKnobStopsAtRoundNumbers(t *testing.T) {
	start, err := hyper.FromPreset("lag-cliff")
	if err != nil {
		t.Fatal(err)
	}
	start.LearningRate = 0.0027
	for _, c := range []struct {
		key       string
		low, high float64
		first     []string // the first ones
		has, last string
	}{
		{"rho", 0.3, math.Inf(1), []string{"0.3", "0.4", "0.6", "0.8", "1", "1.5", "2", "3", "4"}, "10", "inf"},
		{"lr", 1e-5, 0.1, []string{"1e-05", "1.5e-05", "2e-05", "3e-05"}, "0.0027", "0.1"},
		{"unroll", 4, 64, []string{"4", "6", "8", "10", "15", "20"}, "30", "60"},
		{"mix", 0, 1, []string{"0", "0.025", "0.05", "0.075"}, "0.875", "1"},
		{"c", 0, 2, []string{"0", "0.1", "0.2", "0.3"}, "1.5", "2"},
	} {
		row, err := hyper.Lookup(c.key)
		if err != nil {
			t.Fatal(err)
		}
		b := Board{Track: &Track{Start: start, Keys: []Key{{Row: row, Low: c.low, High: c.high}}}}
		knobs := b.knobs()
		if len(knobs) != 1 {
			t.Fatalf("%s has %d knobs, want 1", c.key, len(knobs))
		}
		k := knobs[0]
		if got := k.Values; !slices.Equal(got[:len(c.first)], c.first) || !slices.Contains(got, c.has) ||
			got[len(got)-1] != c.last {
			t.Errorf("%s stops at %v, want first %v, then %s, last %s", c.key, got, c.first, c.has, c.last)
		}
		if at := k.Values[k.Start]; at != start.Get(c.key) {
			t.Errorf("the knob of %s starts at %s, and the track at %s", c.key, at, start.Get(c.key))
		}
	}
}
