package quantity

import "impalab/learner/correct"

// weights are the factors of an advantage in the policy gradient, apart from ∇log π.
var weights = []Quantity{
	{"ppo-factor", args{"ratio": 1.5, "clip": 0.2, "advantage": 1}, plain(func(g args) float64 {
		return correct.Limits{ClipLow: g["clip"], ClipHigh: g["clip"]}.Clip(stepOf(g))
	})},
	{"band-factor", args{"ratio": 1.5, "floor": 0.5, "ceiling": 5, "advantage": 1}, plain(func(g args) float64 {
		return correct.Limits{Floor: g["floor"], Ceiling: g["ceiling"]}.Band(stepOf(g))
	})},
	{"taper-factor", args{"ratio": 1.5, "advantage": 1}, plain(func(g args) float64 {
		return correct.Limits{TaperHigh: 1}.Taper(stepOf(g))
	})},
	{"vtrace-factor", args{"ratio": 1.5, "rho": 1}, plain(func(g args) float64 { return min(g["ratio"], g["rho"]) })},
}

// stepOf is the step that a form weighs.
func stepOf(g args) correct.Step { return correct.Step{Ratio: g["ratio"], Advantage: g["advantage"]} }
