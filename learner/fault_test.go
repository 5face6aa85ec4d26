package learner

import (
	"context"
	"errors"
	"strings"
	"testing"

	"impalab/envs"
	"impalab/internal/kit"
	"impalab/learner/algo"
	"impalab/learner/hyper"
	"impalab/learner/schedule"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// bomb is Catch until a copy's thirtieth step, which panics.
type bomb struct {
	envs.World
	steps int
}

func (b *bomb) Spec() *envs.Spec { return &bombSpec }

func (b *bomb) Step(r *envs.Rand, action int) envs.Outcome {
	if b.steps++; b.steps == 30 {
		panic("bomb: the thirtieth step")
	}
	return b.World.Step(r, action)
}

var bombSpec envs.Spec

func init() {
	catch, err := envs.Lookup("catch")
	if err != nil {
		panic(err)
	}
	bombSpec = *catch.Spec
	bombSpec.Name = "bomb"
	envs.Table = append(envs.Table, envs.Entry{Spec: &bombSpec,
		New: func() envs.World { return &bomb{World: catch.New()} }})
}

// runToFault runs a learner until it ends in a fault, and closes it.
func runToFault(t *testing.T, l *Learner) *schedule.Fault {
	t.Helper()
	err := schedule.Catch(func() error {
		defer l.Close()
		_, err := l.Run(context.Background(), Hooks{})
		return err
	})
	var fault *schedule.Fault
	if !errors.As(err, &fault) {
		t.Fatalf("the run ended with %v, want a fault", err)
	}
	return fault
}

func TestAPanicOnAnyOfTheActorsGoroutinesEndsTheRun(t *testing.T) {
	for _, changes := range []string{
		"mode=reference", "mode=reference collect=trajectory actors=4", "mode=live actors=4",
		"mode=live actors=4 inference=batched",
		"mode=reference sharers=2 mix=0.5",
	} {
		cfg := kit.Config(t, "catch", "world=bomb batch=8 "+changes)
		l, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		fault := runToFault(t, l)
		if fault.Value != "bomb: the thirtieth step" || !strings.Contains(string(fault.Stack), "(*bomb).Step") {
			t.Errorf("%s: %v", changes, fault)
		}
	}
}

// broken is an algorithm that panics.
type broken struct{ algo.Algorithm }

func (broken) Update(*traj.Batch, *hyper.Config, float64, uint64, *telemetry.Update) error {
	panic("broken algorithm")
}

func TestAPanicInAnAlgorithmComesOutOfRun(t *testing.T) {
	l, err := New(kit.Config(t, "catch", ""))
	if err != nil {
		t.Fatal(err)
	}
	l.algo = broken{l.algo}
	if fault := runToFault(t, l); fault.Value != "broken algorithm" {
		t.Errorf("%v", fault)
	}
}
