//go:build slow

package evolve

import (
	"fmt"
	"testing"

	"impalab/internal/kit"
)

// From learning rates too small for the budget, evolution finds larger ones.
func TestAPopulationEvolvesOutOfPoorLearningRates(t *testing.T) {
	genes := []Gene{{Key: "lr", Low: 1e-5, High: 3e-4}, {Key: "entropy"}, {Key: "opt-eps"}}
	for seed := 1; seed <= 3; seed++ {
		mean := func(burnIn uint64) (sum float64) {
			cfg := kit.Config(t, "cartpole", fmt.Sprintf("steps=250000 seed=%d", seed))
			p, err := New(cfg, Plan{Members: 8, Every: 10_000, BurnIn: burnIn, Genes: genes})
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			evolved(t, p, 2)
			for _, s := range p.Last() {
				sum += s.Return / 8
			}
			return sum
		}
		with, without := mean(20_000), mean(250_000)
		t.Logf("seed %d: %.0f evolved, %.0f left alone", seed, with, without)
		if with < 1.5*without {
			t.Errorf("seed %d: %.0f evolved, %.0f left alone", seed, with, without)
		}
	}
}
