//go:build slow

package watch

import (
	"context"
	"errors"
	"testing"

	"impalab/internal/kit"
	"impalab/learner"
	"impalab/learner/collapse"
	"impalab/learner/graph"
	"impalab/learner/hyper"
)

var errSeen = errors.New("seen enough")

// emptied is the largest share of a belt's 64 waiting steps whose weight is below .7 while the pole still stands. It is
// looked at every quarter of a second of a run of 10 000 steps a second.
func emptied(t *testing.T, seed uint64, correction string, until uint64) (most float64, fell uint64) {
	t.Helper()
	cfg := kit.Config(t, "break-and-mend", "")
	cfg.Seed = seed
	change, err := hyper.ParseChange("correction", correction)
	if err != nil {
		t.Fatal(err)
	}
	change.Apply(&cfg)
	l, err := learner.Engine{Lower: graph.Lower}.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	lag, err := hyper.ParseHot("lag", "64")
	if err != nil {
		t.Fatal(err)
	}
	var b belt
	var pole collapse.Pole
	s := newScale(l.Machine().Spec, nil)
	turned := false
	_, err = l.Run(context.Background(), learner.Hooks{Between: func(l *learner.Learner) error {
		b.add(l)
		if !turned && l.Steps() >= 80_000 {
			turned = true
			if _, err := l.Apply(lag); err != nil {
				return err
			}
		}
		switch {
		case pole.See(l.Return100(), l.Return10()) && turned:
			fell = l.Steps()
			return errSeen
		case turned && l.Updates()%62 == 0 && l.Return10() > 250:
			theta, _ := l.Behaviour()
			low := 0
			for _, p := range s.weigh(&b, theta).Poses[:64] {
				if p.Weight < .7 {
					low++
				}
			}
			most = max(most, float64(low)/64)
		case l.Steps() > until:
			return errSeen
		}
		return nil
	}})
	if !errors.Is(err, errSeen) {
		t.Fatal(err)
	}
	return most, fell
}

func TestTheUncorrectedBeltEmptiesBeforeItsLearnerFalls(t *testing.T) {
	seen := 0
	for seed := uint64(1); seed <= 8; seed++ {
		none, fell := emptied(t, seed, "none", 200_000)
		vtrace, _ := emptied(t, seed, "vtrace", max(fell, 90_000))
		t.Logf("seed %d: %.2f of the belt without a correction, %.2f with V-trace; it fell at %d", seed, none, vtrace, fell)
		if fell > 0 && none >= .15 && none > vtrace {
			seen++
		}
	}
	if seen < 6 {
		t.Errorf("on %d of 8 seeds the belt empties before the fall, want 6: draw weights in the lens only", seen)
	}
}
