package algo

import (
	"errors"
	"testing"

	"impalab/envs"
	"impalab/learner/graph"
	"impalab/learner/traj"
)

// V-MPO's learners against one that takes their shares in turn (appendix F): each share alone gives a gradient and the
// slopes of η and α, with its own better half and its own normalisation; a step is taken along the means.
func TestSeveralVMPOLearnersAverageWhatEachMakesOfItsShare(t *testing.T) {
	enough := errors.New("the gradient is known")
	for _, settings := range []string{
		"algo=vmpo target-every=3", "algo=vmpo target-every=3 correction=trust-region trust=0.1 mix=0.5 top=0.3",
		"algo=vmpo psi=uniform lstm=4 kl=off",
	} {
		for _, n := range []int{2, 4} {
			cfg, first, several := learning(t, settings+" learners="+string(rune('0'+n)))
			share := shareOf(cfg)
			m, err := NewMachine(graph.Lower, cfg)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(m.Close)
			one := NewVMPO(m, &share)
			r := envs.NewRand(11, 0)
			whole := traj.NewBatch(cfg.UnrollLen, cfg.BatchSize, m.Spec.Shape())
			part := traj.NewBatch(cfg.UnrollLen, share.BatchSize, m.Spec.Shape())
			start := append([]float32(nil), m.Theta...)
			for now := range uint64(40) {
				strangers(whole, &r)
				if err := several.Update(whole, cfg, cfg.LearningRate, now+3, nil); err != nil {
					t.Fatal(err)
				}

				var means [2][]float32 // the slopes, then the gradient
				for i := range n {
					call := 0
					m.Reduce = func(x []float32) error {
						if means[call] == nil {
							means[call] = make([]float32, len(x))
						}
						for k, v := range x {
							means[call][k] += v / float32(n)
						}
						if call++; call == 2 {
							return enough
						}
						return nil
					}
					part.Share(whole, i, n)
					if err := one.Update(part, &share, cfg.LearningRate, now+3, nil); !errors.Is(err, enough) {
						t.Fatalf("%s: %v", settings, err)
					}
				}
				call := 0
				m.Reduce = func(x []float32) error {
					copy(x, means[call])
					call++
					return nil
				}
				if err := one.Update(part, &share, cfg.LearningRate, now+3, nil); err != nil {
					t.Fatal(err)
				}
			}
			if d := distance(m.Theta, first.Theta); d > 1e-5 {
				t.Errorf("%s, %d learners: θ differs by %g", settings, n, d)
			}
			if moved := distance(m.Theta, start); moved < 0.01 {
				t.Errorf("%s: θ moved by %g only: nothing is tried", settings, moved)
			}
			for i, v := range one.State() {
				if d := distance(v, several.State()[i]); d > 1e-5 {
					t.Errorf("%s, %d learners: what it remembers, part %d, differs by %g", settings, n, i, d)
				}
			}
			replicasAgree(t, settings, several)
		}
	}
}

// The better half of each share is not the better half of the batch: a difference from one learner, as the paper has
// it.
func TestTheBetterHalvesOfSharesDifferFromTheBatchs(t *testing.T) {
	cfg, one, alone := learning(t, "algo=vmpo")
	_, first, several := learning(t, "algo=vmpo learners=4")
	r := envs.NewRand(11, 0)
	batch := traj.NewBatch(cfg.UnrollLen, cfg.BatchSize, one.Spec.Shape())
	strangers(batch, &r)
	for _, a := range []Algorithm{alone, several} {
		if err := a.Update(batch, cfg, cfg.LearningRate, 3, nil); err != nil {
			t.Fatal(err)
		}
	}
	if distance(one.Theta, first.Theta) == 0 {
		t.Error("four shares and the whole batch give one step")
	}
}
