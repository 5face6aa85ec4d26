package quantity

import (
	"math"

	"impalab/envs/exact"
	"impalab/internal/oracle"
	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/loss"
	"impalab/learner/optim"
	"impalab/learner/replay"
	"impalab/learner/traj"
)

// misprinted are the quantities of the errata. Each computes the version that a paper prints and the version used here.
var misprinted = []Quantity{
	{"temperature-loss", args{"eta": 1, "bound": .1, "count": 0}, plain(func(g args) float64 {
		of, _ := loss.EStep(make([]float64, 2), []float64{1, 0}, []float64{1, 1}, []float64{.5, .5},
			loss.Temperature{Eta: g["eta"], Bound: g["bound"], ByCount: g["count"] == 1})
		return of
	})},
	{"divergence-end", args{"sign": 1, "weight": 5}, plain(func(g args) float64 {
		return climb(.5, func(p float64) float64 { return 1 - p - g["sign"]*g["weight"]*(p-.5) })
	})},
	{"policy-end", args{"sign": 1}, plain(func(g args) float64 {
		return climb(.5, func(p float64) float64 { // on fresh data, each button counts as often as it is pressed
			return g["sign"] * push(args{"p": p, "mu": p, "rho": 1, "baseline": 0})
		})
	})},
	{"entropy-end", args{"sign": 1, "p": .6, "steps": 200, "size": .5}, plain(entropyEnd)},
	{"surprise", args{"ratio": .5, "laser": 0}, plain(surprise)},
	{"asymmetric", args{"reward": -1, "printed": 0}, func(g args) (float64, error) {
		if g["printed"] == 1 { // as the caption prints it
			return -.3*min(math.Tanh(g["reward"]), 0) + 5*max(math.Tanh(g["reward"]), 0), nil
		}
		return loss.RewardAsymmetric.Of(g["reward"]), nil
	}},

	// Scales, sums and optimisers.
	{"value-slope", args{"cost": .25}, plain(func(g args) float64 {
		slope := make([]float64, 1)
		loss.Value(slope, []float64{1}, []float64{0}, nil, g["cost"])
		return slope[0]
	})},
	{"summed-slope", args{"unroll": 20, "batch": 32}, plain(func(g args) float64 {
		n := int(g["unroll"] * g["batch"])
		slope, value := make([]float64, n), make([]float64, n)
		for i := range value {
			value[i] = 1
		}
		loss.Value(slope, value, make([]float64, n), nil, .25)
		sum := 0.0
		for _, s := range slope {
			sum += s
		}
		return sum
	})},
	{"first-step", args{"gradient": .01, "eps": 1e-5, "start": 1, "outside": 0}, plain(firstStep)},
	{"advantage", args{"lambda": 1, "mixed": 0}, plain(mixedAdvantage)},
	{"better-half", args{"samples": 5, "tied": 1}, plain(func(g args) float64 {
		n := int(g["samples"])
		advantage := make([]float64, n)
		for i := range advantage {
			advantage[i] = -max(0, float64(i)+1-g["tied"]) // the best are equal, and the rest decreases
		}
		return float64(loss.TopShare(make([]float64, n), make([]float64, n), advantage, nil, .5))
	})},
	{"mean-divergence", args{"old": 1, "new": .5, "exact": 0}, plain(func(g args) float64 {
		spread := g["old"]
		if g["exact"] == 1 {
			spread = g["new"]
		}
		mean, _ := oracle.FullDivergence(make([]float64, 1), []float64{0}, []float64{spread}, []float64{1}, []float64{spread})
		return mean
	})},
	{"statistics", args{"samples": 32768, "rate": 1e-4, "batches": 1, "summed": 0}, plain(statistics)},

	// Replay.
	{"replay-share", args{"fresh": 32, "old": 128}, plain(func(g args) float64 {
		return g["old"] / (g["old"] + g["fresh"])
	})},
	{"replayed", args{"mix": .96, "batch": 8}, func(g args) (float64, error) {
		c, err := hyper.FromPreset("laser")
		c.Mix, c.BatchSize = g["mix"], int(g["batch"])
		return float64(c.Replayed()), err
	}},
	{"replay-weight", args{"printed": 0, "largest": 0}, plain(replayWeight)},

	// Ends and populations.
	{"target-at-an-end", args{"gamma": .99, "value": 99, "ended": 1}, plain(func(g args) float64 {
		reward, discount := []float64{1}, []float64{0}
		if g["ended"] == 0 {
			correct.FoldTruncation(reward, discount, 0, g["gamma"], g["value"])
		}
		in := &correct.Unroll[float64]{T: 1, B: 1, Reward: reward, Discount: discount, Value: []float64{g["value"]},
			Bootstrap: []float64{0}, Ratio: []float64{1}}
		out := correct.NewTargets[float64](1, 1)
		correct.VTrace(out, in, unclipped, correct.AdvantageVTrace)
		return out.VS[0]
	})},
	{"gain-in-the-end", args{"rho": 1, "c": 1, "alpha": 1}, inRooms(func(r *house, g args) (float64, error) {
		return r.contraction(g, func(k *exact.Contraction) float64 { return 1 - k.SpectralRadius() })
	})},
	{"mean-factor", args{"up": 1.2, "down": .8, "logarithm": 0}, plain(func(g args) float64 {
		if g["logarithm"] == 1 {
			return math.Sqrt(g["up"] * g["down"])
		}
		return (g["up"] + g["down"]) / 2
	})},
}

// unclipped truncates at 1; all ratios are 1.
var unclipped = correct.Truncation[float64]{RhoBar: 1, CBar: 1, RhoBarPG: 1, Lambda: 1, LeakRho: 1, LeakC: 1}

// firstStep returns the length of RMSProp's first step at a learning rate of 1.
func firstStep(g args) float64 {
	theta, nu, none, grad := []float64{0}, []float64{g["start"]}, []float64{0}, []float64{g["gradient"]}
	step := oracle.StepRMSProp[float64]
	if g["outside"] == 1 {
		step = oracle.StepRMSPropTorch[float64]
	}
	step(theta, nu, none, grad, 1, .99, g["eps"], 0)
	return -theta[0]
}

// mixedAdvantage returns the first advantage of lesson 4's three steps with ρ̄ = c̄ = 1. λ acts in c alone or, mixed,
// also between v and V of the next state.
func mixedAdvantage(g args) float64 {
	in, out := threeSteps(), correct.NewTargets[float64](3, 1)
	clip := unclipped
	clip.Lambda = g["lambda"]
	correct.VTrace(out, in, clip, correct.AdvantageVTrace)
	if g["mixed"] == 0 {
		return out.Advantage[0]
	}
	next := g["lambda"]*out.VS[1] + (1-g["lambda"])*in.Value[1]
	return in.Reward[0] + in.Discount[0]*next - in.Value[0]
}

// statistics returns PopArt's mean, from 0, after batches of targets of 1. Summed, all steps of a batch start from the
// mean before it.
func statistics(g args) float64 {
	if g["summed"] == 1 {
		mean := 0.0
		for range int(g["batches"]) {
			mean += g["samples"] * g["rate"] * (1 - mean)
		}
		return mean
	}
	target := make([]float64, int(g["samples"]))
	for i := range target {
		target[i] = 1
	}
	p := optim.NewPopArt[float64](1, g["rate"], 1e-2, 1e6)
	for range int(g["batches"]) {
		p.Observe([]float64{1}, []float64{0}, 1, 0, target, nil)
	}
	return p.Shift[0]
}

// replayWeight returns the mean weight of a draw from two trajectories, with full correction. One has four times the
// other's priority. printed computes LASER's version; largest divides by the largest weight.
func replayWeight(g args) float64 {
	s := replay.NewPrioritised(2, 1, replay.Priority{Exponent: 1, Correction: 1})
	for place, surprise := range []float64{4, 1} {
		s.Add(traj.NewUnroll(1, traj.Shape{}))
		s.Visit(place, surprise)
	}
	weight := make([]float32, 2)
	s.Weigh(weight, []int{0, 1})
	mean, largest := 0.0, 0.0
	for place, w := range weight {
		weight := float64(w)
		if g["printed"] == 1 {
			weight = 1 / s.Chance(place)
		}
		mean, largest = mean+s.Chance(place)*weight, max(largest, weight)
	}
	if g["largest"] == 1 {
		return mean / largest
	}
	return mean
}
