package board

import (
	"strings"
	"testing"

	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/hyper"
)

// Entries leave out settings without an effect, as the table of settings says. This test compares that with learning:
// for several agents it changes each idle setting, and the parameters after a few updates must be the same.
func TestSettingsLeftOutOfAnEntryChangeNothing(t *testing.T) {
	track, err := Own().Find("late-pole")
	if err != nil {
		t.Fatal(err)
	}
	params := func(cfg hyper.Config) string {
		cfg.Steps, cfg.Seed, cfg.Hidden, cfg.Lag = 500, 7, "8", 1
		l, err := learner.Engine{Lower: graph.Lower}.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		result, err := l.Run(t.Context(), learner.Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		return result.ParamsSHA256
	}
	tried := 0
	for _, base := range []string{"", "correction=none mix=0.5 optimiser=adam", "correction=leaky",
		"correction=trust-region",
		"correction=one-step", "algo=laser mix=0.5", "algo=vmpo psi=uniform kl=off", "algo=stac"} {
		base += " unroll=5 batch=4"
		e := entry(t, track, base)
		want := params(e.Config)
		for i := range track.Keys {
			row := track.Keys[i].Row
			if row.InForce(&e.Config) {
				continue
			}
			with := e.Config
			if with.Set(row.Key, another(row, &with)) != nil || with.Validate() != nil {
				continue
			}
			tried++
			if got := params(with); got != want {
				t.Errorf("%s: %s=%s is said to have no effect, and has", strings.TrimSpace(base), row.Key, with.Get(row.Key))
			}
		}
	}
	if tried < 60 {
		t.Errorf("only %d settings were tried", tried)
	}
}

// another returns a different value of a setting.
func another(row *hyper.Row, cfg *hyper.Config) string {
	now := cfg.Get(row.Key)
	var values []string
	if row.Choices != nil {
		values = row.Choices
	} else {
		values = []string{row.Format(row.At(0.3)), row.Format(row.At(0.7))}
	}
	for _, v := range values {
		if v != now {
			return v
		}
	}
	return now
}
