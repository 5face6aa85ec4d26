package correct

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// Every function that is handed slices of one batch, with the lengths that fit: of 2 rows of 3 actions or 1 of 3
// dimensions, and of unrolls of 3 steps of 2 trajectories.
var shaped = []struct {
	name    string
	lengths []int
	call    func(x [][]float64)
}{
	{"LogSoftmax", []int{6, 6}, func(x [][]float64) { LogSoftmax(x[0], x[1], 3) }},
	{"Softmax", []int{6, 6, 6}, func(x [][]float64) { Softmax(x[0], x[1], x[2], 3) }},
	{"Ratios", []int{2, 6, 6, 2}, func(x [][]float64) { Ratios(x[0], x[1], x[2], make([]int32, len(x[3])), 3) }},
	{"RatiosFromLog", []int{2, 6, 6, 2}, func(x [][]float64) {
		RatiosFromLog(x[0], x[1], x[2], make([]int32, len(x[3])),
			3)
	}},
	{"KL", []int{2, 6, 6}, func(x [][]float64) { KL(x[0], x[1], x[2], 3) }},
	{"ImpliedLog", []int{6, 6, 6}, func(x [][]float64) { ImpliedLog(x[0], x[1], x[2], 3, 1, 1) }},
	{"TrustMask", []int{2, 2, 6, 6}, func(x [][]float64) { TrustMask(x[0], x[1], x[2], x[3], 3, 1, 1, RelevanceImplied) }},
	{"Gaussian", []int{6, 6, 6}, func(x [][]float64) { Gaussian(x[0], x[1], x[2], 3, SpreadBounded) }},
	{"GaussianRatios", []int{1, 6, 6, 3}, func(x [][]float64) { GaussianRatios(x[0], x[1], x[2], x[3], 3) }},
	{"GaussianDensity", []int{6, 3}, func(x [][]float64) { GaussianDensity(x[0], x[1]) }},
	{"GaussianKL", []int{1, 6, 6}, func(x [][]float64) { GaussianKL(x[0], x[1], x[2], 3) }},
	{"GaussianMask", []int{1, 1, 6, 6}, func(x [][]float64) {
		GaussianMask(x[0], x[1], x[2], x[3], 3, 1, 1, RelevanceImplied)
	}},
	{"NewAscent", []int{3, 3, 3}, func(x [][]float64) { NewAscent(x[0], x[1], x[2], 1, 1, false) }},
	{"VTrace", []int{6, 6, 6, 6, 6, 6, 6, 6, 2, 6, 6}, func(x [][]float64) {
		out, in := batchOf(x)
		VTrace(out, in, Truncation[float64]{1, 1, 1, 1, 1, 1}, AdvantageVTrace)
	}},
	{"NStep", []int{6, 6, 6, 6, 6, 6, 6, 6, 2, 6}, func(x [][]float64) {
		out, in := batchOf(append(x, nil)) // needs no ratios
		NStep(out, in, AdvantageVTrace)
	}},
	{"Gap", []int{6}, func(x [][]float64) {
		out := NewTargets[float64](3, 2)
		out.Gap = x[0]
		NStep(out, randomUnroll(rand.New(rand.NewPCG(3, 3)), 3, 2), AdvantageVTrace)
	}},
	{"one-step", []int{6, 6, 6, 6, 6, 6, 6, 6, 2, 6, 6}, func(x [][]float64) {
		out, in := batchOf(x)
		c := &Correction{NStep: true, Weight: WeightCutRatio}
		Apply(out, c, in, Truncation[float64]{1, 1, 1, 1, 1, 1}, AdvantageVTrace)
	}},
	{"VTraceSlopes", []int{6, 6, 6, 6, 6, 6, 6, 6, 2, 6, 6, 6, 6, 6, 6, 6}, func(x [][]float64) {
		at, in := batchOf(x)
		out := &TargetSlopes[float64]{VS: make([]Slope[float64], len(x[11])), Advantage: make([]Slope[float64], len(x[12])),
			Weight: x[13]}
		VTraceSlopes(out, at, in, GammaSlope[float64]{x[14], x[15]}, Truncation[float64]{1, 1, 1, 1, 1, 1}, AdvantageVTrace)
	}},
}

func batchOf(x [][]float64) (*Targets[float64], *Unroll[float64]) {
	return &Targets[float64]{VS: x[0], Gap: make([]float64, 6), Advantage: x[1], Rho: x[2], C: x[3], Weight: x[4]},
		&Unroll[float64]{T: 3, B: 2, Reward: x[5], Discount: x[6], Value: x[7], Bootstrap: x[8], Mask: x[9], Ratio: x[10]}
}

// refusal is what call panics with: our own sentence, or whatever Go says of an index.
func refusal(call func()) (said string) {
	defer func() {
		if r := recover(); r != nil {
			said = fmt.Sprint(r)
		}
	}()
	call()
	return ""
}

// A slice too long would be read in the wrong places without anything being out of range, so every length is checked
// before anything is written.
func TestSlicesOfAnotherLengthAreRefused(t *testing.T) {
	for _, f := range shaped {
		slices := func(change func(i int) int) (x [][]float64) {
			for i, n := range f.lengths {
				x = append(x, make([]float64, n+change(i)))
			}
			return x
		}
		if said := refusal(func() { f.call(slices(func(int) int { return 0 })) }); said != "" {
			t.Errorf("%s: slices that fit are refused: %s", f.name, said)
		}
		for i := range f.lengths {
			for _, by := range []int{-1, 1, 3} { // 3: a whole row more
				said := refusal(func() {
					f.call(slices(func(k int) int {
						if k == i {
							return by
						}
						return 0
					}))
				})
				if !strings.HasPrefix(said, "correct: ") {
					t.Errorf("%s, slice %d, %+d: %q", f.name, i, by, said)
				}
			}
		}
		if said := refusal(func() { f.call(slices(func(int) int { return 1 })) }); !strings.HasPrefix(said, "correct: ") &&
			f.name != "NewAscent" {
			t.Errorf("%s, all one too long: %q", f.name, said)
		}
	}
}

func TestMalformedBatchesAreRefused(t *testing.T) {
	one := []float64{0}
	cut := Truncation[float64]{1, 1, 1, 1, 1, 1}
	for name, call := range map[string]func(){
		"rows of no action":   func() { KL(make([]float64, 2), nil, nil, 0) },
		"rows of −1 actions":  func() { LogSoftmax(make([]float64, 2), make([]float64, 2), -1) },
		"logits of no action": func() { LogSoftmax(one[:0], one[:0], 0) },
		"an unroll of no steps": func() {
			VTrace(NewTargets[float64](0, 1), &Unroll[float64]{B: 1, Bootstrap: one}, cut,
				0)
		},
		"an unroll of no one":       func() { VTrace(NewTargets[float64](1, 0), &Unroll[float64]{T: 1}, cut, 0) },
		"a bound below zero":        func() { TrustMask(one, one, one, one, 1, 1, -1, RelevanceImplied) },
		"a bound that is no number": func() { TrustMask(one, one, one, one, 1, 1, math.NaN(), RelevanceImplied) },
		"a Gaussian bound below 0":  func() { GaussianMask(one, one, []float64{0, 1}, []float64{0, 1}, 1, 1, -1, 0) },
		"a histogram of no bins":    func() { RatioHistogram(nil, one, 0, 1) },
		"a histogram of no range":   func() { RatioHistogram(make([]uint32, 2), one, 1, 1) },
		"a histogram turned round":  func() { RatioHistogram(make([]uint32, 2), one, 1, 0) },
	} {
		if said := refusal(call); !strings.HasPrefix(said, "correct: ") {
			t.Errorf("%s: %q", name, said)
		}
	}
	RatioHistogram(make([]uint32, 1), one, 0, 1) // a bin is enough
}
