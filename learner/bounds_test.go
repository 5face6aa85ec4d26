package learner

import (
	"context"
	"encoding/binary"
	"math"
	"testing"

	"impalab/envs"
	"impalab/internal/kit"
)

// thrown is a cheetah that is put far under the ground, moving up fast, at every thirtieth step. The ground throws it
// out of the bounds of its state. Nothing else ends its episode before 1000 steps.
type thrown struct {
	envs.Driven
	steps int
}

var thrownSpec envs.Spec

func (w *thrown) Spec() *envs.Spec { return &thrownSpec }

func (w *thrown) Drive(r *envs.Rand, controls []float32) envs.Outcome {
	if w.steps++; w.steps%30 == 0 {
		state := w.State(nil)
		// From the end: the count of steps, and an angle and a turning for each of seven links; before them x, z, vx, vz.
		at := len(state) - 4 - 7*16 - 32
		for i, x := range [...]float64{8: -40, 24: 49} {
			if x != 0 {
				binary.LittleEndian.PutUint64(state[at+i:], math.Float64bits(x))
			}
		}
		if err := w.SetState(state); err != nil {
			panic(err)
		}
	}
	return w.Driven.Drive(r, controls)
}

func init() {
	cheetah, err := envs.Lookup("cheetah")
	if err != nil {
		panic(err)
	}
	thrownSpec = *cheetah.Spec
	thrownSpec.Name = "thrown"
	envs.Table = append(envs.Table, envs.Entry{Spec: &thrownSpec,
		New: func() envs.World { return &thrown{Driven: cheetah.New().(envs.Driven)} }})
}

// A body that leaves its bounds ends its episode, which counts, and the run continues to its last step.
func TestARunContinuesWhereABodyLeavesItsBounds(t *testing.T) {
	const steps = 3200
	l, err := New(kit.Config(t, "impala-cheetah", "world=thrown steps=3200"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := l.Run(context.Background(), Hooks{}); err != nil {
		t.Fatal(err)
	}
	if low, high := uint64(steps/2/30), uint64(steps/30); l.Steps() != steps || l.Episodes() < low || l.Episodes() > high {
		t.Errorf("%d episodes in %d steps; want %d to %d in %d", l.Episodes(), l.Steps(), low, high, steps)
	}
	theta, _ := l.Behaviour()
	for i, x := range theta {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			t.Fatalf("parameter %d is %v", i, x)
		}
	}
}
