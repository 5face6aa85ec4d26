package learner

import (
	"errors"
	"slices"
	"testing"

	"impalab/internal/kit"
	"impalab/learner/traj"
)

// The steps of a run are the world's: a repeated step is counted once. The first unrolls have no step to repeat.
func TestRepeatedStepsAreCountedOnce(t *testing.T) {
	for _, c := range []struct {
		changes string
		steps   uint64
	}{
		{"overlap=0", 10 * 3 * 8},
		{"overlap=6", 3*8 + 9*3*2},
		{"overlap=6 lag=2", 3*8 + 9*3*2},
		{"overlap=6 mode=live actors=1", 3*8 + 9*3*2},
	} {
		l, err := New(kit.Config(t, "catch", "unroll=8 batch=3 "+c.changes))
		if err != nil {
			t.Fatal(err)
		}
		enough := errors.New("enough")
		_, err = l.Run(t.Context(), Hooks{Between: func(l *Learner) error {
			if l.Updates() == 10 {
				return enough
			}
			return nil
		}})
		l.Close()
		if !errors.Is(err, enough) || l.Steps() != c.steps {
			t.Errorf("%s: %d steps after ten updates, want %d (%v)", c.changes, l.Steps(), c.steps, err)
		}
	}
}

// What live actors send overlaps too: each unroll of a copy begins with the end of the copy's unroll before it.
func TestUnrollsOfLiveActorsOverlap(t *testing.T) {
	for _, changes := range []string{"", " inference=batched"} {
		l, err := New(kit.Config(t, "catch", "mode=live actors=2 unroll=8 overlap=6 batch=6 lstm=4 steps=4000"+changes))
		if err != nil {
			t.Fatal(err)
		}
		before := map[uint64]*traj.Unroll{}
		overlapped := 0
		_, err = l.Run(t.Context(), Hooks{Between: func(l *Learner) error {
			for _, u := range l.fresh {
				if v := before[u.Lane]; v != nil && v.Serial+1 == u.Serial {
					overlapped++
					if u.Again != 6 || !slices.Equal(u.Obs[:7*u.Size], v.Obs[2*u.Size:]) ||
						!slices.Equal(u.Mu[:6*u.Actions], v.Mu[2*u.Actions:]) || !slices.Equal(u.Action[:6], v.Action[2:]) ||
						!slices.Equal(u.End[:6], v.End[2:]) || !slices.Equal(u.Reward[:6], v.Reward[2:]) {
						t.Errorf("unroll %d of copy %d does not repeat the unroll before it", u.Serial, u.Lane)
					}
				}
				before[u.Lane] = traj.NewUnroll(u.T, u.Shape)
				before[u.Lane].CopyFrom(u)
			}
			return nil
		}})
		l.Close()
		if err != nil || overlapped < 500 {
			t.Errorf("%s: %d unrolls overlapped (%v)", changes, overlapped, err)
		}
	}
}
