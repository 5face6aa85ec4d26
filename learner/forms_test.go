package learner

import (
	"runtime"
	"testing"

	"impalab/internal/kit"
	"impalab/learner/correct"
	"impalab/learner/hyper"
)

// A run may go through every correction, also from those that take a batch in parts to those that need it whole. Its
// bytes are the same on one core and on two.
func TestARunThroughEveryCorrectionHasTheSameBytesOnAnyCores(t *testing.T) {
	through := func(cores int) string {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		next, names := 0, len(correct.Corrections)
		set := func(l *Learner, key, value string) error {
			change, err := hyper.ParseHot(key, value)
			if err == nil {
				_, err = l.Apply(change)
			}
			return err
		}
		result := train(t, kit.Config(t, "lag-cliff", "steps=16000 lag=3 moment=0.001"), Hooks{
			Between: func(l *Learner) error {
				if l.Updates() == 0 {
					return nil
				}
				if err := set(l, "correction", correct.Corrections[next%names].Name); err != nil {
					return err
				}
				next++
				return set(l, "lift", []string{"0", "0.5"}[next/names%2])
			}})
		if next < 2*names {
			t.Errorf("%d changes of %d corrections, each wanted with a lift and without", next, names)
		}
		return result.ParamsSHA256
	}
	if one, two := through(1), through(2); one != two {
		t.Errorf("%.12s on one core, %.12s on two", one, two)
	}
}
