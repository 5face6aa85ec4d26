package quantity

import (
	"math"

	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/stats"
)

// turned are the quantities of the lessons 2 to 12 that a reader turns in a figure.
var turned = []Quantity{
	// The coin's ratios and their products: of the most ordinary unroll, and on average.
	{"ratio", args{"pi": .9, "mu": .5}, plain(firstRatio)},
	{"second-ratio", args{"pi": .9, "mu": .5}, plain(secondRatio)},
	{"median-product", args{"pi": .9, "mu": .5, "steps": 20}, plain(func(g args) float64 {
		return math.Pow(firstRatio(g)*secondRatio(g), g["steps"]/2) // μ = ½: as many heads as tails
	})},
	{"mean-product", args{"pi": .9, "mu": .5, "steps": 20}, plain(func(g args) float64 {
		_, all := atLeast(g, 0)
		return all
	})},
	{"weight", args{"ratio": 1, "rho": 1, "alpha": 1}, plain(func(g args) float64 { return cut(g).Rho(g["ratio"]) })},

	// Four rooms: the values of both policies, and the mean value after expected updates from V = 0.
	{"value-of-mu", nil, meanInRooms("value-of-mu")},
	{"value-of-pi", nil, meanInRooms("value-of-pi")},
	{"value-after", args{"updates": 27, "rho": 1, "c": 1, "alpha": 1}, meanInRooms("value-after")},

	// Lag and replay, from the presets' settings.
	{"preset-lag", nil, func(args) (float64, error) {
		c, err := hyper.FromPreset("lag-cliff")
		return float64(c.Lag), err
	}},
	{"replay-age", args{"mix": .875}, func(g args) (float64, error) {
		c, err := hyper.FromPreset("laser")
		fresh := float64(c.UnrollLen*c.BatchSize) * (1 - g["mix"])
		return g["mix"] * float64(c.ReplaySize) / fresh / 2, err
	}},

	// LASER's two buttons: the true return, and the push on the logit of button 1 with ω of the first step.
	{"buttons-return", args{"p": .5}, plain(func(g args) float64 { return paid[0]*g["p"] + paid[1]*(1-g["p"]) })},
	{"frozen-push", args{"p": .5, "mu": .9}, plain(func(g args) float64 {
		omega, grad := make([]float64, 2), make([]float64, 2)
		correct.Omega(omega, []float64{.5, .5}, []float64{g["mu"], 1 - g["mu"]}, 1)
		correct.ExpectedGradient(grad, []float64{g["p"], 1 - g["p"]}, omega, paid, 0)
		return grad[0]
	})},

	// V-MPO's weight of the sheet of a rank; 1 is the best of four.
	{"best-weight", args{"eta": 1, "rank": 1}, plain(func(g args) float64 {
		return imitate(g["eta"])[int(g["rank"])-1]
	})},

	// STAC's toy: θ after a step on the inner loss η·½(θ−1)², and the outer loss ½θ² there.
	{"knob-step", args{"theta": .5, "step": .1, "eta": 1}, plain(knobStep)},
	{"knob-outer", args{"theta": .5, "step": .1, "eta": 1}, plain(func(g args) float64 {
		moved := knobStep(g)
		return moved * moved / 2
	})},

	// The ratio of an action with several torques, each with the same ratio.
	{"joint-ratio", args{"ratio": .8, "torques": 6}, plain(func(g args) float64 {
		return math.Pow(g["ratio"], g["torques"])
	})},

	// The chance that no run of a draw has fallen, where some of so many have and a run may be drawn twice.
	{"all-stand", args{"fell": 4, "of": 24, "runs": 8}, plain(func(g args) float64 {
		return math.Pow(1-g["fell"]/g["of"], g["runs"])
	})},

	// Eight agents: some have fallen to 9 steps, and the others stand for 500.
	{"mean-of-eight", args{"fallen": 2}, plain(func(g args) float64 {
		sum := 0.0
		for _, x := range eight(g["fallen"]) {
			sum += x
		}
		return sum / 8
	})},
	{"iqm-of-eight", args{"fallen": 2}, plain(func(g args) float64 {
		return stats.InterquartileMean(eight(g["fallen"]))
	})},
}

func knobStep(g args) float64 { return g["theta"] - g["step"]*g["eta"]*(g["theta"]-1) }

// eight returns the returns of eight agents. A fraction of a fall makes a straight line between two counts.
func eight(fallen float64) []float64 {
	all := make([]float64, 8)
	for i := range all {
		all[i] = 500 - (500-9)*max(0, min(1, fallen-float64(i)))
	}
	return all
}
