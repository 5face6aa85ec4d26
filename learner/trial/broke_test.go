package trial

import (
	"math"
	"testing"

	"impalab/learner/hyper"
)

func TestAPauseIsCountedFromItsFall(t *testing.T) {
	run := func(fell, paused Number) Report { return Report{Broke: &Broke{Fell: fell, Paused: paused}} }
	got := SummariseBroke([]Report{run(100, 103), run(None, None), run(50, 90), run(None, 7), run(60, None)})
	if want := (BrokeSummary{Fell: 3, Paused: 2, Unfounded: 1, Latest: 40}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := SummariseBroke([]Report{run(None, None)}); !math.IsNaN(float64(got.Latest)) || got.Fell != 0 {
		t.Errorf("without a fall: %+v", got)
	}
}

func TestAFallIsTwentyEpisodesBelowHalfOfTheBest(t *testing.T) {
	b := Broke{Fell: None}
	add := func(episodes int, hundred, ten float64) {
		for range episodes {
			n := uint64(len(b.returns)) + 1
			b.returns = append(b.returns, returns{n, n, hundred, ten})
		}
	}
	add(50, 60, 10)   // it never stood
	add(50, 300, 310) // updates 51 to 100
	add(20, 290, 149)
	add(1, 290, 150) // a stumble
	add(30, 280, 149)
	if b.look(); b.Fell != 142 { // low from update 122 on
		t.Errorf("it fell after %v updates, want 142", b.Fell)
	}
}

// In a real run that falls, the rule that is followed update by update says so where the rule as it is said does.
func TestARunIsPausedWhereItFell(t *testing.T) {
	cfg, err := hyper.FromPreset("lag-cliff")
	if err != nil {
		t.Fatal(err)
	}
	cfg.Correction, cfg.Steps = "none", 60_000
	reports, err := (&Trial{Config: cfg, Seeds: []uint64{9201}, Jobs: 1, Falls: true}).Run(t.Context(), func(Report) {})
	if err != nil {
		t.Fatal(err)
	}
	if b := reports[0].Broke; !(b.Fell > 0) || b.Paused != b.Fell {
		t.Errorf("it fell after %v updates, and is paused after %v", b.Fell, b.Paused)
	}
}
