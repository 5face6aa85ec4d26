package graph

import (
	"math"
	"math/rand/v2"

	"impalab/learner/kernel"
	"impalab/learner/net"
)

// The plan is compared with the same network written out by hand: once as kernel calls without a graph, and once
// naively in float64.

// byHand is a network's forward and backward pass as a plain sequence of kernel calls.
type byHand struct {
	layers         []net.Layer
	rows, actions  int
	obs            []float32
	y, dy          [][]float32 // each layer's output and its cotangent
	logits, values []float32
}

func newByHand(spec net.Spec, rows int) *byHand {
	h := &byHand{layers: spec.Layers(), rows: rows, actions: spec.Actions,
		logits: make([]float32, rows*spec.Actions), values: make([]float32, rows)}
	for _, l := range h.layers {
		h.y = append(h.y, make([]float32, rows*l.Out))
		h.dy = append(h.dy, make([]float32, rows*l.Out))
	}
	return h
}

func (h *byHand) forward(theta, obs []float32) (logits, values []float32) {
	h.obs = obs
	x := obs
	for i := range h.layers {
		l := &h.layers[i]
		kernel.Auto.MatMul(h.y[i], x, l.Weights(theta), h.rows, l.Out, l.In, false)
		kernel.Auto.BiasAct(h.y[i], l.Bias(theta), h.rows, l.Out, l.Act)
		x = h.y[i]
	}
	a := h.actions
	for r := range h.rows {
		copy(h.logits[r*a:r*a+a], x[r*(a+1):])
		h.values[r] = x[r*(a+1)+a]
	}
	return h.logits, h.values
}

func (h *byHand) backward(theta, grad, dLogits, dValues []float32) {
	last, a := len(h.layers)-1, h.actions
	for r := range h.rows {
		copy(h.dy[last][r*(a+1):], dLogits[r*a:r*a+a])
		h.dy[last][r*(a+1)+a] = dValues[r]
	}
	for i := last; i >= 0; i-- {
		l := &h.layers[i]
		dz := h.dy[i]
		if l.Act != kernel.Identity {
			kernel.Auto.ActGrad(dz, dz, h.y[i], l.Act)
		}
		x := h.obs
		if i > 0 {
			x = h.y[i-1]
			kernel.Auto.MatMulBT(h.dy[i-1], dz, l.Weights(theta), h.rows, l.In, l.Out, false)
		}
		kernel.Auto.MatMulAT(l.Weights(grad), x, dz, l.In, l.Out, h.rows, false)
		kernel.ColSum(l.Bias(grad), dz, h.rows, l.Out, false)
	}
}

// loss64 is Σ c·outputs of the network in float64, computed naively; its differences are exact enough
// to judge a float32 gradient.
func loss64(spec net.Spec, theta []float64, obs, cLogits, cValues []float32) float64 {
	total := 0.0
	for r := range len(cValues) {
		x := make([]float64, spec.Obs)
		for i := range x {
			x[i] = float64(obs[r*spec.Obs+i])
		}
		for _, l := range spec.Layers() {
			y := make([]float64, l.Out)
			for j := range y {
				z := theta[l.B+j]
				for i := range x {
					z += x[i] * theta[l.W+i*l.Out+j]
				}
				switch l.Act {
				case kernel.ReLU:
					z = max(z, 0)
				case kernel.Tanh:
					z = math.Tanh(z)
				}
				y[j] = z
			}
			x = y
		}
		for a := range spec.Actions {
			total += float64(cLogits[r*spec.Actions+a]) * x[a]
		}
		total += float64(cValues[r]) * x[spec.Actions]
	}
	return total
}

// Networks of every kind the Spec allows, and small enough for finite differences.
func someSpecs() map[string]net.Spec {
	return map[string]net.Spec{
		"table":       {Obs: 6, Actions: 3, HeadScale: 1},
		"one layer":   {Obs: 4, Hidden: []int{9}, Activation: kernel.Tanh, Actions: 2, HeadScale: 1},
		"two layers":  {Obs: 4, Hidden: []int{16, 16}, Activation: kernel.Tanh, Actions: 2, HeadScale: 1},
		"relu":        {Obs: 5, Hidden: []int{16, 7}, Activation: kernel.ReLU, Actions: 4, HeadScale: 1},
		"one action":  {Obs: 3, Hidden: []int{8}, Activation: kernel.Tanh, Actions: 1, HeadScale: 1},
		"one of each": {Obs: 1, Hidden: []int{1}, Activation: kernel.Tanh, Actions: 1, HeadScale: 1},
	}
}

// example is a network's parameters and a batch with cotangents, all from a seed.
type example struct {
	theta, obs, dLogits, dValues []float32
}

func newExample(spec net.Spec, rows int, seed uint64) example {
	random := rand.New(rand.NewPCG(seed, 0))
	e := example{theta: make([]float32, spec.Params())}
	spec.Init(e.theta, seed)
	for _, l := range spec.Layers() {
		fill(random, l.Bias(e.theta), 0.3) // Init's zeros would hide a bias that is never added
	}
	e.obs = fill(random, make([]float32, rows*spec.Obs), 1)
	e.dLogits = fill(random, make([]float32, rows*spec.Actions), 1)
	e.dValues = fill(random, make([]float32, rows), 1)
	return e
}

func fill(random *rand.Rand, x []float32, scale float64) []float32 {
	for i := range x {
		x[i] = float32(scale * random.NormFloat64())
	}
	return x
}

func dot(a, b []float32) float64 {
	s := 0.0
	for i, v := range a {
		s += float64(v) * float64(b[i])
	}
	return s
}
