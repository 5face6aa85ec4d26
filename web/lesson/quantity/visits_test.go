package quantity

import (
	"math"

	"impalab/learner/correct"
)

// A fork: left is a room where "go" pays 1, right a room where it pays −2; "wait" pays 0. Both rooms share one knob,
// the chance of "go", which is one half. μ goes left with .9 and π with .1; in the rooms they are alike.
const (
	leftMu = .9
	leftPi = .1
	half   = .5
)

// goes is the payoff of "go" in the left room and in the right room.
var goes = [2]float64{1, -2}

// visitsOf returns how often a policy is in each room.
func visitsOf(left float64) [2]float64 { return [2]float64{left, 1 - left} }

// forkRatios are π/μ of the choice at the fork.
func forkRatios() [2]float64 { return [2]float64{leftPi / leftMu, (1 - leftPi) / (1 - leftMu)} }

// visited are the quantities of the fork, and of the two states of the deadly triad.
var visited = []Quantity{
	// The push on the knob, in expectation: on π's visits, or on μ's with each step's own ratio, 1 in a room, or with the
	// product of the ratios from the start.
	{"fork-push", args{"mu": 1, "product": 0}, plain(func(g args) float64 {
		d, weight := visitsOf(leftPi), [2]float64{1, 1}
		if g["mu"] == 1 {
			d = visitsOf(leftMu)
		}
		if g["product"] == 1 {
			weight = forkRatios()
		}
		push := 0.0
		for room, pays := range goes {
			push += d[room] * weight[room] * half * (1 - half) * pays // d/dz of Σ p·pays, p = σ(z)
		}
		return push
	})},
	{"fork-return", args{"go": half}, plain(func(g args) float64 {
		d := visitsOf(leftPi)
		return g["go"] * (d[0]*goes[0] + d[1]*goes[1])
	})},
	{"fork-sample", nil, plain(func(args) float64 {
		d, w := visitsOf(leftMu), forkRatios()
		return 1 / (d[0]*w[0]*w[0] + d[1]*w[1]*w[1])
	})},
	// One value for both rooms, fitted to the visits of μ or of π, and the fork's own value by V-trace on μ's data.
	{"shared-value", args{"mu": 1}, plain(func(g args) float64 {
		d := visitsOf(leftPi)
		if g["mu"] == 1 {
			d = visitsOf(leftMu)
		}
		return half * (d[0]*goes[0] + d[1]*goes[1])
	})},
	{"fork-value", args{"c": 1}, plain(func(g args) float64 {
		d, w := visitsOf(leftMu), forkRatios()
		room := half * (d[0]*goes[0] + d[1]*goes[1])
		v := 0.0
		for k := range d { // two steps: the choice, then the room, whose own ratio is 1
			in := &correct.Unroll[float64]{T: 2, B: 1, Reward: []float64{0, half * goes[k]}, Discount: []float64{1, 0},
				Value: []float64{0, room}, Bootstrap: []float64{0}, Ratio: []float64{w[k], 1}}
			out := correct.NewTargets[float64](2, 1)
			correct.VTrace(out, in, correct.Truncation[float64]{RhoBar: math.Inf(1), CBar: g["c"], RhoBarPG: math.Inf(1),
				Lambda: 1, LeakRho: 1, LeakC: 1}, correct.AdvantageVTrace)
			v += d[k] * out.VS[0]
		}
		return v
	})},
	// V(1) = w and V(2) = 2w, no reward, γ .99. State 1 leads to state 2, where one stays with a chance or ends. The
	// factor of w in 100 episodes at a rate of .05, in expectation, with exact ratios of a π that stays with .9.
	{"triad-factor", args{"stay": .1, "c": 0}, plain(func(g args) float64 {
		const gamma, rate, episodes = .99, .05, 100
		c := min(g["c"], .9/g["stay"])
		// e is the expected correction of V(2) for w = 1: the surprise of a step and of the later steps in its trace.
		e := (gamma*.9*2 - 2) / (1 - gamma*g["stay"]*c)
		visits := 1 / (1 - g["stay"])
		drift := (gamma*2 - 1 + gamma*min(g["c"], 1)*e) + 2*visits*e
		return math.Pow(1+rate*drift, episodes)
	})},
}

// late are the quantities of lag and rate: z ← z + k·(π(z now) − π(z lag updates ago)), z the log-odds of one action.
var late = []Quantity{
	// The k above which a small kick grows. Near z = 0 the slope of π is 1/4, and an update adds k/4 times the sum of the
	// last lag updates: it grows if and only if that factor times the lag is above 1.
	{"echo-border", args{"lag": 16}, plain(func(g args) float64 {
		const slope = 1. / 4
		return bisect(0, 8, func(k float64) float64 {
			sum := 0.0
			for range int(g["lag"]) {
				sum += k * slope
			}
			return sum - 1
		})
	})},
	// Where a kick of .01 ends, k being a share of the border.
	{"echo-end", args{"lag": 16, "share": .5}, plain(func(g args) float64 {
		lag, k := int(g["lag"]), g["share"]*4/g["lag"]
		pi := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
		z := make([]float64, lag+1, lag+4002)
		z = append(z, .01)
		for range 4000 {
			n := len(z) - 1
			z = append(z, z[n]+k*(pi(z[n])-pi(z[n-lag])))
		}
		return z[len(z)-1]
	})},
}
