package play

import (
	"math"

	"impalab/learner/net"
)

// Bell writes the density of a real-valued action at evenly spaced points from lo to hi, in units of its control's
// range (±1 at its ends). Mean and sigma belong to the Gaussian before squashing. For a tanh policy the density of a
// = tanh u is N(atanh a; mean, sigma²)/(1 − a²), and 0 beyond ±1 (STAC §9.2).
func Bell(density []float32, policy net.Policy, mean, sigma, lo, hi float32) {
	for i := range density {
		a := float64(lo) + float64(hi-lo)*float64(i)/float64(len(density)-1)
		u, slope := a, 1.0
		if policy == net.Tanh {
			if a <= -1 || a >= 1 {
				density[i] = 0
				continue
			}
			u, slope = math.Atanh(a), 1-a*a
		}
		z := (u - float64(mean)) / float64(sigma)
		density[i] = float32(math.Exp(-z*z/2) / (float64(sigma) * math.Sqrt(2*math.Pi) * slope))
	}
}
