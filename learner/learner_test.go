package learner

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"impalab/internal/kit"
	"impalab/learner/hyper"
	"impalab/learner/telemetry"
)

func train(t *testing.T, cfg hyper.Config, hooks Hooks) Result {
	t.Helper()
	l, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	result, err := l.Run(context.Background(), hooks)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func TestDataIsExactlyLagUpdatesOld(t *testing.T) {
	for _, lag := range []int{0, 1, 5} {
		cfg := kit.Config(t, "catch", "steps=2000")
		cfg.Lag = lag
		train(t, cfg, Hooks{Update: func(u *telemetry.Update) {
			want := float32(min(uint64(lag), u.Update-1)) // the first updates have no older parameters than the first
			if u.Metrics[telemetry.AgeMean] != want || u.Metrics[telemetry.AgeMax] != want {
				t.Fatalf("lag %d, update %d: age %v to %v, want %v", lag, u.Update, u.Metrics[telemetry.AgeMean],
					u.Metrics[telemetry.AgeMax], want)
			}
		}})
	}
}

func TestOnPolicyRatiosAreOne(t *testing.T) {
	train(t, kit.Config(t, "cartpole", "steps=2000"), Hooks{Update: func(u *telemetry.Update) {
		if u.Metrics[telemetry.KL] > 1e-6 || u.Metrics[telemetry.EffectiveSample] < 0.9999 {
			t.Fatalf("update %d with lag 0: KL %v, effective sample %v", u.Update, u.Metrics[telemetry.KL],
				u.Metrics[telemetry.EffectiveSample])
		}
	}})
}

// turn is a changed setting as it comes from outside: as text.
func turn(l *Learner, key, value string) (telemetry.Changed, error) {
	change, err := hyper.ParseChange(key, value)
	if err != nil {
		return telemetry.Changed{}, err
	}
	return l.Apply(change)
}

func TestAChangeIsAppliedBetweenTwoUpdatesAndRestOfTheRunFollowsIt(t *testing.T) {
	cfg := kit.Config(t, "cartpole", "steps=6400 lag=4 unroll=8")
	var changed telemetry.Changed
	patched := train(t, cfg, Hooks{Between: func(l *Learner) (err error) {
		if l.Updates() == 50 {
			changed, err = turn(l, "rho", "0.1")
		}
		return err
	}})
	if changed != (telemetry.Changed{Step: 3200, Update: 50, Key: "rho", From: "1", To: "0.1"}) {
		t.Errorf("changed: %+v", changed)
	}
	if patched.ParamsSHA256 == train(t, cfg, Hooks{}).ParamsSHA256 {
		t.Error("a ρ̄ of 0.1 for half the run changed nothing")
	}
}

func TestAColdSettingCannotChangeInARun(t *testing.T) {
	l, err := New(kit.Config(t, "catch", ""))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, key := range []string{"world", "unroll", "hidden", "optimiser", "seed"} {
		if _, err := turn(l, key, l.Config().Get(key)); err == nil || !strings.Contains(err.Error(), "start a new run") {
			t.Errorf("%s: %v", key, err)
		}
	}
}

func TestAHookStopsARun(t *testing.T) {
	enough := errors.New("enough")
	l, err := New(kit.Config(t, "catch", ""))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	result, err := l.Run(context.Background(), Hooks{Between: func(l *Learner) error {
		if l.Updates() == 7 {
			return enough
		}
		return nil
	}})
	if !errors.Is(err, enough) || result.Updates != 7 {
		t.Errorf("%v after %d updates", err, result.Updates)
	}
}

func TestADivergingRunStopsWithAReasonAndHealthyParameters(t *testing.T) {
	for _, changes := range []string{"lr=10 momentum=0.999 hidden=64-64-64-64 activation=relu clip=inf"} {
		cfg := kit.Config(t, "cartpole", changes+" steps=2000000")
		l, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		result, err := l.Run(context.Background(), Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		if result.Diverged == "" {
			t.Fatalf("a learning rate of 10 did no harm: %+v", result)
		}
		for _, v := range l.machine.Theta {
			if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
				t.Fatal("the parameters that are left are not finite")
			}
		}
		if _, err := l.Snapshot(); err != nil {
			t.Error(err)
		}
	}
}

func TestPureReplayStillFeedsTheStore(t *testing.T) {
	seen := float32(0)
	result := train(t, kit.Config(t, "catch", "mix=1 steps=4000 unroll=10"),
		Hooks{Update: func(u *telemetry.Update) { seen = max(seen, u.Metrics[telemetry.AgeMax]) }})
	if result.Steps != 4000 || result.Updates != 400 {
		t.Errorf("one unroll of 10 for each update: %d steps, %d updates", result.Steps, result.Updates)
	}
	if seen < 100 {
		t.Errorf("the oldest data was %v updates old", seen)
	}
}

func TestReplayMixMayChangeDuringARun(t *testing.T) {
	result := train(t, kit.Config(t, "catch", "steps=6000"), Hooks{Between: func(l *Learner) (err error) {
		mixes := []string{"0", "7/8", "0.5", "1", "0"}
		if l.Updates()%20 == 19 {
			_, err = turn(l, "mix", mixes[l.Updates()/20%5])
		}
		return err
	}})
	if result.Diverged != "" || result.Steps < 6000 {
		t.Errorf("%+v", result)
	}
}

func TestLiveActorsRaceTheLearner(t *testing.T) {
	for _, changes := range []string{"", " inference=batched", " inference=batched learners=2", " overlap=6"} {
		oldest := float32(0)
		result := train(t, kit.Config(t, "catch", "mode=live actors=3 steps=40000"+changes),
			Hooks{Update: func(u *telemetry.Update) { oldest = max(oldest, u.Metrics[telemetry.AgeMax]) }})
		if result.Steps < 40000 || result.Episodes < 4000 {
			t.Errorf("%s: %+v", changes, result)
		}
		if oldest == 0 {
			t.Errorf("%s: three actors and a queue, and no data was ever old", changes)
		}
	}
}

func TestBatchedActorsStopWithTheRunWheneverThatIs(t *testing.T) {
	for n := range uint64(4) {
		l, err := New(kit.Config(t, "catch", "mode=live actors=4 inference=batched"))
		if err != nil {
			t.Fatal(err)
		}
		enough := errors.New("enough")
		_, err = l.Run(context.Background(), Hooks{Between: func(l *Learner) error {
			if l.Updates() == n {
				return enough
			}
			return nil
		}})
		if !errors.Is(err, enough) {
			t.Error(err)
		}
		l.Close() // returns: no goroutine waits for an answer that never comes
	}
}
