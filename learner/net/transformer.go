package net

import "impalab/learner/kernel"

// The gated Transformer-XL (Parisotto et al. 2019, in the order of TrXL-I, with the gates of a GRU): V-MPO's core for
// single Atari levels. A head has units/heads numbers. The perceptron of a layer has twice the units (V-MPO table 6).

// gateBias lets a gate start near the identity: Parisotto et al. §3.2.
const gateBias = -2

// transformer adds a whole core on x, and returns the index of its output.
func (b *builder) transformer(name string, x int) int {
	s, d := b.spec, b.spec.TrXL
	b.dense(name+"embed", x, d, kernel.Identity, coreGain)
	x = b.last()
	for i := range s.coreLayers() {
		of := name + "layer" + digits(i) + "."
		n := b.norm(of+"norm", x)
		b.dense(of+"query", n, d, kernel.Identity, coreGain)
		b.add(Layer{
			Name: of + "attend", Kind: Attend, From: []int{n, b.last()}, Out: d, State: b.state, Heads: s.CoreHeads,
			Memory: s.CoreMemory, rows: 3*d + 1, cols: d, fan: d, gain: coreGain,
		})
		b.state += kernel.MemorySize(d, s.CoreMemory)
		b.dense(of+"out", b.last(), d, kernel.ReLU, coreGain)
		x = b.gate(of+"gate", x, b.last())
		b.dense(of+"wide", b.norm(of+"norm1", x), 2*d, kernel.ReLU, torsoGain)
		b.dense(of+"narrow", b.last(), d, kernel.ReLU, coreGain)
		x = b.gate(of+"gate1", x, b.last())
	}
	return x
}

func (b *builder) norm(name string, x int) int {
	b.add(Layer{Name: name, Kind: Norm, From: []int{x}, Out: b.layers[x].Out})
	return b.last()
}

// gate adds a GRU's gate between x, the residual input, and y: r, z = σ and h = tanh of dense layers on (y, r ⊙ x),
// then x + z ⊙ (h − x).
func (b *builder) gate(name string, x, y int) int {
	d := b.layers[x].Out
	both := b.join(name+".in", y, x)
	b.dense(name+".reset", both, d, kernel.Sigmoid, coreGain)
	b.add(Layer{Name: name + ".past", Kind: Multiply, From: []int{b.last(), x}, Out: d})
	past := b.join(name+".new", y, b.last())
	b.dense(name+".next", past, d, kernel.Tanh, coreGain)
	h := b.last()
	b.dense(name+".open", both, d, kernel.Sigmoid, coreGain).gateBias = gateBias
	b.add(Layer{Name: name, Kind: Mix, From: []int{b.last(), x, h}, Out: d})
	return b.last()
}

func (b *builder) join(name string, x, y int) int {
	b.add(Layer{Name: name, Kind: Join, From: []int{x, y}, Out: b.layers[x].Out + b.layers[y].Out})
	return b.last()
}

// look runs a layer with attention for one step of up to a block of rows.
type look struct {
	*kernel.Attention
	cells, keep []float32
}

func newLook(kernels kernel.Set, l *Layer, rows int) look {
	k := look{Attention: kernels.NewAttention(1, rows, l.Out, l.Heads, l.Memory), keep: make([]float32, rows),
		cells: make([]float32, rows*kernel.AttentionWidth(l.Out, l.Heads, l.Memory))}
	for i := range k.keep {
		k.keep[i] = 1
	}
	return k
}

// step writes y of n rows from their n and q, and advances their states in place. The rows of state are stride numbers
// apart.
func (k *look) step(y, held, query []float32, l *Layer, theta, state []float32, stride, n int) {
	k.Rows, k.Stride = n, stride
	u := kernel.Attended{Cells: k.cells, N: held, Q: query, State: state[l.State:], Keep: k.keep}
	k.Forward(l.Weights(theta), u)
	width, size := kernel.AttentionWidth(l.Out, l.Heads, l.Memory), kernel.MemorySize(l.Out, l.Memory)
	for r := range n {
		copy(y[r*l.Out:(r+1)*l.Out], k.cells[r*width:])
		k.After(state[r*stride+l.State:][:size], u, 0, r)
	}
}
