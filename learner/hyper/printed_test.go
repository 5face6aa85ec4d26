package hyper

import (
	"strings"
	"testing"
)

// A paper's value is one that the setting could have, and stands for a setting that the algorithm has.
func TestEveryPrintedValueIsOneOfItsSetting(t *testing.T) {
	for i := range Algorithms {
		a := &Algorithms[i]
		for j := range a.Printed {
			p := &a.Printed[j]
			r, err := Lookup(p.Key)
			if err != nil || !r.Of(a.Name) || p.Place == "" {
				t.Errorf("%s: %q of %q is no setting of it with a place (%v)", a.Name, p.Key, p.Place, err)
				continue
			}
			for _, value := range p.ends() {
				if !r.Numeric() {
					err = r.set(new(Config), value)
				} else if number(value) < r.Min {
					err = r.refuse(value)
				}
				if err != nil {
					t.Errorf("%s: %v", a.Name, err)
				}
			}
		}
	}
}

// The row of a setting that one of IMPALA's tables has names that table.
func TestARowNamesTheTableThatPrintsIt(t *testing.T) {
	for _, p := range impalaPrinted {
		place, _, _ := strings.Cut(p.Place, ":")
		table, of := strings.CutPrefix(place, "table ")
		if r, err := Lookup(p.Key); of && (err != nil || !strings.Contains(r.Paper, table)) {
			t.Errorf("%s: its row says %q, and the paper prints it in table %s", p.Key, r.Paper, table)
		}
	}
}

// What readers of the papers would not expect of a preset, it says.
func TestAPresetSaysWhereItDepartsFromItsPaper(t *testing.T) {
	for name, want := range map[string][]Departure{
		"vmpo": {
			{"lr", "0.005", "0.0001", "§4.3", "0.0001"}, {"clip", "1", "∞", "§4.3, which names none", "inf"},
			{"dual-lr", "0.03", "0.0001", "§4.3", "0.0001"}, {"popart", "off", "on", "§4.1", "on"},
			{"correction", "vtrace", "none", "§4.1", "none"},
		},
		"vmpo-pendulum": {
			{"target-every", "10", "100", "table 7", "100"}, {"eps-sigma", "0.0002", "5e-06 to 5e-05", "table 7", "5e-05"},
			{"lr", "0.001", "0.0001", "§4.3", "0.0001"},
		},
		"stac-walker": {{"overlap", "0", "30", "table 3, control", "30"}, {"unroll", "20", "40", "table 3, control", "40"}},
		"laser":       {{"clip", "1", "∞", "§5.1", "inf"}, {"gamma", "0.99", "0.995", "§5.1", "0.995"}},
		"stac":        {{"opt-eps", "0.04", "0.1", "table 3", "0.1"}, {"lr", "0.004", "0.0006", "table 3", "0.0006"}},
		"breakout":    {{"clip", "1", "40", "table G.1", "40"}, {"optimiser", "adam", "rmsprop", "table G.1", "rmsprop"}},
	} {
		has := map[Departure]bool{}
		for _, d := range departures(t, name) {
			has[d] = true
		}
		for _, d := range want {
			if !has[d] {
				t.Errorf("%s does not say %+v; it says %v", name, d, has)
			}
		}
	}
	for name, same := range map[string][]string{
		"vmpo":          {"optimiser", "entropy", "top", "psi", "kl", "eps-eta", "eps-alpha", "value-cost", "reduce"},
		"vmpo-pendulum": {"popart", "clip", "eps-mean"},
		"laser":         {"mix", "correction", "sampling"},
		"stac":          {"gamma", "meta-lr", "meta-init", "reduce", "lambda", "outer-kl"},
	} {
		for _, d := range departures(t, name) {
			for _, key := range same {
				if d.Key == key {
					t.Errorf("%s: %+v is as the paper has it", name, d)
				}
			}
		}
	}
}

func departures(t *testing.T, preset string) []Departure {
	t.Helper()
	c, err := FromPreset(preset)
	if err != nil {
		t.Fatal(err)
	}
	return c.Departures()
}
