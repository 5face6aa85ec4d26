//go:build linux && amd64 && !purego && !noopencl

package opencl

import (
	"impalab/learner/kernel"
	"impalab/learner/program"
)

// descent is a plan's part of the optimiser's steps. The gradient, θ and the optimiser's memory stay on the device. The
// host receives the lanes of the gradient's sum of squares, because it decides by the norm, and then θ, for the actors.
type descent struct {
	remembered int  // place of the optimiser's memory in the arena: [maxRemembered, n]
	there      bool // the device's copy is the newest; else the host's is

	squares, shorten, rmsprop, momentum, adam launches
}

// maxRemembered is the most vectors of an optimiser's memory.
const maxRemembered = 2

// Places of a descent's numbers, before all segments, also in the host memory.
const (
	lanesAt        = 0
	ratesAt        = lanesAt + kernel.SumLanes
	shortenAt      = ratesAt + max(kernel.RMSPropNumbers, kernel.AdamNumbers)
	descentNumbers = shortenAt + 1
)

func (p *plan) lowerDescent() error {
	n := p.like.Params()
	b := builder{q: p.q, shards: 1}
	theta, grad := place{base: p.base[program.Theta]}, place{base: p.base[program.Grad]}
	first, second := place{base: p.remembered}, place{base: p.remembered + n}
	rates := place{base: ratesAt}
	list := func(build func()) (l launches) {
		build()
		l, b.list = b.list, nil
		return l
	}
	p.squares = list(func() { b.squares(place{base: lanesAt}, grad, n) })
	p.shorten = list(func() { b.each("scale", n, grad, grad, place{base: shortenAt}, n) })
	p.rmsprop = list(func() { b.each("rmsprop", n, theta, first, theta, first, grad, rates, n) })
	p.momentum = list(func() {
		b.each("rmspropMomentum", n, theta, first, second, theta, first, second, grad, rates, n)
	})
	p.adam = list(func() { b.each("adam", n, theta, first, second, theta, first, second, grad, rates, n) })
	return b.err
}

// Gradient is Backward, but the gradient stays on the device.
func (p *plan) Gradient(dLogits, dValues []float32) *[kernel.SumLanes]float32 {
	p.back(dLogits, dValues)
	p.q.run(p.squares)
	p.read(lanesAt, kernel.SumLanes)
	return (*[kernel.SumLanes]float32)(p.q.host[lanesAt:])
}

// Shorten multiplies the gradient by a.
func (p *plan) Shorten(a float32) {
	p.q.host[shortenAt] = a
	p.q.write(shortenAt, p.q.host[shortenAt:][:1])
	p.q.run(p.shorten)
}

// RMSProp implements optim.Device.
func (p *plan) RMSProp(theta []float32, state [][]float32, r kernel.RMSPropRates) {
	r.Numbers(p.q.host[ratesAt:])
	if state[1] != nil {
		p.step(p.momentum, kernel.RMSPropNumbers, theta, state)
	} else {
		p.step(p.rmsprop, kernel.RMSPropNumbers, theta, state)
	}
}

// Adam implements optim.Device.
func (p *plan) Adam(theta []float32, state [][]float32, r kernel.AdamRates) {
	r.Numbers(p.q.host[ratesAt:])
	p.step(p.adam, kernel.AdamNumbers, theta, state)
}

// step launches a step with constants from the host memory.
func (p *plan) step(l launches, rates int, theta []float32, state [][]float32) {
	p.check(len(theta) == p.like.Params() && len(state) <= maxRemembered)
	p.theta = theta
	p.refresh()
	if !p.there {
		p.eachRemembered(state, func(at int, x, staged []float32) {
			copy(staged, x)
			p.q.write(at, staged)
			p.q.finish()
		})
		p.there = true
	}
	p.q.write(ratesAt, p.q.host[ratesAt:][:rates])
	p.q.run(l)
	p.fetch(program.Theta, len(theta))
	if p.q.err == nil {
		copy(theta, p.memory(program.Theta))
	}
}

// Fetch implements optim.Device.
func (p *plan) Fetch(state [][]float32) {
	if p.there {
		p.eachRemembered(state, func(at int, x, staged []float32) {
			p.q.read(staged, at)
			copy(x, staged)
		})
	}
	p.there = false
}

// eachRemembered visits the vectors of the optimiser's memory: the host's x, its place in the arena, and a staging area
// of its length, the gradient's.
func (p *plan) eachRemembered(state [][]float32, visit func(at int, x, staged []float32)) {
	for i, x := range state {
		if x != nil {
			visit(p.remembered+i*len(x), x, p.q.host[p.base[program.Grad]:][:len(x)])
		}
	}
}
