package quantity

import (
	"math"
	"slices"

	"impalab/envs/exact"
	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/loss"
)

func init() { All = slices.Concat(All, taught, surveyed, border, misprinted) }

// taught are quantities that a lesson or an exercise states as a figure, and no page computes.
var taught = []Quantity{
	// Lag and replay, from the presets' settings.
	{"steps-behind", args{"lag": 8}, func(g args) (float64, error) {
		c, err := hyper.FromPreset("lag-cliff")
		return g["lag"] * float64(c.UnrollLen*c.BatchSize), err
	}},

	// Ratios of the coin's two players.
	{"weighted-mean", args{"pi": .9, "mu": .5}, plain(func(g args) float64 { return g["mu"] * firstRatio(g) })},
	{"weighted-spread", args{"pi": .9, "mu": .5}, plain(func(g args) float64 {
		mean := g["mu"] * firstRatio(g)
		return math.Sqrt(g["mu"]*firstRatio(g)*firstRatio(g) - mean*mean)
	})},
	{"share-above-one", args{"pi": .9, "mu": .5, "steps": 20}, plain(func(g args) float64 {
		chance, _ := atLeast(g, heaviest(g))
		return chance
	})},
	{"chance-of-heads", args{"pi": .9, "mu": .5, "steps": 20, "heads": 17}, plain(func(g args) float64 {
		chance, _ := atLeast(g, g["heads"])
		return chance
	})},
	{"weight-of-heads", args{"pi": .9, "mu": .5, "steps": 20, "heads": 17}, plain(func(g args) float64 {
		_, weight := atLeast(g, g["heads"])
		return weight
	})},
	{"length-at-share", args{"pi": .9, "mu": .5, "share": .01}, plain(func(g args) float64 {
		g["rho"], g["alpha"] = math.Inf(1), 1
		return -math.Log(g["share"]) / math.Log(square(g))
	})},

	// The effect of a ceiling and a leak on the ratios.
	{"square-product", args{"pi": .9, "mu": .5, "rho": 1, "alpha": 1, "steps": 20}, plain(func(g args) float64 {
		return math.Pow(square(g), g["steps"])
	})},
	{"explosive-alpha", args{"pi": .9, "mu": .5, "rho": 1}, plain(func(g args) float64 {
		return bisect(0, 1, func(alpha float64) float64 { // the square falls as α rises
			g["alpha"] = alpha
			return 1 - square(g)
		})
	})},
	{"divergence", args{"pi": .9, "mu": .5, "rho": 1, "behaviour": 0}, plain(func(g args) float64 {
		mask, kl, of := make([]float64, 1), make([]float64, 1), correct.RelevanceImplied
		if g["behaviour"] == 1 {
			of = correct.RelevanceBehaviour
		}
		correct.TrustMask(mask, kl, logs(g["pi"]), logs(g["mu"]), 2, g["rho"], 1, of)
		return kl[0]
	})},

	// Four rooms, the world of the preset "destination".
	{"half-way", nil, inRooms(func(r *house, _ args) (float64, error) { return r.halfWay() })},
	{"settled", args{"rho": 1, "c": 1, "alpha": 1}, inRooms((*house).settled)},
	{"updates-to-settle", args{"rho": 1, "c": 1, "alpha": 1}, inRooms((*house).updates)},
	{"worst-growth", args{"rho": 1, "c": 1, "alpha": 1, "alphac": 1}, inRooms(func(r *house, g args) (float64, error) {
		return r.contraction(g, func(k *exact.Contraction) float64 { return k.Norm })
	})},
	{"rate-in-the-end", args{"rho": 1, "c": 1, "alpha": 1, "alphac": 1}, inRooms(func(r *house, g args) (float64, error) {
		return r.contraction(g, (*exact.Contraction).SpectralRadius)
	})},

	// A world of two states in which STAC's printed condition fails, and the bound that it promises.
	{"two-states-growth", args{"alpha": 1, "alphac": 1}, twoStates(func(k *exact.Contraction) float64 { return k.Norm })},
	{"two-states-bound", args{"alpha": 1, "alphac": 1},
		twoStates(func(k *exact.Contraction) float64 { return k.LeakyBound })},

	// Three steps by hand.
	{"by-hand", args{"step": 0, "rho": 1, "c": 1, "lambda": 1}, plain(byHand)},

	// LASER's state with two buttons that pay 2 and 5.
	{"buttons-end", args{"p": .5, "frozen": 0, "baseline": 0, "rho": 1}, plain(buttonsEnd)},
	{"turning-baseline", args{"p": .5, "mu": .9}, plain(func(g args) float64 {
		none := push(args{"p": g["p"], "rho": 1, "mu": g["mu"], "baseline": 0})
		one := push(args{"p": g["p"], "rho": 1, "mu": g["mu"], "baseline": 1})
		return none / (none - one) // the push is linear in the baseline
	})},
	{"online-share", args{"p": .5, "mu": .9}, plain(func(g args) float64 {
		omega := make([]float64, 2)
		correct.Omega(omega, []float64{g["p"], 1 - g["p"]}, []float64{g["mu"], 1 - g["mu"]}, 1)
		return correct.OnlineShare(correct.OnlineBound([]float64{2, 5}, omega, 1, 1))
	})},
	{"implied-slope", args{"p": .5, "mu": .9}, plain(func(g args) float64 {
		value := func(p float64) float64 {
			one := implied(args{"pi": p, "mu": g["mu"], "rho": 1, "alpha": 1})[0]
			return paid[0]*one + paid[1]*(1-one)
		}
		const h = 1e-5
		return (value(g["p"]+h) - value(g["p"]-h)) / (2 * h)
	})},
	{"mixed-end", args{"online": .3}, plain(mixedEnd)},

	// The temperature of V-MPO's weights of four advantages.
	{"temperature", args{"bound": .1}, plain(func(g args) float64 {
		return bisect(.01, 100, func(eta float64) float64 { return g["bound"] - distance(eta) })
	})},

	// STAC's metaparameters.
	{"knob-inverse", args{"value": .99}, plain(func(g args) float64 {
		return bisect(-20, 20, func(z float64) float64 { value, _ := loss.Squash(z); return value - g["value"] })
	})},
	{"knob-slope", args{"theta": .5, "step": .1, "eta": 1}, plain(func(g args) float64 {
		return knobStep(g) * -g["step"] * (g["theta"] - 1) // dL_outer/dθ' · dθ'/dη
	})},

	// Tokens, whose log-ratios are normal with mean −κ and variance 2κ.
	{"tokens-at-share", args{"kappa": .001, "share": .5}, plain(func(g args) float64 {
		return -math.Log(g["share"]) / 2 / g["kappa"]
	})},
}
