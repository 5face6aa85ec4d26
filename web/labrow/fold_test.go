package labrow

import (
	"math"
	"slices"
	"testing"

	"impalab/learner/hyper"
)

// opened are the open rows, in reading order.
func opened(f *Fold) (rows []string) {
	for i := range All {
		if f.Open(All[i].Name) {
			rows = append(rows, All[i].Name)
		}
	}
	return rows
}

func even(string) float64 { return 44 }

func TestEveryPresetOpensRowsThatExist(t *testing.T) {
	for _, p := range hyper.Presets {
		cfg := p.Config()
		rows := Opening(&cfg)
		if len(rows) == 0 {
			t.Errorf("%s opens no row", p.Name)
		}
		for _, row := range rows {
			if !slices.ContainsFunc(All, func(r Row) bool { return r.Name == row }) {
				t.Errorf("%s opens %q, which is no row", p.Name, row)
			}
		}
	}
}

func TestATouchedRowOpensInPlaceOfTheOneTouchedLongestAgo(t *testing.T) {
	cfg, _ := hyper.FromPreset("lag-cliff")
	var f Fold
	f.Begin("lag-cliff", Opening(&cfg))
	f.Fit(math.Inf(1), even)
	if got := opened(&f); !slices.Equal(got, []string{"age-mean", "cut-rho", "correction-size", "ess"}) {
		t.Fatalf("at first %v are open", got)
	}
	f.Touch(OfKey("c"))
	f.Begin("lag-cliff", Opening(&cfg)) // the same run
	f.Fit(math.Inf(1), even)
	if got := opened(&f); !slices.Equal(got, []string{"age-mean", "cut-rho", "cut-c", "correction-size"}) {
		t.Errorf("after c̄ was turned, %v are open", got)
	}
	f.Touch("") // a setting without a row
	f.Touch(OfKey("mix"))
	f.Fit(math.Inf(1), even)
	if got := opened(&f); !slices.Equal(got, []string{"age-mean", "cut-rho", "cut-c", "ess"}) {
		t.Errorf("after the mix was turned, %v are open", got)
	}
	f.Begin("vmpo", []string{"kl"})
	f.Fit(math.Inf(1), even)
	if got := opened(&f); !slices.Equal(got, []string{"kl"}) {
		t.Errorf("another kind of run opens %v", got)
	}
}

func TestRowsFoldUntilTheOthersFit(t *testing.T) {
	tall := func(row string) float64 {
		switch row {
		case Tunes:
			return 118
		case "cut-rho":
			return 0 // the run does not have it
		}
		return 44
	}
	for height, want := range map[float64][]string{
		300: {"age-mean", Tunes, "ess"},
		170: {"age-mean", Tunes},
		161: {Tunes},
		10:  {Tunes},
	} {
		var f Fold
		f.Begin("stac", []string{Tunes, "age-mean", "cut-rho", "ess"})
		f.Fit(height, tall)
		if got := opened(&f); !slices.Equal(got, want) {
			t.Errorf("in %v pixels %v are open, want %v", height, got, want)
		}
	}
}
