package loss_test

import (
	"math"
	"testing"

	"impalab/learner/correct"
	"impalab/learner/loss"
)

// centring is one state with three actions, each of which is a step of the batch.
type centring struct{ pi, mu, advantage, weight []float64 }

// slope is Σ_a weight(a)·A(a)·(∇log π(a) − Σ_b μ(b)·∇log π(b)), by package loss. The mean is subtracted
// from steps whose A is in of.
func (c centring) slope(of correct.CentreOf) (g [3]float64) {
	p, action := loss.Policy[float64]{Actions: 3}, []int32{0, 1, 2}
	var logMu []float64
	for range action {
		for b := range c.pi {
			p.Prob, p.LogProb = append(p.Prob, c.pi[b]), append(p.LogProb, math.Log(c.pi[b]))
			logMu = append(logMu, math.Log(c.mu[b]))
		}
	}
	d := make([]float64, 9)
	loss.PolicyGradient(d, p, action, c.weight, c.advantage, 0, 1)
	loss.Centre(d, p, logMu, c.weight, c.advantage, of, 1)
	for i, x := range d {
		g[i%3] -= x
	}
	return g
}

// In one state Σ_a μ(a)·A(a)·(…) over all actions is exact. If A is the same for all, the true gradient is 0, and
// centring alone has it: without a ratio, the slopes of log π average to μ − π.
func TestInOneStateCentringHasTheGradientOfAConstantAdvantage(t *testing.T) {
	pi, mu := []float64{0.6, 0.3, 0.1}, []float64{0.2, 0.3, 0.5}
	apart := [3]float64{-0.4, 0, 0.4} // μ − π
	for _, c := range []struct {
		advantage float64
		of        correct.CentreOf
		left      float64 // of the common slope A·(μ − π)
	}{
		{2, correct.CentreAll, 0}, {-2, correct.CentreAll, 0}, {2, correct.CentreGood, 0}, {-2, correct.CentreBad, 0},
		{2, correct.CentreBad, 1}, {-2, correct.CentreGood, 1}, {0, correct.CentreGood, 0},
	} {
		got := centring{pi, mu, []float64{c.advantage, c.advantage, c.advantage}, mu}.slope(c.of)
		for j, x := range got {
			if want := c.left * c.advantage * apart[j]; math.Abs(x-want) > 1e-15 {
				t.Errorf("%v steps centred, A %v: slope %d is %v, want %v", c.of, c.advantage, j, x, want)
			}
		}
	}
}

// By hand, with A = 1, −.4 and −1.5: Σ μ·A·∇log π is μ·A = (.2 −.12 −.75) of each action, less π times its sum −.67.
// The mean score that is subtracted is Σ μ·A of the centred steps times μ − π: of all −.67, of the bad −.87, of the
// good .2.
func TestInOneStateEachHalfSubtractsItsShareOfTheMean(t *testing.T) {
	state := centring{[]float64{0.6, 0.3, 0.1}, []float64{0.2, 0.3, 0.5}, []float64{1, -0.4, -1.5},
		[]float64{0.2, 0.3, 0.5}}
	for of, share := range map[correct.CentreOf]float64{correct.CentreAll: -0.67, correct.CentreBad: -0.87,
		correct.CentreGood: 0.2} {
		got := state.slope(of)
		for j, plain := range []float64{0.2 + 0.6*0.67, -0.12 + 0.3*0.67, -0.75 + 0.1*0.67} {
			if want := plain - share*(state.mu[j]-state.pi[j]); math.Abs(got[j]-want) > 1e-15 {
				t.Errorf("%v steps centred: slope %d is %v, want %v", of, j, got[j], want)
			}
		}
	}
}

// The value is the sum as printed, and finite differences agree with the derivative; μ never takes one of the actions.
func TestCentringIsTheSlopeOfItsTerm(t *testing.T) {
	z := []float64{0.3, -1, 0.2, 1.4, 0.1, -0.6}
	mu := []float64{0.7, 0.3, 0, 0.25, 0.6, 0.15}
	logMu := make([]float64, len(mu))
	for i, m := range mu {
		logMu[i] = math.Log(m)
	}
	weight, advantage := []float64{0.5, 2}, []float64{1.5, -0.7}
	value := func(z []float64, of correct.CentreOf, d []float64) float64 {
		p := loss.Policy[float64]{Prob: make([]float64, 6), LogProb: make([]float64, 6), Actions: 3}
		correct.Softmax(p.Prob, p.LogProb, z, 3)
		return loss.Centre(d, p, logMu, weight, advantage, of, 0.8)
	}
	for of := range correct.CentreOfNames {
		of := correct.CentreOf(of)
		want := 0.0
		for i, a := range advantage {
			if of == correct.CentreBad && a >= 0 || of == correct.CentreGood && a < 0 {
				continue
			}
			row, sum := z[3*i:3*i+3], 0.0
			for _, x := range row {
				sum += math.Exp(x)
			}
			for b, x := range row {
				want += weight[i] * a * mu[3*i+b] * math.Log(math.Exp(x)/sum)
			}
		}
		d := make([]float64, 6)
		got := value(z, of, d)
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%v steps: the term is %v, want %v", of, got, want)
		}
		for j := range z {
			const h = 1e-5
			up, down := append([]float64(nil), z...), append([]float64(nil), z...)
			up[j] += h
			down[j] -= h
			slope := 0.8 * (value(up, of, make([]float64, 6)) - value(down, of, make([]float64, 6))) / (2 * h)
			if math.Abs(d[j]-slope) > 1e-8 {
				t.Errorf("%v steps: derivative %d is %v, finite differences say %v", of, j, d[j], slope)
			}
		}
	}
}

// A row of weight 0 adds nothing, even if it holds NaN, and slices of other lengths are refused.
func TestCentringLeavesOutRowsAndRefusesOtherLengths(t *testing.T) {
	nan := math.NaN()
	p := loss.Policy[float64]{Prob: []float64{nan, nan}, LogProb: []float64{nan, nan}, Actions: 2}
	d := make([]float64, 2)
	if got := loss.Centre(d, p, []float64{nan, nan}, []float64{0}, []float64{nan}, correct.CentreAll, 1); got != 0 ||
		d[0] != 0 || d[1] != 0 {
		t.Errorf("a row without weight adds %v and %v", got, d)
	}
	for i, n := range [][3]int{{1, 1, 1}, {4, 1, 1}, {2, 0, 0}, {2, 1, 2}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("case %d was accepted", i)
				}
			}()
			loss.Centre(d, p, make([]float64, n[0]), make([]float64, n[1]), make([]float64, n[2]), correct.CentreAll, 1)
		}()
	}
}
