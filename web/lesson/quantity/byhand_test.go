package quantity

import (
	"math"

	"impalab/learner/correct"
)

// loved is the past probability of the first of LASER's two buttons.
const loved = .9

// Number and size of the steps of an ascent. At its end nothing moves.
const (
	ascents = 400_000
	stride  = .1
)

// heaviest returns the fewest heads for which the product of ratios exceeds 1.
func heaviest(g args) float64 {
	n := g["steps"]
	for k := 0.0; k <= n; k++ {
		if k*math.Log(firstRatio(g))+(n-k)*math.Log(secondRatio(g)) > 0 {
			return k
		}
	}
	return n + 1
}

// threeSteps returns the unroll of lesson 4.
func threeSteps() *correct.Unroll[float64] {
	return &correct.Unroll[float64]{
		T: 3, B: 1, Reward: []float64{1, 0, 2}, Discount: []float64{.9, .9, .9}, Value: []float64{2, 1, 3},
		Bootstrap: []float64{4}, Ratio: []float64{2, .5, 1.5},
	}
}

// byHand returns the target v of one of its steps.
func byHand(g args) float64 {
	in := threeSteps()
	out := correct.NewTargets[float64](3, 1)
	correct.VTrace(out, in, correct.Truncation[float64]{
		RhoBar: g["rho"], CBar: g["c"], RhoBarPG: g["rho"], Lambda: g["lambda"], LeakRho: 1, LeakC: 1,
	}, correct.AdvantageVTrace)
	return out.VS[int(g["step"])]
}

// buttonsEnd returns the probability of button 1 after the ascent.
func buttonsEnd(g args) float64 {
	mu := []float64{loved, 1 - loved}
	if g["baseline"] == 0 {
		a := correct.NewAscent(paid, mu, []float64{g["p"], 1 - g["p"]}, g["rho"], stride, g["frozen"] == 1)
		for range ascents {
			a.Step()
		}
		return a.Pi[0]
	}
	return climb(g["p"], func(p float64) float64 {
		return push(args{"p": p, "mu": loved, "rho": g["rho"], "baseline": g["baseline"]})
	})
}

// mixedEnd returns the same with a share of fresh data and a new ω at each step.
func mixedEnd(g args) float64 {
	return climb(.5, func(p float64) float64 {
		old := push(args{"p": p, "mu": loved, "rho": 1, "baseline": 0})
		fresh := push(args{"p": p, "mu": p, "rho": 1, "baseline": 0})
		return g["online"]*fresh + (1-g["online"])*old
	})
}

// climb follows a push on the logit of p.
func climb(p float64, push func(float64) float64) float64 {
	logit := math.Log(p / (1 - p))
	for range ascents {
		logit += stride * push(1/(1+math.Exp(-logit)))
	}
	return 1 / (1 + math.Exp(-logit))
}

// entropyEnd returns the probability of the first of two actions after descent on an entropy term alone: with sign 1 on
// Σ π log π, with −1 on its negative.
func entropyEnd(g args) float64 {
	logit := math.Log(g["p"] / (1 - g["p"]))
	for range int(g["steps"]) {
		p := 1 / (1 + math.Exp(-logit))
		h := -p*math.Log(p) - (1-p)*math.Log(1-p)
		move := -g["sign"] * g["size"] * p * (math.Log(p) + h) // of the first logit; the second moves the opposite way
		logit += 2 * move
	}
	return 1 / (1 + math.Exp(-logit))
}

// surprise returns the weight of a step's δ = 1 in the policy gradient.
func surprise(g args) float64 {
	in := &correct.Unroll[float64]{T: 1, B: 1, Reward: []float64{1}, Discount: []float64{0}, Value: []float64{0},
		Bootstrap: []float64{0}, Ratio: []float64{g["ratio"]}}
	out, of := correct.NewTargets[float64](1, 1), correct.AdvantageVTrace
	if g["laser"] == 1 {
		of = correct.AdvantageLASER
	}
	correct.VTrace(out, in, unclipped, of)
	return out.Weight[0] * out.Advantage[0]
}
