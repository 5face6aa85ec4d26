package correct

import (
	"math"
	"math/rand/v2"
	"testing"
)

// impliedByHand is IMPALA eq. 3 with STAC's leak, in probabilities, as printed.
func impliedByHand(pi, mu []float64, rhoBar, leak float64) []float64 {
	p := make([]float64, len(pi))
	for a := range p {
		cut := 0.0 // μ = 0 stays 0 when ρ̄ = ∞
		if mu[a] > 0 {
			cut = math.Min(rhoBar*mu[a], pi[a])
		}
		p[a] = leak*cut + (1-leak)*pi[a]
	}
	total := sum(p)
	for a := range p {
		if total > 0 {
			p[a] /= total
		}
	}
	return p
}

func TestImpliedIsAsPrinted(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for range 5000 {
		actions := 1 + rng.IntN(5)
		logPi, logMu := randomRows(rng, 1, actions), randomRows(rng, 1, actions)
		rhoBar := []float64{inf, 1, 0.01 + 3*rng.Float64()}[rng.IntN(3)]
		leak := []float64{0, 1, rng.Float64()}[rng.IntN(3)]
		got, log := make([]float64, actions), make([]float64, actions)
		Implied(got, logPi, logMu, actions, rhoBar, leak)
		ImpliedLog(log, logPi, logMu, actions, rhoBar, leak)
		want := impliedByHand(exps(logPi), exps(logMu), rhoBar, leak)
		for a := range want {
			if !near(got[a], want[a], 1e-9) || !near(math.Exp(log[a]), want[a], 1e-9) {
				t.Fatalf("ρ̄ %v, α %v: %v, want %v", rhoBar, leak, got, want)
			}
		}
	}
}

func TestImpliedGoesFromBehaviourToTarget(t *testing.T) {
	pi, mu, got := []float64{0.7, 0.2, 0.1}, []float64{0.1, 0.3, 0.6}, make([]float64, 3)
	for _, c := range []struct {
		rhoBar, leak float64
		want         []float64
	}{{0, 1, mu}, {1e-9, 1, mu}, {inf, 1, pi}, {0.5, 0, pi}, {0, 0, pi}, {0, 0.5, pi}} {
		Implied(got, logs(pi), logs(mu), 3, c.rhoBar, c.leak)
		for a := range got {
			if !near(got[a], c.want[a], 1e-9) {
				t.Errorf("ρ̄ %v, α %v: %v, want %v", c.rhoBar, c.leak, got, c.want)
			}
		}
	}
	Implied(got, logs([]float64{1, 0, 0}), logs([]float64{0, 0.5, 0.5}), 3, 1, 1)
	if sum(got) != 0 { // 0/0: also catches NaN
		t.Errorf("policies that share no action imply %v", got)
	}
}

func TestTrustMaskIsTheDivergenceFromTheImplied(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	kept := 0
	for range 3000 {
		const rows = 4
		actions := 1 + rng.IntN(5)
		logPi, logMu := randomRows(rng, rows, actions), randomRows(rng, rows, actions)
		rhoBar, bound := []float64{1, 3 * rng.Float64(), inf}[rng.IntN(3)], 3*rng.Float64()
		implied, want := make([]float64, rows*actions), make([]float64, rows)
		mask, kl := make([]float64, rows), make([]float64, rows)
		for _, relevance := range []Relevance{RelevanceImplied, RelevanceBehaviour} {
			TrustMask(mask, kl, logPi, logMu, actions, rhoBar, bound, relevance)
			if relevance == RelevanceImplied {
				ImpliedLog(implied, logPi, logMu, actions, rhoBar, 1)
				KL(want, logPi, implied, actions)
			} else {
				KL(want, logPi, logMu, actions)
			}
			for i := range kl {
				if kl[i] != want[i] && !near(kl[i], want[i], 1e-9) {
					t.Fatalf("%v: %v, want %v", relevance, kl[i], want[i])
				}
				if (mask[i] == 1) != (kl[i] < bound) || (mask[i] != 0 && mask[i] != 1) {
					t.Fatalf("%v: KL %v, bound %v, mask %v", relevance, kl[i], bound, mask[i])
				}
				kept += int(mask[i])
			}
		}
	}
	if kept < 1000 || kept > 23000 {
		t.Errorf("%d of 24000 kept: the cases do not try the mask", kept)
	}
}

func TestTrustRegionAtItsEdges(t *testing.T) {
	no := float32(negInf)
	far := []float32{0, -2e4}
	for _, c := range []struct {
		name    string
		pi, mu  []float32
		rhoBar  float32
		bound   float32
		endless bool
		keep    float32
	}{
		{"on-policy", []float32{0.3, -1}, []float32{0.3, -1}, 1, 1e-6, false, 1},
		{"strictly below", []float32{0, 0}, []float32{0, 0}, 1, 0, false, 0},
		{"no shared action", []float32{0, no}, []float32{no, 0}, 1, 1e30, true, 0},
		{"no shared action, no bound", []float32{0, no}, []float32{no, 0}, 1, float32(inf), true, 0},
		{"μ = 0 where π > 0", []float32{0, 0}, []float32{0, no}, 1, 1e30, true, 0},
		{"μ = 0 where π > 0, ρ̄ = ∞", []float32{0, 0}, []float32{0, no}, float32(inf), 1e30, true, 0},
		{"opposite, far: π̃ is uniform, ln 2 away", far, []float32{-2e4, 0}, 1, 0.7, false, 1},
		{"opposite, far, tighter", []float32{0, -2e4}, []float32{-2e4, 0}, 1, 0.69, false, 0},
		{"opposite, far, ρ̄ = 0", far, []float32{-2e4, 0}, 0, 1, false, 0},
		{"no truncation", []float32{0, 1}, []float32{1, 0}, float32(inf), 1e-6, false, 1},
	} {
		LogSoftmax(c.pi, c.pi, 2)
		LogSoftmax(c.mu, c.mu, 2)
		mask, kl := []float32{9}, []float32{9}
		TrustMask(mask, kl, c.pi, c.mu, 2, c.rhoBar, c.bound, RelevanceImplied)
		if math.IsInf(float64(kl[0]), 1) != c.endless || !(kl[0] >= 0) || mask[0] != c.keep {
			t.Errorf("%s: KL %v, mask %v; want endless %v, mask %v", c.name, kl[0], mask[0], c.endless, c.keep)
		}
	}
}
