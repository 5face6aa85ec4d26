package correct

import (
	"math"
	"math/rand/v2"
	"testing"
)

// batch is a learner's batch: T 20, B 32, six actions, float32.
type batch struct {
	in             *Unroll[float32]
	out            *Targets[float32]
	clip           Truncation[float32]
	logits, behave []float32
	prob, log, mu  []float32
	action         []int32
	kl             []float32
	bins           []uint32
}

const batchT, batchB, batchA = 20, 32, 6

func newBatch() *batch {
	rng := rand.New(rand.NewPCG(11, 11))
	n := batchT * batchB
	wide := randomUnroll(rng, batchT, batchB)
	b := &batch{out: NewTargets[float32](batchT, batchB), clip: Truncation[float32]{1, 1, 1, 1, 1, 1},
		in: &Unroll[float32]{T: batchT, B: batchB, Reward: as[float32](wide.Reward), Discount: as[float32](wide.Discount),
			Value: as[float32](wide.Value), Bootstrap: as[float32](wide.Bootstrap), Ratio: as[float32](wide.Ratio),
			Mask: as[float32](wide.Mask), Pi: make([]float32, n), Limits: someLimits},
		prob: make([]float32, n*batchA), log: make([]float32, n*batchA), mu: make([]float32, n*batchA),
		action: make([]int32, n), kl: make([]float32, n), bins: make([]uint32, 40)}
	for range n * batchA {
		b.logits = append(b.logits, float32(rng.NormFloat64()))
		b.behave = append(b.behave, float32(rng.NormFloat64()))
	}
	for i := range b.action {
		b.action[i] = int32(rng.IntN(batchA))
	}
	LogSoftmax(b.mu, b.behave, batchA)
	Softmax(b.prob, b.log, b.logits, batchA)
	return b
}

var hot = []struct {
	name string
	run  func(b *batch)
}{
	{"Softmax", func(b *batch) { Softmax(b.prob, b.log, b.logits, batchA) }},
	{"LogSoftmax", func(b *batch) { LogSoftmax(b.log, b.logits, batchA) }},
	{"Ratios", func(b *batch) { Ratios(b.in.Ratio, b.logits, b.behave, b.action, batchA) }},
	{"RatiosFromLog", func(b *batch) { RatiosFromLog(b.in.Ratio, b.log, b.mu, b.action, batchA) }},
	{"KL", func(b *batch) { KL(b.kl, b.log, b.mu, batchA) }},
	{"TrustMask", func(b *batch) { TrustMask(b.in.Mask, b.kl, b.log, b.mu, batchA, 1, 0.1, RelevanceImplied) }},
	{"Implied", func(b *batch) { Implied(b.prob, b.log, b.mu, batchA, 1, 0.5) }},
	{"VTrace", func(b *batch) { VTrace(b.out, b.in, b.clip, AdvantageVTrace) }},
	{"ApplyEach", func(b *batch) {
		for i := range Corrections {
			c := &Corrections[i]
			Apply(b.out, c, b.in, InForce(c, b.clip), AdvantageVTrace)
		}
	}},
	{"Levels", func(b *batch) {
		b.in.Limits.Level = LevelMean
		Apply(b.out, &Corrections[MethodTaper], b.in, b.clip, AdvantageVTrace)
		b.in.Limits.Level = LevelStep
	}},
	{"XRay", func(b *batch) {
		CutShare(b.in.Ratio, 1, 1)
		EffectiveSample(b.out.Rho)
		RatioHistogram(b.bins, b.in.Ratio, -5, 5)
	}},
}

func TestHotPathsAllocateNothing(t *testing.T) {
	b := newBatch()
	for _, h := range hot {
		if n := testing.AllocsPerRun(5, func() { h.run(b) }); n != 0 {
			t.Errorf("%s allocates %v times", h.name, n)
		}
	}
}

func BenchmarkHot(bench *testing.B) {
	for _, h := range hot {
		b := newBatch()
		bench.Run(h.name, func(bench *testing.B) {
			for bench.Loop() {
				h.run(b)
			}
			bench.ReportMetric(float64(bench.N)*batchT*batchB/bench.Elapsed().Seconds()/1e6, "Mrows/s")
		})
	}
}

// From logits of ±10⁴ and behaviour that forbade the action, through every correction: numbers.
func TestExtremeLogitsEndInNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 12))
	b := newBatch()
	for range 100 {
		for i := range b.logits {
			b.logits[i] = []float32{-1e4, 1e4, 0}[rng.IntN(3)]
			b.behave[i] = []float32{-1e4, 1e4, 0, float32(negInf)}[rng.IntN(4)]
			if i%batchA == 0 {
				b.behave[i] = 0
			}
		}
		Softmax(b.prob, b.log, b.logits, batchA)
		LogSoftmax(b.mu, b.behave, batchA)
		RatiosFromLog(b.in.Ratio, b.log, b.mu, b.action, batchA)
		TrustMask(b.in.Mask, b.kl, b.log, b.mu, batchA, 1, 0.1, RelevanceImplied)
		for i := range Corrections {
			c := &Corrections[i]
			Apply(b.out, c, b.in, InForce(c, b.clip), AdvantageVTrace)
			for _, s := range [][]float32{b.prob, b.log, b.kl, b.in.Ratio, b.out.VS, b.out.Advantage, b.out.Weight} {
				for _, x := range s {
					if math.IsNaN(float64(x)) {
						t.Fatalf("%s: NaN", c.Name)
					}
				}
			}
		}
	}
}
