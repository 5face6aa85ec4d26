package learner

import (
	"math"
	"testing"

	"impalab/internal/kit"
	"impalab/learner/algo"
	"impalab/learner/hyper"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// rates is an algorithm that notes the learning rates it is given.
type rates struct {
	algo.Algorithm
	given []float64
}

func (r *rates) Update(b *traj.Batch, cfg *hyper.Config, lr float64, now uint64, out *telemetry.Update) error {
	r.given = append(r.given, lr)
	return r.Algorithm.Update(b, cfg, lr, now, out)
}

func TestAnnealingBeginsWithTheWholeRateAndEndsAboveZero(t *testing.T) {
	cfg := kit.Config(t, "cartpole", "anneal=linear lr=0.01 unroll=20 batch=8 steps=1600") // ten updates
	l, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	noted := &rates{Algorithm: l.algo}
	l.algo = noted
	if _, err := l.Run(t.Context(), Hooks{}); err != nil {
		t.Fatal(err)
	}
	if len(noted.given) != 10 {
		t.Fatalf("%d updates, want 10", len(noted.given))
	}
	for k, got := range noted.given {
		if want := 0.01 * float64(10-k) / 10; math.Abs(got-want) > 1e-12 {
			t.Errorf("update %d has learning rate %g, want %g", k, got, want)
		}
	}
}
