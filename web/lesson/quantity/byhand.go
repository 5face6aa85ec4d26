package quantity

import (
	"math"

	"impalab/learner/correct"
	"impalab/learner/loss"
)

// The coin, the buttons and the four sheets are worlds small enough for a lesson to solve by hand. The mathematics of
// the papers comes from the packages correct and loss.

// firstRatio and tail are the ratios of the two actions.
func firstRatio(g args) float64  { return g["pi"] / g["mu"] }
func secondRatio(g args) float64 { return (1 - g["pi"]) / (1 - g["mu"]) }

// cut returns the truncation of the arguments, the same for ρ and c.
func cut(g args) correct.Truncation[float64] {
	return correct.Truncation[float64]{
		RhoBar: g["rho"], CBar: g["rho"], RhoBarPG: g["rho"], Lambda: 1, LeakRho: g["alpha"], LeakC: g["alpha"],
	}
}

// square returns E_μ[c²].
func square(g args) float64 {
	t := cut(g)
	h, l := t.C(firstRatio(g)), t.C(secondRatio(g))
	return g["mu"]*h*h + (1-g["mu"])*l*l
}

// logs returns the log-probabilities of two actions.
func logs(p float64) []float64 { return []float64{math.Log(p), math.Log(1 - p)} }

// implied returns the policy that the ceiling and the leak lead to.
func implied(g args) []float64 {
	out := make([]float64, 2)
	correct.Implied(out, logs(g["pi"]), logs(g["mu"]), 2, g["rho"], g["alpha"])
	return out
}

// paid are the payoffs of LASER's two buttons.
var paid = []float64{2, 5}

// push returns the expected policy gradient on the logit of button 1.
func push(g args) float64 {
	pi, mu := []float64{g["p"], 1 - g["p"]}, []float64{g["mu"], 1 - g["mu"]}
	omega, grad := make([]float64, 2), make([]float64, 2)
	correct.Omega(omega, pi, mu, g["rho"])
	correct.ExpectedGradient(grad, pi, omega, paid, g["baseline"])
	return grad[0]
}

// sheets are the better half of eight advantages.
var sheets = []float64{3, 1.5, .5, 0}

// imitate returns V-MPO's weights of the sheets at a temperature.
func imitate(eta float64) []float64 {
	psi := make([]float64, len(sheets))
	loss.EStep(psi, sheets, []float64{1, 1, 1, 1}, nil, loss.Temperature{Eta: eta})
	return psi
}

// distance returns KL(ψ‖equal).
func distance(eta float64) (kl float64) {
	psi := imitate(eta)
	for _, p := range psi {
		kl += p * math.Log(p*float64(len(psi)))
	}
	return kl
}

// atLeast returns the chance of at least so many heads, and those unrolls' share of the total weight.
func atLeast(g args, heads float64) (chance, weight float64) {
	n := g["steps"]
	ways := 1.0
	for k := 0.0; k <= n; k++ {
		if k >= heads {
			chance += ways * math.Pow(g["mu"], k) * math.Pow(1-g["mu"], n-k)
			weight += ways * math.Pow(g["pi"], k) * math.Pow(1-g["pi"], n-k) // μ times the product of ratios
		}
		ways *= (n - k) / (k + 1)
	}
	return chance, weight
}
