package algo

import (
	"math"
	"testing"

	"impalab/internal/oracle"
	"impalab/learner/loss"
	"impalab/learner/optim"
)

// Two updates of IMPALA with PopArt against float64, in the order of van Hasselt et al.'s algorithm 1: targets from the
// statistics so far, then the statistics and the rescaled head, then the loss at the new scale and the step along it.
// The first update shows in which order, the second that nothing of it is lost between updates.
func TestPopArtMovesItsStatisticsBeforeTheLoss(t *testing.T) {
	for _, heads := range []string{"none", "3"} {
		popArtTwin(t, "head-hidden="+heads)
	}
}

func popArtTwin(t *testing.T, changes string) {
	cfg, m, a, b := tiny(t, "vtrace", "popart=on", "lr=0.02", "reward-scale=30", "clip=0.5", changes)
	const rate = 0.02 // of the moments: large, so that the order shows
	m.pop.stats.Rate = rate
	w := twinOf(b, cfg)
	zeta := loss.Meta{cfg.Gamma, cfg.Lambda, 1, 1, cfg.ValueCost, cfg.PolicyCost, cfg.Entropy}
	theta, nu := wide(m.Theta), make([]float64, len(m.Theta))
	step := rmsprop(cfg.LearningRate, cfg.OptDecay, cfg.OptEps)
	stats := optim.NewPopArt[float64](1, rate, popLow, popHigh)
	head := m.pop.layer // TestObservingTargetsMovesNoValue says that it is the right one
	normal := netModel(&m.Spec, b)
	real := func(theta []dual, h, row int) ([]dual, dual) {
		logits, n := normal(theta, h, row)
		return logits, n.times(dual{v: stats.Scale[0]}).plus(dual{v: stats.Shift[0]})
	}

	for update := range uint64(2) {
		if err := a.Update(b, cfg, cfg.LearningRate, update, nil); err != nil {
			t.Fatal(err)
		}

		targets := look(real, theta, 0, w, zeta).targets
		stats.Observe(theta[head.W:head.B], theta[head.B:head.B+head.Out], head.Out, m.pop.first, targets.VS, nil)
		x, scale := look(real, theta, 0, w, zeta), stats.Scale[0]
		advantage, dLogits, dValues := make([]float64, len(targets.VS)), make([]float64, len(x.dLogits)),
			make([]float64, len(x.dValues))
		for i, adv := range targets.Advantage {
			advantage[i] = adv / scale
		}
		loss.PolicyGradient(dLogits, x.policy(w), w.action, targets.Weight, advantage, 0, w.scale*cfg.PolicyCost)
		loss.Entropy(dLogits, x.policy(w), w.online, w.scale*cfg.Entropy)
		loss.Value(dValues, x.value[:len(dValues)], targets.VS, nil, w.scale*cfg.ValueCost/(scale*scale))
		grad := x.pull(w, dLogits, dValues)
		oracle.ClipNorm(grad, cfg.Clip)
		step(theta, nu, grad, make([]float64, len(theta)))

		if got := float64(m.pop.stats.Scale[0]); math.Abs(got-scale) > 1e-4*scale || math.Abs(scale-1) < 0.5 {
			t.Errorf("%s, update %d: σ is %g, want %g, well away from 1", changes, update+1, got, scale)
		}
		if got := float64(m.pop.stats.Shift[0]); math.Abs(got-stats.Shift[0]) > 1e-4*scale {
			t.Errorf("%s, update %d: m is %g, want %g", changes, update+1, got, stats.Shift[0])
		}
		for i, want := range theta {
			if got := float64(m.Theta[i]); math.Abs(got-want) > 1e-4*math.Max(1, math.Abs(want)) {
				t.Errorf("%s, update %d: θ_%d is %g, want %g", changes, update+1, i, got, want)
			}
		}
	}
}
