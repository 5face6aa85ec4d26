package loss_test

import (
	"fmt"
	"strings"
	"testing"

	"impalab/learner/loss"
)

// softmaxRows and gaussianRows are policies made of slices of any length: 2 rows of 3 actions, or of 2 dimensions.
func softmaxRows(prob, logProb []float64) loss.Policy[float64] {
	return loss.Policy[float64]{Prob: prob, LogProb: logProb, Actions: 3}
}

func gaussianRows(rows []float64) loss.Gaussian[float64] {
	return loss.Gaussian[float64]{Rows: rows, Dims: 2}
}

func named(x []float64) []int32 { return make([]int32, len(x)) }

// Every term, with the lengths that fit together.
var shaped = []struct {
	name    string
	lengths []int
	call    func(x [][]float64)
}{
	{"PolicyGradient", []int{6, 6, 6, 2, 2, 2}, func(x [][]float64) {
		loss.PolicyGradient(x[0], softmaxRows(x[1], x[2]), named(x[3]), x[4], x[5], 0, 1)
	}},
	{"Entropy", []int{6, 6, 6, 2}, func(x [][]float64) { loss.Entropy(x[0], softmaxRows(x[1], x[2]), x[3], 1) }},
	{"Value", []int{2, 2, 2, 2}, func(x [][]float64) { loss.Value(x[0], x[1], x[2], x[3], 1) }},
	{"TopShare", []int{2, 2, 2, 2}, func(x [][]float64) { loss.TopShare(x[0], x[1], x[2], x[3], 0.5) }},
	{"EStep", []int{2, 2, 2, 2}, func(x [][]float64) { loss.EStep(x[0], x[1], x[2], x[3], loss.Temperature{Eta: 1}) }},
	{"UniformStep", []int{2, 2, 2}, func(x [][]float64) { loss.UniformStep(x[0], x[1], x[2]) }},
	{"Likelihood", []int{6, 6, 6, 2, 2}, func(x [][]float64) {
		loss.Likelihood(x[0], softmaxRows(x[1], x[2]), named(x[3]), x[4], 1)
	}},
	{"Divergence", []int{6, 2, 6, 6, 6, 6}, func(x [][]float64) {
		loss.Divergence(x[0], x[1], softmaxRows(x[2], x[3]), softmaxRows(x[4], x[5]), 1)
	}},
	{"Move", []int{2, 2, 6, 6, 2, 6}, func(x [][]float64) {
		loss.Move(loss.Motion[float64]{LogProb: x[0], Entropy: x[1]}, softmaxRows(x[2], x[3]), named(x[4]), x[5])
	}},
	{"KLFrom", []int{6, 6, 6, 6}, func(x [][]float64) { loss.KLFrom(x[0], softmaxRows(x[1], x[2]), x[3], 1) }},
	{"GaussianPolicyGradient", []int{8, 8, 4, 2, 2}, func(x [][]float64) {
		loss.GaussianPolicyGradient(x[0], gaussianRows(x[1]), x[2], x[3], x[4], 1)
	}},
	{"GaussianEntropy", []int{8, 8, 2}, func(x [][]float64) { loss.GaussianEntropy(x[0], gaussianRows(x[1]), x[2], 1) }},
	{"GaussianLikelihood", []int{8, 8, 4, 2}, func(x [][]float64) {
		loss.GaussianLikelihood(x[0], gaussianRows(x[1]), x[2], x[3], 1)
	}},
	{"MeanDivergence", []int{8, 2, 8, 8}, func(x [][]float64) {
		loss.MeanDivergence(x[0], x[1], gaussianRows(x[2]), gaussianRows(x[3]), 1)
	}},
	{"SpreadDivergence", []int{8, 2, 8, 8}, func(x [][]float64) {
		loss.SpreadDivergence(x[0], x[1], gaussianRows(x[2]), gaussianRows(x[3]), 1)
	}},
	{"KLFromGaussian", []int{8, 8, 8}, func(x [][]float64) {
		loss.KLFromGaussian(x[0], gaussianRows(x[1]),
			gaussianRows(x[2]), 1)
	}},
	{"MoveGaussian", []int{2, 2, 8, 4, 8}, func(x [][]float64) {
		loss.MoveGaussian(loss.Motion[float64]{LogProb: x[0], Entropy: x[1]}, gaussianRows(x[2]), x[3], x[4])
	}},
	{"Transform", []int{2, 2}, func(x [][]float64) { loss.Transform(x[0], x[1], loss.RewardAsIs) }},
	{"Change", []int{4, 4, 4}, func(x [][]float64) {
		loss.Change(x[0], loss.Cells{Height: 2, Width: 2, Channels: 1, Side: 1}, x[1], x[2])
	}},
	{"ControlReturns", []int{6, 2, 3}, func(x [][]float64) { loss.ControlReturns(x[0], x[1], x[2], 1, 3, 0, 1) }},
	{"Control", []int{9, 9, 3}, func(x [][]float64) { loss.Control(x[0], x[1], x[2], 0, 1) }},
	{"MetaGradient", []int{2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, func(x [][]float64) {
		slopes := func(x []float64) [][loss.MetaValueCost]float64 { return make([][loss.MetaValueCost]float64, len(x)) }
		loss.MetaGradient(&loss.Terms[float64]{
			Weight: x[0], Advantage: x[1], Target: x[2], Value: x[3], DWeight: x[4], DAdvantage: slopes(x[5]),
			DTarget: slopes(x[6]),
		}, loss.Motion[float64]{LogProb: x[7], Value: x[8], Entropy: x[9]}, 1, 1, 1)
	}},
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
		for changed := range len(f.lengths) + 1 {
			for _, by := range []int{-1, 1, f.lengths[0]} {
				var x [][]float64
				for i, n := range f.lengths {
					if i == changed {
						n += by
					}
					x = append(x, make([]float64, n))
				}
				said := refusal(func() { f.call(x) })
				if fits := changed == len(f.lengths); fits && said != "" || !fits && !strings.HasPrefix(said, "loss: ") {
					t.Errorf("%s, slice %d, %+d: %q", f.name, changed, by, said)
				}
			}
		}
	}
}

// The lengths decide the width of a cell: 12 numbers in place of 9 are three cells of another width.
func TestCellsOfAnotherNumberAreRefused(t *testing.T) {
	for _, n := range [][3]int{{2, 3, 9}, {4, 3, 9}, {3, 2, 9}, {3, 3, 8}, {3, 3, 10}} {
		said := refusal(func() {
			loss.ControlRange(make([]float64, n[0]), make([]float64, n[1]), make([]float64, n[2]))
		})
		if !strings.HasPrefix(said, "loss: ") {
			t.Errorf("%d, %d and %d numbers: %q", n[0], n[1], n[2], said)
		}
	}
	four, larger := make([]float64, 4), make([]float64, 8)
	said := refusal(func() { loss.Change(four, loss.Cells{Height: 2, Width: 2, Channels: 1, Side: 1}, larger, larger) })
	if !strings.HasPrefix(said, "loss: ") {
		t.Errorf("two observations larger than the cells: %q", said)
	}
}

func TestInvalidRowsAreRefused(t *testing.T) {
	for name, call := range map[string]func(){
		"no actions": func() { loss.Entropy(nil, loss.Policy[float64]{}, nil, 1) },
		"half a row": func() {
			loss.Entropy(make([]float64, 7), softmaxRows(make([]float64, 7), make([]float64, 7)),
				nil, 1)
		},
		"no dimensions":      func() { loss.GaussianEntropy(nil, loss.Gaussian[float64]{}, nil, 1) },
		"half a Gaussian":    func() { loss.GaussianEntropy(make([]float64, 6), gaussianRows(make([]float64, 6)), nil, 1) },
		"−1 actions":         func() { loss.Entropy(nil, loss.Policy[float64]{Actions: -1}, nil, 1) },
		"−1 real dimensions": func() { loss.GaussianEntropy(nil, loss.Gaussian[float64]{Dims: -1}, nil, 1) },
	} {
		if said := refusal(call); !strings.HasPrefix(said, "loss: ") {
			t.Errorf("%s: %q", name, said)
		}
	}
	// A policy of a single action is one all the same.
	loss.Entropy([]float64{0}, loss.Policy[float64]{Prob: []float64{1}, LogProb: []float64{0}, Actions: 1}, nil, 1)
}
