package trial

import (
	"math"
	"testing"

	"impalab/learner/correct"
	"impalab/learner/hyper"
)

func TestAPauseIsCountedFromItsFall(t *testing.T) {
	run := func(fell, paused Number) Report {
		return Report{Broke: &Broke{Fell: fell, Paused: paused, Solved: None, PausedSolved: None}}
	}
	got := SummariseBroke([]Report{run(100, 103), run(None, None), run(50, 90), run(None, 7), run(60, None)})
	if want := (BrokeSummary{Fell: 3, Paused: 2, Unfounded: 1, Latest: 40}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	solved := func(solved, paused Number) Report {
		return Report{Broke: &Broke{Fell: None, Paused: None, Solved: solved, PausedSolved: paused}}
	}
	got = SummariseBroke([]Report{solved(9, 9), solved(9, 50), solved(9, None), solved(None, 9), solved(None, None)})
	if got.Solved != 3 || got.PausedSolved != 1 || got.UnfoundedSolve != 1 || got.Fell != 0 {
		t.Errorf("of five runs, of which three solve their world: %+v", got)
	}
	if got := SummariseBroke([]Report{run(None, None)}); !math.IsNaN(float64(got.Latest)) || got.Fell != 0 {
		t.Errorf("without a fall: %+v", got)
	}
}

func TestAFallIsTwentyEpisodesBelowHalfOfTheBest(t *testing.T) {
	b := Broke{Fell: None, Solved: None}
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
	if b.look(295); b.Fell != 142 { // low from update 122 on
		t.Errorf("it fell after %v updates, want 142", b.Fell)
	}
	if b.Solved != 100 { // the first with a hundred episodes
		t.Errorf("300 is reached after %v updates, want 100", b.Solved)
	}
}

// In a real run that falls, the rule that is followed update by update says so where the rule as it is said does. The
// same of one that solves its world.
func TestARunIsPausedWhereItFell(t *testing.T) {
	cfg, err := hyper.FromPreset("lag-cliff")
	if err != nil {
		t.Fatal(err)
	}
	cfg.Correction, cfg.Steps = correct.MethodNone, 60_000
	reports, err := (&Trial{Config: cfg, Seeds: []uint64{9201}, Jobs: 1, Falls: true}).Run(t.Context(), func(Report) {})
	if err != nil {
		t.Fatal(err)
	}
	if b := reports[0].Broke; !(b.Fell > 0) || b.Paused != b.Fell {
		t.Errorf("it fell after %v updates, and is paused after %v", b.Fell, b.Paused)
	}
	if cfg, err = hyper.FromPreset("catch"); err != nil {
		t.Fatal(err)
	}
	cfg.Steps = 20_000
	reports, err = (&Trial{Config: cfg, Seeds: []uint64{3}, Jobs: 1, Falls: true}).Run(t.Context(), func(Report) {})
	if err != nil {
		t.Fatal(err)
	}
	if b := reports[0].Broke; !(b.Solved > 0) || b.PausedSolved != b.Solved {
		t.Errorf("its world was solved after %v updates, and it is paused after %v", b.Solved, b.PausedSolved)
	}
}
