package trial

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"impalab/internal/kit"
	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/hyper"
)

// timeless is a report without the times that it took.
func timeless(r Report) string {
	r.Wall, r.CPU, r.StepsPerSec = 0, nil, 0
	return fmt.Sprintf("%+v", r)
}

// Each interruption, also between two seeds, continues from the stored state.
func TestAContinuedTrialGivesTheSameReports(t *testing.T) {
	t.Parallel()
	for _, set := range []string{"preset=cartpole steps=6000 lag=8", "preset=catch algo=vmpo steps=3000"} {
		var settings []hyper.Setting
		for _, pair := range strings.Fields(set) {
			key, value, _ := strings.Cut(pair, "=")
			settings = append(settings, hyper.Setting{Key: key, Value: value})
		}
		cfg, _, _, err := hyper.FromSettings(settings)
		if err != nil {
			t.Fatal(err)
		}
		trial := &Trial{Config: cfg, Seeds: []uint64{5, 6}, Jobs: 1, Quantities: []string{"kl-policy"}}
		want, err := trial.Run(t.Context(), func(Report) {})
		if err != nil {
			t.Fatal(err)
		}
		var kept []byte
		var got []Report
		parts, resumed := 0, uint64(0)
		for got == nil {
			ctx, stop := context.WithCancel(t.Context())
			updates, first := 0, true
			trial.Hooks = func() learner.Hooks {
				return learner.Hooks{Between: func(l *learner.Learner) error {
					if first && kept != nil {
						resumed = max(resumed, l.Updates())
					}
					first = false
					if updates++; updates == 11 {
						stop()
					}
					return nil
				}}
			}
			steps := uint64(0)
			got, err = trial.Resume(ctx, Way{Engine: learner.Engine{Lower: graph.Lower}, From: kept,
				Keep:     func(state []byte) error { kept = slices.Clone(state); return nil },
				Progress: func(n uint64) { steps = n },
			})
			stop()
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			if parts++; steps > trial.Budget() {
				t.Fatalf("%d of %d steps", steps, trial.Budget())
			}
		}
		if parts < 4 || resumed < 20 {
			t.Errorf("%s: it was interrupted %d times, and went on from update %d at most", set, parts-1, resumed)
		}
		for i := range want {
			if timeless(got[i]) != timeless(want[i]) {
				t.Errorf("%s, seed %d: in %d parts\n%.1500s\nwant\n%.1500s", set, trial.Seeds[i], parts, timeless(got[i]),
					timeless(want[i]))
			}
		}
		trial.Config.Lag++
		_, err = trial.Resume(t.Context(), Way{Engine: learner.Engine{Lower: graph.Lower}, From: half(t, trial)})
		if err == nil || !strings.Contains(err.Error(), "settings differ") {
			t.Errorf("%s: a state of another lag: %v", set, err)
		}
	}
}

// half is the state of a trial that was stopped at its first update, under another lag.
func half(t *testing.T, of *Trial) (state []byte) {
	other := *of
	other.Config.Lag++
	other.Hooks = nil
	enough := errors.New("enough")
	_, err := other.Resume(t.Context(), Way{Engine: learner.Engine{Lower: graph.Lower}, Keep: func(s []byte) error {
		state = s
		return enough
	}})
	if !errors.Is(err, enough) {
		t.Fatal(err)
	}
	return state
}

func TestATrialWithAScriptIsNotInterrupted(t *testing.T) {
	cfg := kit.Config(t, "catch", "")
	trial := &Trial{Config: cfg, Seeds: []uint64{1}, Script: &Script{}}
	if _, err := trial.Resume(t.Context(), Way{}); err == nil {
		t.Error("it was begun")
	}
}
