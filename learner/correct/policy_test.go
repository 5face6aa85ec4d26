package correct

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// randomRows are log-policies of every temper: soft, sharp, and with forbidden actions.
func randomRows(rng *rand.Rand, rows, actions int) []float64 {
	z := make([]float64, rows*actions)
	for i := range z {
		z[i] = math.Exp(4*rng.Float64()-2) * rng.NormFloat64()
		if i%actions > 0 && rng.IntN(8) == 0 {
			z[i] = negInf
		}
	}
	LogSoftmax(z, z, actions)
	return z
}

func exps(logs []float64) []float64 {
	p := make([]float64, len(logs))
	for i, x := range logs {
		p[i] = math.Exp(x)
	}
	return p
}

func TestSoftmaxSumsToOneAndIgnoresShift(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		z := rapid.SliceOfN(rapid.Float64Range(-1e4, 1e4), 1, 8).Draw(t, "logits")
		n := len(z)
		prob, logp, shifted := make([]float64, n), make([]float64, n), make([]float64, n)
		Softmax(prob, logp, z, n)
		if total := sum(prob); !(math.Abs(total-1) <= 1e-12) {
			t.Fatalf("probabilities sum to %v", total)
		}
		same(t, "exp log π", exps(logp), prob)
		for a := range z {
			shifted[a] = z[a] + 123
		}
		LogSoftmax(shifted, shifted, n)
		same(t, "log π", shifted, logp)
	})
}

func TestSoftmaxTreatsEveryRowAlone(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const rows, actions = 5, 3
	z := randomRows(rng, rows, actions)
	prob, logp, alone, logAlone := make([]float64, rows*actions), make([]float64, rows*actions), make([]float64, actions),
		make([]float64, actions)
	Softmax(prob, logp, z, actions)
	for i := range rows {
		Softmax(alone, logAlone, z[i*actions:][:actions], actions)
		if !slices.Equal(prob[i*actions:][:actions], alone) || !slices.Equal(logp[i*actions:][:actions], logAlone) ||
			!near(sum(alone), 1, 1e-12) {
			t.Errorf("row %d: %v, by itself %v", i, prob[i*actions:][:actions], alone)
		}
	}
}

func TestRatiosAgreeAndHandleForbiddenActions(t *testing.T) {
	no := float32(negInf)
	for _, c := range []struct {
		pi, mu []float32
		want   float64
	}{
		{[]float32{0, 0}, []float32{0, 0}, 1},
		{[]float32{no, 0}, []float32{0, 0}, 0},
		{[]float32{0, 0}, []float32{no, 0}, inf},
		{[]float32{no, 0}, []float32{no, 0}, 0},
		{[]float32{1e4, -1e4}, []float32{-1e4, 1e4}, inf},
		{[]float32{-1e4, 1e4}, []float32{1e4, -1e4}, 0},
		{[]float32{-1e4, 1e4}, []float32{-1e4, 1e4}, 1},
	} {
		got, again := []float32{9}, []float32{9}
		Ratios(got, c.pi, c.mu, []int32{0}, 2)
		logPi, logMu := make([]float32, 2), make([]float32, 2)
		LogSoftmax(logPi, c.pi, 2)
		LogSoftmax(logMu, c.mu, 2)
		RatiosFromLog(again, logPi, logMu, []int32{0}, 2)
		if float64(got[0]) != c.want || float64(again[0]) != c.want {
			t.Errorf("π %v, μ %v: %v and %v, want %v", c.pi, c.mu, got, again, c.want)
		}
	}
}

func TestActionOutsideItsRowIsRefused(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("action 2 of 2 read its neighbour's row")
		}
	}()
	Ratios(make([]float64, 2), make([]float64, 4), make([]float64, 4), []int32{2, 0}, 2)
}

func TestKLIsNeverNegativeNorNaN(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range 3000 {
		actions := 1 + rng.IntN(5)
		p, q, kl := randomRows(rng, 4, actions), randomRows(rng, 4, actions), make([]float64, 4)
		KL(kl, p, q, actions)
		for i, got := range kl {
			want := 0.0
			for a := range actions {
				x, y := math.Exp(p[i*actions+a]), math.Exp(q[i*actions+a])
				if x > 0 {
					want += x * math.Log(x/y)
				}
			}
			if got < 0 || math.IsInf(got, 1) != math.IsInf(want, 1) || (!math.IsInf(want, 1) && !near(got, want, 1e-9)) {
				t.Fatalf("KL %v, want %v", got, want)
			}
		}
		KL(kl, p, p, actions)
		if kl[0] != 0 {
			t.Fatalf("KL(p‖p) = %v", kl[0])
		}
	}
}

func TestKLAtItsEdges(t *testing.T) {
	for _, c := range []struct {
		p, q []float32
		want float32
	}{
		{[]float32{-0.7, -0.7}, []float32{-0.6999, -0.6999}, 0},                      // rounding must not go below 0
		{[]float32{0, -2e4}, []float32{0, float32(negInf)}, float32(inf)},            // π(b) underflows, yet it is there
		{[]float32{0, float32(negInf)}, []float32{0, float32(negInf)}, 0},            // forbidden by both
		{[]float32{0, float32(negInf)}, []float32{float32(negInf), 0}, float32(inf)}, // disjoint
		{[]float32{0, -2e4}, []float32{-2e4, 0}, 2e4},
	} {
		kl := []float32{9}
		if KL(kl, c.p, c.q, 2); kl[0] != c.want {
			t.Errorf("KL(%v‖%v) = %v, want %v", c.p, c.q, kl[0], c.want)
		}
	}
}
