package loss_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"impalab/learner/correct"
	"impalab/learner/loss"
)

// rows is a random batch in float64: logits with now and then a forbidden action, and the rest.
type rows struct {
	n, actions                                 int
	logits, value, target, weight, adv, counts []float64
	action                                     []int32
}

func randomBatch(rng *rand.Rand) *rows {
	b := &rows{n: 1 + rng.IntN(4), actions: 2 + rng.IntN(5)}
	for range b.n {
		for a := range b.actions {
			z := 3 * rng.NormFloat64()
			if a > 0 && rng.IntN(8) == 0 {
				z = math.Inf(-1)
			}
			b.logits = append(b.logits, z)
		}
		b.action = append(b.action, 0) // never a forbidden one
		b.value = append(b.value, rng.NormFloat64())
		b.target = append(b.target, rng.NormFloat64())
		b.adv = append(b.adv, rng.NormFloat64())
		b.weight = append(b.weight, float64(rng.IntN(2))*rng.ExpFloat64())
		b.counts = append(b.counts, float64(rng.IntN(2)))
	}
	return b
}

func policyOf(logits []float64, actions int) loss.Policy[float64] {
	p := loss.Policy[float64]{Prob: make([]float64, len(logits)), LogProb: make([]float64, len(logits)), Actions: actions}
	correct.Softmax(p.Prob, p.LogProb, logits, actions)
	return p
}

// slopes are central differences of f in each entry of x; a forbidden action has none.
func slopes(x []float64, f func() float64) []float64 {
	const h = 1e-5
	d := make([]float64, len(x))
	for i, at := range x {
		if math.IsInf(at, 0) {
			continue
		}
		x[i] = at + h
		up := f()
		x[i] = at - h
		d[i] = (up - f()) / (2 * h)
		x[i] = at
	}
	return d
}

func near(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= tol*(1+math.Abs(want[i]))) {
			t.Fatalf("%s[%d] = %v, want %v", what, i, got[i], want[i])
		}
	}
}

func TestPolicyGradientIsTheSlope(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		b := randomBatch(rng)
		for _, epsilon := range []float64{0, 1e-6, 0.3} { // 0.3: large enough to see
			const cost = 0.7
			value := func() float64 { // −w·A·log(π+ε), from scratch
				p, sum := policyOf(b.logits, b.actions), 0.0
				for i, a := range b.action {
					sum -= b.weight[i] * b.adv[i] * math.Log(p.Prob[i*b.actions+int(a)]+epsilon)
				}
				return sum
			}
			d := make([]float64, len(b.logits))
			got := loss.PolicyGradient(d, policyOf(b.logits, b.actions), b.action, b.weight, b.adv, epsilon, cost)
			near(t, "value", []float64{got}, []float64{value()}, 1e-10)
			near(t, "derivative", d, slopes(b.logits, func() float64 { return cost * value() }), 1e-7)
		}
	}
}

func TestEntropyIsTheSlope(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 500 {
		b := randomBatch(rng)
		for _, weight := range [][]float64{nil, b.counts, b.weight} {
			const cost = 0.3
			value := func() float64 {
				p, sum := policyOf(b.logits, b.actions), 0.0
				for i, x := range p.Prob {
					if w := 1.0; x > 0 {
						if weight != nil {
							w = weight[i/b.actions]
						}
						sum += w * x * math.Log(x)
					}
				}
				return sum
			}
			d := make([]float64, len(b.logits))
			got := loss.Entropy(d, policyOf(b.logits, b.actions), weight, cost)
			near(t, "value", []float64{got}, []float64{value()}, 1e-10)
			near(t, "derivative", d, slopes(b.logits, func() float64 { return cost * value() }), 1e-7)
		}
	}
}

func TestValueIsTheSlope(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 500 {
		b := randomBatch(rng)
		for _, mask := range [][]float64{nil, b.counts, b.weight} {
			const cost = 0.25
			value := func() float64 {
				sum := 0.0
				for i := range b.value {
					square := math.Pow(b.target[i]-b.value[i], 2)
					if mask != nil {
						square *= mask[i]
					}
					sum += square
				}
				return sum
			}
			d := make([]float64, b.n)
			got := loss.Value(d, b.value, b.target, mask, cost)
			near(t, "value", []float64{got}, []float64{value()}, 1e-10)
			near(t, "derivative", d, slopes(b.value, func() float64 { return cost * value() }), 1e-7)
		}
	}
}

func TestTermsAddUp(t *testing.T) {
	b := randomBatch(rand.New(rand.NewPCG(4, 4)))
	p := policyOf(b.logits, b.actions)
	alone, both := make([]float64, len(b.logits)), make([]float64, len(b.logits))
	loss.Entropy(alone, p, nil, 1)
	loss.Entropy(both, p, nil, 1)
	loss.Entropy(both, p, nil, 1)
	for i := range alone {
		alone[i] *= 2
	}
	near(t, "twice", both, alone, 1e-12)
}

func TestEntropyIsRaised(t *testing.T) {
	logits := []float64{2, 0, -1}
	before := loss.Entropy(make([]float64, 3), policyOf(logits, 3), nil, 1)
	d := make([]float64, 3)
	loss.Entropy(d, policyOf(logits, 3), nil, 1)
	for a := range logits {
		logits[a] -= 0.1 * d[a] // descent
	}
	if after := loss.Entropy(d, policyOf(logits, 3), nil, 1); !(-after > -before) {
		t.Errorf("descending took the entropy from %v to %v", -before, -after)
	}
}

// Whatever stands in a row that does not count, the sums and cotangents do not see it.
func TestMaskedRowsAddNothing(t *testing.T) {
	nan := float32(math.NaN())
	p := loss.Policy[float32]{Prob: []float32{0.5, nan}, LogProb: []float32{nan, nan}, Actions: 2}
	d, zero := make([]float32, 2), []float32{0}
	total := loss.PolicyGradient(d, p, []int32{1}, zero, []float32{nan}, 0, 1) + loss.Entropy(d, p, zero, 1)
	total += loss.Value(d[:1], []float32{nan}, []float32{nan}, zero, 1)
	if total != 0 || d[0] != 0 || d[1] != 0 {
		t.Errorf("a masked row adds %v and %v", total, d)
	}
}

func TestExtremesEndInNumbers(t *testing.T) {
	no, most := float32(math.Inf(-1)), float32(math.MaxFloat32)
	for _, logits := range [][]float32{{1e4, -1e4}, {-1e4, 1e4}, {0, no}, {no, 0}, {0, 0}} {
		for _, weight := range []float32{1, 1e30} {
			for _, advantage := range []float32{0, -3, 1e30, -most} {
				for _, epsilon := range []float32{0, 1e-6} {
					p := loss.Policy[float32]{Prob: make([]float32, 2), LogProb: make([]float32, 2), Actions: 2}
					correct.Softmax(p.Prob, p.LogProb, logits, 2)
					d, dv := make([]float32, 2), make([]float32, 1)
					total := loss.PolicyGradient(d, p, []int32{0}, []float32{weight}, []float32{advantage}, epsilon, 1)
					total += loss.Entropy(d, p, nil, 1) + loss.Value(dv, []float32{advantage}, []float32{1e30}, nil, 1)
					for _, x := range []float64{total, float64(d[0]), float64(d[1]), float64(dv[0])} {
						if math.IsNaN(x) || math.IsInf(x, 0) {
							t.Fatalf("logits %v, w %v, A %v, ε %v: total %v, cotangents %v %v", logits, weight, advantage, epsilon, total, d,
								dv)
						}
					}
				}
			}
		}
	}
}

func TestFloat32FollowsFloat64(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for range 300 {
		b := randomBatch(rng)
		p := policyOf(b.logits, b.actions)
		q := loss.Policy[float32]{Prob: narrow(p.Prob), LogProb: narrow(p.LogProb), Actions: b.actions}
		d, e := make([]float64, len(b.logits)), make([]float32, len(b.logits))
		wide := loss.PolicyGradient(d, p, b.action, b.weight, b.adv, 0, 1) + loss.Entropy(d, p, b.counts, 1)
		slim := loss.PolicyGradient(e, q, b.action, narrow(b.weight), narrow(b.adv), 0, 1) +
			loss.Entropy(e, q, narrow(b.counts), 1)
		near(t, "value", []float64{slim}, []float64{wide}, 1e-5)
		near(t, "derivative", widen(e), d, 1e-5)
	}
}

func TestMisshapenBatchesAreRefused(t *testing.T) {
	f := func(n int) []float64 { return make([]float64, n) }
	p := policyOf(f(6), 3)
	for name, run := range map[string]func(){
		"short cotangents": func() { loss.Entropy(f(5), p, nil, 1) },
		"short weights":    func() { loss.Entropy(f(6), p, f(1), 1) },
		"no actions":       func() { loss.Entropy(f(6), loss.Policy[float64]{Prob: f(6), LogProb: f(6)}, nil, 1) },
		"short log π": func() {
			loss.Entropy(f(6), loss.Policy[float64]{Prob: f(6), LogProb: f(5), Actions: 3}, nil,
				1)
		},
		"action past its row": func() { loss.PolicyGradient(f(6), p, []int32{3, 0}, []float64{1, 1}, f(2), 0, 1) },
		"short advantages":    func() { loss.PolicyGradient(f(6), p, make([]int32, 2), f(2), f(1), 0, 1) },
		"short targets":       func() { loss.Value(f(2), f(2), f(1), nil, 1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: accepted", name)
				}
			}()
			run()
		}()
	}
}

func narrow(from []float64) []float32 {
	to := make([]float32, len(from))
	for i, x := range from {
		to[i] = float32(x)
	}
	return to
}

func widen(from []float32) []float64 {
	to := make([]float64, len(from))
	for i, x := range from {
		to[i] = float64(x)
	}
	return to
}

func hotBatch() (run func()) {
	rng := rand.New(rand.NewPCG(6, 6))
	const n, actions = 640, 6
	f := func(n int) []float32 {
		s := make([]float32, n)
		for i := range s {
			s[i] = float32(rng.NormFloat64())
		}
		return s
	}
	p := loss.Policy[float32]{Prob: make([]float32, n*actions), LogProb: make([]float32, n*actions), Actions: actions}
	correct.Softmax(p.Prob, p.LogProb, f(n*actions), actions)
	d, dv, weight, advantage, value, target, action := f(n*actions), f(n), f(n), f(n), f(n), f(n), make([]int32, n)
	reward, optimistic := f(n), loss.RewardAsymmetric
	return func() {
		loss.PolicyGradient(d, p, action, weight, advantage, 0, 1)
		loss.Entropy(d, p, nil, 0.01)
		loss.Value(dv, value, target, nil, 0.25)
		loss.Transform(target, reward, optimistic)
	}
}

func TestHotPathsAllocateNothing(t *testing.T) {
	run := hotBatch()
	if n := testing.AllocsPerRun(5, run); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkTerms(b *testing.B) {
	run := hotBatch()
	for b.Loop() {
		run()
	}
	b.ReportMetric(float64(b.N)*640/b.Elapsed().Seconds()/1e6, "Mrows/s")
}
