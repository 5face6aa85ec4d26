package exact

import (
	"math"
	"testing"
)

// LASER's Proposition 5 in four rooms, without sampling. Three behaviours fill the store: one near π, the uniform one,
// and one that prefers what π avoids. Where a behaviour's implied policy is within b of π, the trusted estimate
// averages its V-trace operator, and V^β averages its fixed point. The estimate shrinks the distance to V^β at least as
// the proposition promises. A smaller b brings V^β nearer to V^π: the trust region lessens the bias.
func TestTheTrustedEstimateShrinksAsPropositionFivePromises(t *testing.T) {
	p := finite(t, "four-rooms", .97)
	q, target := make([]float64, p.States*p.Actions), make([]float64, p.States*p.Actions)
	if err := p.Optimal(q); err != nil {
		t.Fatal(err)
	}
	p.Soft(target, q, .05)
	truth := make([]float64, p.States)
	if err := p.Value(truth, target); err != nil {
		t.Fatal(err)
	}
	mean := uniform(p)
	nearly, averse := make([]float64, len(q)), make([]float64, len(q))
	for i := range q {
		nearly[i] = .7*target[i] + .3*mean[i]
		q[i] = -q[i]
	}
	p.Soft(averse, q, .05)

	cut := Correction{1, 1, 1, 1, 1}
	before := math.Inf(1)
	for _, b := range []float64{math.Inf(1), .3, .1, .01} {
		start := make([]float64, p.States) // V, the values before the step: 0
		estimate, fixed, count := make([]float64, p.States), make([]float64, p.States), make([]float64, p.States)
		promised := 0.0
		for _, behaviour := range [][]float64{nearly, mean, averse} {
			implied, end, moved := make([]float64, len(q)), make([]float64, p.States), make([]float64, p.States)
			p.Implied(implied, target, behaviour, cut)
			if err := p.Value(end, implied); err != nil {
				t.Fatal(err)
			}
			if err := p.Operator(moved, start, target, behaviour, cut); err != nil {
				t.Fatal(err)
			}
			c, err := p.Contraction(target, behaviour, cut)
			if err != nil {
				t.Fatal(err)
			}
			for s := range p.States {
				kl := 0.0
				for a := s * p.Actions; a < (s+1)*p.Actions; a++ {
					kl += target[a] * math.Log(target[a]/implied[a])
				}
				if !(kl < b) {
					continue
				}
				estimate[s] += moved[s]
				fixed[s] += end[s]
				count[s]++
				promised = max(promised, c.Max*distance(start, end))
			}
		}
		left, bias := 0.0, 0.0
		for s := range p.States {
			if count[s] == 0 {
				continue
			}
			left = max(left, math.Abs(estimate[s]-fixed[s])/count[s])
			bias = max(bias, math.Abs(fixed[s]/count[s]-truth[s]))
		}
		t.Logf("b %g: the distance to V^β is %.3f, promised at most %.3f; V^β is %.3f from V^π", b, left, promised, bias)
		if left > promised+rounding {
			t.Errorf("b %g: the distance is %g, and the proposition promises %g", b, left, promised)
		}
		if bias > before+rounding {
			t.Errorf("b %g: V^β is %g from V^π, further than with a larger b, %g", b, bias, before)
		}
		before = bias
	}
}
