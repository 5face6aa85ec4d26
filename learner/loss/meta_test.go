package loss_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"impalab/learner/correct"
	"impalab/learner/loss"
)

func softmaxOf(logits []float64, actions int) loss.Policy[float64] {
	p := loss.Policy[float64]{Prob: make([]float64, len(logits)), LogProb: make([]float64, len(logits)), Actions: actions}
	correct.Softmax(p.Prob, p.LogProb, logits, actions)
	return p
}

func TestMotionsAreDirectionalDerivatives(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const n, actions = 40, 4
	logits, dz, action := make([]float64, n*actions), make([]float64, n*actions), make([]int32, n)
	for i := range logits {
		logits[i], dz[i] = 2*r.NormFloat64(), r.NormFloat64()
	}
	for i := range action {
		action[i] = int32(r.IntN(actions))
	}
	moved := func(h float64) loss.Policy[float64] {
		z := append([]float64(nil), logits...)
		for i := range z {
			z[i] += h * dz[i]
		}
		return softmaxOf(z, actions)
	}
	m := loss.Motion[float64]{LogProb: make([]float64, n), Entropy: make([]float64, n)}
	loss.Move(m, softmaxOf(logits, actions), action, dz)
	const h = 1e-5
	up, down := moved(h), moved(-h)
	for i, a := range action {
		h1, h2 := 0.0, 0.0
		for j := range actions {
			h1 += up.Prob[i*actions+j] * up.LogProb[i*actions+j]
			h2 += down.Prob[i*actions+j] * down.LogProb[i*actions+j]
		}
		if want := (up.LogProb[i*actions+int(a)] - down.LogProb[i*actions+
			int(a)]) / (2 * h); math.Abs(m.LogProb[i]-want) > 1e-7 {
			t.Errorf("log π of row %d moves by %v, finite differences say %v", i, m.LogProb[i], want)
		}
		if want := (h1 - h2) / (2 * h); math.Abs(m.Entropy[i]-want) > 1e-7 {
			t.Errorf("Σ π log π of row %d moves by %v, finite differences say %v", i, m.Entropy[i], want)
		}
	}
}

func TestKLFromIsTheDivergenceAndItsDerivative(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	const n, actions, cost = 5, 3, 0.7
	logits, from := make([]float64, n*actions), make([]float64, n*actions)
	for i := range logits {
		logits[i], from[i] = r.NormFloat64(), r.NormFloat64()
	}
	fixed := softmaxOf(from, actions).LogProb
	value := func() float64 {
		kl := make([]float64, n)
		correct.KL(kl, softmaxOf(logits, actions).LogProb, fixed, actions)
		sum := 0.0
		for _, v := range kl {
			sum += v
		}
		return sum
	}
	grad := make([]float64, len(logits))
	if got, want := loss.KLFrom(grad, softmaxOf(logits, actions), fixed, cost), value(); math.Abs(got-want) > 1e-12 {
		t.Errorf("KL %v, want %v", got, want)
	}
	for i := range logits {
		const h = 1e-5
		at := logits[i]
		logits[i] = at + h
		up := value()
		logits[i] = at - h
		down := value()
		logits[i] = at
		if want := cost * (up - down) / (2 * h); math.Abs(grad[i]-want) > 1e-8 {
			t.Errorf("logit %d: %v, finite differences say %v", i, grad[i], want)
		}
	}
}

// A forbidden action's logit is −Inf: it takes no part, and makes no NaN.
func TestForbiddenActionsDoNotMove(t *testing.T) {
	p := softmaxOf([]float64{0, math.Inf(-1), 1}, 3)
	m := loss.Motion[float64]{LogProb: make([]float64, 1), Entropy: make([]float64, 1)}
	loss.Move(m, p, []int32{2}, []float64{1, 0, -1})
	grad := make([]float64, 3)
	kl := loss.KLFrom(grad, p, softmaxOf([]float64{1, math.Inf(-1), 0}, 3).LogProb, 1)
	for _, v := range append(grad, kl, m.LogProb[0], m.Entropy[0]) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Fatalf("motion %v, KL %v, gradient %v", m, kl, grad)
		}
	}
	if grad[1] != 0 {
		t.Errorf("the forbidden action's logit has gradient %v", grad[1])
	}
}

func TestSquash(t *testing.T) {
	if v, s := loss.Squash(0); v != 0.5 || s != 0.25 {
		t.Errorf("σ(0) = %v with slope %v", v, s)
	}
	if v, _ := loss.Squash(4.6); math.Abs(v-0.99) > 1e-4 { // STAC §3
		t.Errorf("σ(4.6) = %v", v)
	}
	for _, x := range []float64{-800, 800} {
		if v, s := loss.Squash(x); math.IsNaN(v) || math.IsNaN(s) || v < 0 || v > 1 {
			t.Errorf("σ(%v) = %v with slope %v", x, v, s)
		}
	}
}
