package main

import (
	"cmp"
	"math"
	"slices"
)

// dual is a number and its slope in θ, which moves log π(a) of one step.
type dual struct{ value, slope float64 }

func stop(x dual) dual        { return dual{x.value, 0} } // a number without a slope
func constant(x float64) dual { return dual{x, 0} }
func times(x, y dual) dual    { return dual{x.value * y.value, x.slope*y.value + x.value*y.slope} }
func over(x, y dual) dual     { return times(x, dual{1 / y.value, -y.slope / (y.value * y.value)}) }
func plus(x, y dual) dual     { return dual{x.value + y.value, x.slope + y.slope} }
func logarithm(x dual) dual   { return dual{math.Log(x.value), x.slope / x.value} }
func exponential(x dual) dual { return times(constant(math.Exp(x.value)), dual{1, x.slope}) }
func clamp(x dual, low, high float64) dual {
	if x.value < low {
		return constant(low)
	} else if x.value > high {
		return constant(high)
	}
	return x
}

func least(x, y dual) dual {
	if y.value < x.value {
		return y
	}
	return x
}

// step is what an objective reads of one step. ratio has the value of the level, and the slope of the step's own π.
type step struct {
	pi, ratio dual
	mu, a     float64
}

// objectives are J of one step as published, to be made large. A weight is the slope of J in log π(a), over A.
var objectives = map[string]func(s step, p Parameters) dual{
	"none":    func(s step, _ Parameters) dual { return times(constant(s.a), logarithm(s.pi)) },
	"epsilon": func(s step, _ Parameters) dual { return times(constant(s.a), logarithm(plus(s.pi, constant(1e-6)))) },
	"one-step": func(s step, p Parameters) dual {
		return times(clamp(stop(s.ratio), 0, p.Ceiling), times(constant(s.a), logarithm(s.pi)))
	},
	"band": func(s step, p Parameters) dual {
		if s.ratio.value < p.Floor || s.ratio.value > p.Ceiling {
			return constant(0)
		}
		return times(s.ratio, constant(s.a))
	},
	"clip": func(s step, p Parameters) dual {
		a := constant(s.a)
		return least(times(s.ratio, a), times(clamp(s.ratio, 1-p.ClipLow, 1+p.ClipHigh), a))
	},
	"taper": func(s step, p Parameters) dual {
		reinforce := times(constant(s.a), logarithm(s.pi))
		if s.a >= 0 {
			return reinforce
		}
		return times(clamp(stop(s.ratio), p.Floor, cmp.Or(p.Ceiling, 1)), reinforce)
	},
	"shift": func(s step, p Parameters) dual {
		far := math.Abs(s.pi.value-s.mu) > p.Delta
		if away := s.a > 0 && s.ratio.value > 1 || s.a < 0 && s.ratio.value < 1; far && away {
			return constant(0)
		}
		return times(s.ratio, constant(s.a))
	},
	"moment": func(s step, _ Parameters) dual { return times(s.ratio, constant(s.a)) },
}

// weigh fills in the weights of a case whose form weighs steps.
func weigh(c *Case) {
	keep := c.mask()
	for t := range c.LogPi {
		own := exponential(dual{c.LogPi[t], 1})
		// A response's ratio is a constant to each of its steps but for the step's own π/sg(π), as in GSPO-token, eq. 14.
		s := step{pi: own, ratio: times(constant(c.ratio(t)), over(own, stop(own))), mu: math.Exp(c.LogMu[t]),
			a: c.Advantage[t]}
		w := objectives[c.Form](s, *c.Parameters).slope / s.a
		if !keep[t] {
			w = 0
		}
		c.Weight = append(c.Weight, w+0) // no −0
	}
}

// ratio is π/μ of a step, of its response, or their geometric mean.
func (c *Case) ratio(t int) float64 {
	product, n := 1.0, 0.0
	for u := range c.LogPi {
		if c.Level == "step" && u == t || c.Level != "step" && c.Response[u] == c.Response[t] {
			product *= math.Exp(c.LogPi[u]) / math.Exp(c.LogMu[u])
			n++
		}
	}
	if c.Level == "mean" {
		return math.Pow(product, 1/n)
	}
	return product
}

// mask runs the loop of M2PO's algorithm 1, or AReaL's: it leaves out the largest squared log-ratio until the mean over
// the other steps is small enough.
func (c *Case) mask() []bool {
	keep := slices.Repeat([]bool{true}, len(c.LogPi))
	if c.Form != "moment" {
		return keep
	}
	outward := c.Parameters.Of == "outward"
	for {
		sum, n, largest := 0.0, 0.0, -1
		square := func(t int) float64 { return math.Pow(c.LogPi[t]-c.LogMu[t], 2) }
		for t := range keep {
			away := c.Advantage[t]*(c.LogPi[t]-c.LogMu[t]) > 0
			if !keep[t] || outward && !away {
				continue
			}
			sum += square(t)
			n++
			if largest < 0 || square(t) > square(largest) {
				largest = t
			}
		}
		if n == 0 || outward && sum/n <= c.Parameters.Tau || !outward && (sum/n < c.Parameters.Tau || n == 1) {
			return keep
		}
		keep[largest] = false
	}
}

// vtrace fills in targets, advantages and weights by the sums that define them: IMPALA eq. 1, STAC eq. 5, LASER eq. 8.
// They are not the recursion of Remark 1.
func vtrace(c *Case) {
	p, n := c.Parameters, len(c.LogPi)
	leaky := func(alpha, bar, w float64) float64 { return alpha*math.Min(bar, w) + (1-alpha)*w }
	value := append(slices.Clone(c.Value), c.Bootstrap)
	target := slices.Clone(value) // beyond the end: V
	rho := make([]float64, n)
	for s := range n {
		product, discount := 1.0, 1.0
		for t := s; t < n; t++ {
			w := math.Exp(c.LogPi[t] - c.LogMu[t])
			mask := 1.0
			if c.Form == "trust-region" && !c.near(t) {
				mask = 0
			}
			rho[t] = mask * leaky(p.AlphaRho, p.RhoBar, w)
			target[s] += discount * product * rho[t] * (c.Reward[t] + c.Discount[t]*value[t+1] - value[t])
			product *= mask * p.Lambda * leaky(p.AlphaC, p.CBar, w)
			discount *= c.Discount[t]
		}
	}
	c.Target, c.Weight = target[:n], rho
	for t := range n {
		c.Advantage = append(c.Advantage, c.Reward[t]+c.Discount[t]*target[t+1]-value[t])
	}
}

// near reports whether the implied policy min(ρ̄·μ, π), normalised, is within the trust region: KL(π‖π̃) < b.
func (c *Case) near(t int) bool {
	implied, sum := make([]float64, len(c.LogPiAll[t])), 0.0
	for a := range implied {
		implied[a] = math.Min(c.Parameters.RhoBar*math.Exp(c.LogMuAll[t][a]), math.Exp(c.LogPiAll[t][a]))
		sum += implied[a]
	}
	kl := 0.0
	for a := range implied {
		kl += math.Exp(c.LogPiAll[t][a]) * (c.LogPiAll[t][a] - math.Log(implied[a]/sum))
	}
	return kl < c.Parameters.Trust
}

// centre fills in the slope of A·(log π(a) − Σ_b μ(b)·log π(b)) in each logit, of one state a row, by dual numbers. Of
// half of the steps the mean over μ is left out, if the case names a half.
func centre(c *Case) {
	for t, row := range c.LogPiAll {
		centred := c.Parameters == nil || c.Parameters.Of == "bad" && c.Advantage[t] < 0 ||
			c.Parameters.Of == "good" && c.Advantage[t] >= 0
		slopes := make([]float64, len(row))
		for j := range row {
			sum := constant(0)
			logit := func(b int) dual {
				if b == j {
					return dual{row[b], 1}
				}
				return constant(row[b])
			}
			for b := range row {
				sum = plus(sum, exponential(logit(b)))
			}
			logPi := func(b int) dual { return plus(logit(b), times(constant(-1), logarithm(sum))) }
			objective := logPi(c.Action[t])
			for b := range row {
				if !centred {
					break
				}
				objective = plus(objective, times(constant(-math.Exp(c.LogMuAll[t][b])), logPi(b)))
			}
			slopes[j] = c.Advantage[t] * objective.slope
		}
		c.Slope = append(c.Slope, slopes)
	}
}

// lift adds β times the batch's mean |A| to every advantage.
func lift(c *Case) {
	mean := 0.0
	for _, a := range c.Advantage {
		mean += math.Abs(a) / float64(len(c.Advantage))
	}
	for _, a := range c.Advantage {
		c.Lifted = append(c.Lifted, a+c.Parameters.Lift*mean)
	}
}
