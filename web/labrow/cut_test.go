package labrow

import (
	"slices"
	"testing"

	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/telemetry"
)

// The row of the weight cut off names the cut of the correction in force, and has the knob of a setting in force.
func TestTheCutOfEachCorrectionHasItsWordsAndItsKnob(t *testing.T) {
	row := find("rho")
	if row == nil || row.Metric != telemetry.CutByRho {
		t.Fatal("ρ̄ has no row")
	}
	for i, c := range correct.Corrections {
		cfg, _ := hyper.FromPreset("lag-cliff")
		if err := cfg.Set("correction", c.Name); err != nil {
			t.Fatal(err)
		}
		cut, key := CutOf(&cfg), row.Knob(&cfg)
		setting, err := hyper.Lookup(key)
		if err != nil || !slices.Contains(row.Keys(), key) || !Stands(key, &cfg) || OfKey(key) != row.Name {
			t.Fatalf("%s: the knob of %q does not stand in the row (%v)", c.Name, key, err)
		}
		rho, _ := c.Cuts()
		if cuts := c.Forms() || rho; cuts != setting.InForce(&cfg) || cuts == (cut.Small == nothing.Small) {
			t.Errorf("%s: it cuts: %v, but the row says %q beside %q", c.Name, cuts, cut.Small, key)
		}
		if rho != (cut.Chip == byRho.Chip) {
			t.Errorf("%s: ρ̄ cuts: %v, but the shelf says %q", c.Name, rho, cut.Chip)
		}
		for _, other := range row.Keys() {
			if Stands(other, &cfg) != (other == key) {
				t.Errorf("%s: beside %s the knob of %s stands in the row too", c.Name, key, other)
			}
		}
		if !Stands("lr", &cfg) || !Stands("c", &cfg) {
			t.Errorf("%s hides a knob of another row", correct.Method(i))
		}
	}
	for preset, want := range map[string]Cut{"stac-lag": byRho, "a2c": nothing} {
		cfg, _ := hyper.FromPreset(preset)
		if got := *CutOf(&cfg); got != want {
			t.Errorf("%s: %+v, want %+v", preset, got, want)
		}
	}
}
