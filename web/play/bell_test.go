package play

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"impalab/envs"
	"impalab/learner/actor"
	"impalab/learner/net"
)

func TestABellHoldsAllOfItsProbability(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mean, sigma := rapid.Float32Range(-1, 1).Draw(t, "mean"), rapid.Float32Range(0.05, 0.5).Draw(t, "sigma")
		for _, policy := range []net.Policy{net.Gaussian, net.Tanh} {
			density, lo, hi := make([]float32, 20001), float32(-5), float32(5)
			Bell(density, policy, mean, sigma, lo, hi)
			mass := 0.0
			for _, d := range density {
				mass += float64(d) * float64(hi-lo) / float64(len(density)-1)
			}
			if math.Abs(mass-1) > 2e-3 {
				t.Fatalf("%s with mean %v and sigma %v holds %v", policy, mean, sigma, mass)
			}
		}
	})
}

func TestABellIsWhereTheDrawsAre(t *testing.T) {
	const draws, bins = 200_000, 40 // of a twentieth each, from -1 to 1
	controls := []envs.Control{{Name: "torque", Low: -2, High: 2}}
	for _, policy := range []net.Policy{net.Gaussian, net.Tanh} {
		chance := envs.NewRand(3, 0)
		d := actor.NewDraw(1, 1)
		raw := []float32{0.3, -0.4}
		var counts [bins]float64
		for range draws {
			d.Draw(policy, raw, controls, &chance)
			if at := int(math.Floor(float64(d.Scaled[0]+1) * bins / 2)); at >= 0 && at < bins {
				counts[at]++
			}
		}
		density := make([]float32, 2*bins+1) // every second one in the middle of a bin
		Bell(density, policy, d.Mu[0], d.Mu[1], -1, 1)
		for i, n := range counts {
			want := float64(density[2*i+1]) * 2 / bins
			if got := n / draws; math.Abs(got-want) > 5*math.Sqrt(want/draws)+0.03*want+1e-4 {
				t.Errorf("%s: %.4f of the draws fell into bin %d, the bell says %.4f", policy, got, i, want)
			}
		}
	}
}

func TestFramesOfRealActionsShowBothPolicies(t *testing.T) {
	cfg, player, by := preset(t, "vmpo-pendulum")
	f := step(t, player, by, &cfg)
	if net.Policy(f.Policy) != net.Gaussian || len(f.Target) != 2 || len(f.Behaviour) != 2 || len(f.Control) != 1 {
		t.Fatalf("%+v", f)
	}
	// log π(u)/μ(u) of the action shown must be the ratio shown.
	log := func(row []float32) float64 {
		z := float64(f.Control[0]-row[0]) / float64(row[1])
		return -z*z/2 - math.Log(float64(row[1]))
	}
	if got := math.Exp(log(f.Target) - log(f.Behaviour)); math.Abs(got-float64(f.Ratio)) > 1e-4*got {
		t.Errorf("the bells give a ratio of %v, the frame says %v", got, f.Ratio)
	}
}
