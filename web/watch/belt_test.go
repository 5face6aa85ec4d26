package watch

import (
	"context"
	"errors"
	"math"
	"testing"

	"impalab/envs"
	"impalab/internal/kit"
	"impalab/learner"
	"impalab/learner/graph"
	"impalab/web/wire"
)

// The belt's steps are the learner's own batches. The newest has the acting policy's own weight, 1, at lag 0.
func TestTheBeltHasAStepOfEachOfTheLastBatches(t *testing.T) {
	cfg := kit.Config(t, "break-and-mend", "")
	l, err := learner.Engine{Lower: graph.Lower}.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	world, err := envs.New(cfg.World)
	if err != nil {
		t.Fatal(err)
	}
	var b belt
	s := newScale(l.Machine().Spec, world)
	done := errors.New("enough")
	var leans []float32
	_, err = l.Run(context.Background(), learner.Hooks{Between: func(l *learner.Learner) error {
		if one, ok := l.Studied(); ok {
			leans = append(leans, one.Obs[2])
		}
		b.add(l)
		b.add(l) // a run that pauses offers its update again
		if l.Updates() == 100 {
			return done
		}
		return nil
	}})
	if !errors.Is(err, done) {
		t.Fatal(err)
	}
	theta, _ := l.Behaviour()
	var other belt
	other.copyFrom(&b)
	m := s.weigh(&other, theta)
	if len(m.Poses) != wire.MaxBelt || m.Update != 100 {
		t.Fatalf("%d poses at update %d", len(m.Poses), m.Update)
	}
	for k, p := range m.Poses {
		if want := leans[len(leans)-1-k]; p.Lean != want {
			t.Errorf("the pose %d updates ago leans %v, the batch %v", k, p.Lean, want)
		}
		if !(p.Weight > 0 && p.Weight <= 1) {
			t.Errorf("the pose %d updates ago counts %v", k, p.Weight)
		}
	}
	one := b.past[len(b.past)-1]
	s.pi.Read(func() []float32 { logits, _ := s.forward.Run(theta, one.obs, nil, 1); return logits }())
	want := min(1, math.Exp(float64(s.pi.Mu[one.action]-one.mu[one.action])))
	if math.Abs(float64(m.Poses[0].Weight)-want) > 1e-6 {
		t.Errorf("the newest counts %v, want %v", m.Poses[0].Weight, want)
	}
}
