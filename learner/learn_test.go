package learner

import (
	"testing"

	"impalab/internal/kit"
	"impalab/learner/telemetry"
)

// reached is the first step at which the mean of the last hundred episodes was at least goal, or 0 if it never was.
func reached(t *testing.T, preset, changes string, goal float64) (step uint64, end Result) {
	t.Helper()
	cfg := kit.Config(t, preset, changes)
	l, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	end, err = l.Run(t.Context(), Hooks{Episode: func(telemetry.Episode) {
		if step == 0 && l.Episodes() >= 100 && l.Return100() >= goal {
			step = l.Steps()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	return step, end
}

func TestCatchIsLearned(t *testing.T) {
	long(t)
	for _, seed := range []string{"1", "2", "3"} {
		step, end := reached(t, "catch", "steps=56000 seed="+seed, 0.95)
		t.Logf("seed %s: 0.95 after %d steps, %.2f at the end", seed, step, end.ReturnMean100)
		if step == 0 {
			t.Errorf("seed %s: at %.2f after %d steps", seed, end.ReturnMean100, end.Steps)
		}
	}
}

func TestCatchIsLearnedByAnAgentThatTunesItself(t *testing.T) {
	long(t)
	for _, seed := range []string{"1", "2", "3"} {
		step, end := reached(t, "stac-catch", "steps=60000 seed="+seed, 0.95)
		t.Logf("seed %s: 0.95 after %d steps, %.2f at the end", seed, step, end.ReturnMean100)
		if step == 0 {
			t.Errorf("seed %s: at %.2f after %d steps", seed, end.ReturnMean100, end.Steps)
		}
	}
}
