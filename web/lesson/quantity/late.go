package quantity

import "math"

// late are the quantities of lag and rate: z ← z + k·(π(z now) − π(z lag updates ago)), z the log-odds of one action.
var late = []Quantity{
	// Where a kick of .01 ends.
	{"echo-end", args{"lag": 16, "k": .125}, plain(func(g args) float64 {
		lag, k := int(g["lag"]), g["k"]
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
