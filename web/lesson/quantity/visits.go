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

// What a weight of the fork's data is made of: of nothing, of the ratio of each step, or of all ratios from the start.
const (
	nothing = iota
	steps
	products
)

// drawn returns how often the data are in each room: the data of μ, or of π.
func drawn(g args) [2]float64 {
	if g["mu"] == 1 {
		return visitsOf(leftMu)
	}
	return visitsOf(leftPi)
}

// inRoom is drawn with its weights. The ratio of a step in a room is 1.
func inRoom(g args) [2]float64 {
	d := drawn(g)
	if w := forkRatios(); g["mu"] == 1 && g["weighed"] == products {
		d[0], d[1] = d[0]*w[0], d[1]*w[1]
	}
	return d
}

// visited are the quantities of the fork, and of the two states of the deadly triad.
var visited = []Quantity{
	// The push on the knob, in expectation.
	{"fork-push", args{"mu": 1, "weighed": steps}, plain(func(g args) float64 {
		push := 0.0
		for room, pays := range goes {
			push += inRoom(g)[room] * half * (1 - half) * pays // d/dz of Σ p·pays, p = σ(z)
		}
		return push
	})},
	// The share of all weight that left has: among the choices at the fork, and among the steps in the rooms.
	{"fork-left", args{"mu": 1, "weighed": steps}, plain(func(g args) float64 {
		d := drawn(g)
		if w := forkRatios(); g["mu"] == 1 && g["weighed"] != nothing {
			d[0], d[1] = d[0]*w[0], d[1]*w[1]
		}
		return d[0] / (d[0] + d[1])
	})},
	{"room-left", args{"mu": 1, "weighed": steps}, plain(func(g args) float64 {
		d := inRoom(g)
		return d[0] / (d[0] + d[1])
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
