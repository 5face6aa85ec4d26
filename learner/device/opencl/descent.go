//go:build linux && amd64 && !purego && !noopencl

package opencl

import (
	"impalab/learner/kernel"
	"impalab/learner/program"
)

// descent is a plan's part in the optimiser's steps: the gradient stays where Backward leaves it, θ and what the
// optimiser remembers where the steps are taken. What comes back is the lanes of the gradient's sum of squares, for the
// host decides by its norm, and then θ, for actors and everybody else.
type descent struct {
	remembered int  // where in the arena what the optimiser remembers lies: [maxRemembered, n]
	there      bool // it is the newest; else the host's is

	squares, shorten, rmsprop, momentum, adam launches
}

// maxRemembered is how many vectors an optimiser remembers at most.
const maxRemembered = 2

// Where the numbers of a descent lie, before all segments and in the host memory too.
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

// Gradient is Backward that leaves the gradient where it is.
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

// RMSProp is optim.Device's.
func (p *plan) RMSProp(theta []float32, state [][]float32, r kernel.RMSPropRates) {
	r.Numbers(p.q.host[ratesAt:])
	if state[1] != nil {
		p.step(p.momentum, kernel.RMSPropNumbers, theta, state)
	} else {
		p.step(p.rmsprop, kernel.RMSPropNumbers, theta, state)
	}
}

// Adam is optim.Device's.
func (p *plan) Adam(theta []float32, state [][]float32, r kernel.AdamRates) {
	r.Numbers(p.q.host[ratesAt:])
	p.step(p.adam, kernel.AdamNumbers, theta, state)
}

// step launches a step with so many constants, which lie in the host memory.
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
		copy(theta, p.place(program.Theta))
	}
}

// Fetch is optim.Device's.
func (p *plan) Fetch(state [][]float32) {
	if p.there {
		p.eachRemembered(state, func(at int, x, staged []float32) {
			p.q.read(staged, at)
			copy(x, staged)
		})
	}
	p.there = false
}

// eachRemembered visits what the optimiser remembers: x, which lies from at on in the arena, and as much of the host
// memory, which is the gradient's.
func (p *plan) eachRemembered(state [][]float32, visit func(at int, x, staged []float32)) {
	for i, x := range state {
		if x != nil {
			visit(p.remembered+i*len(x), x, p.q.host[p.base[program.Grad]:][:len(x)])
		}
	}
}
