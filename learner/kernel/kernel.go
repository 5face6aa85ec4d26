// Package kernel is the fast float32 arithmetic under the networks and the optimisers: row-major matrices, images as
// their rows, flat vectors. It allocates nothing. On amd64 it runs generated assembly (AVX-512 or AVX2, chosen at
// start), on arm64 too (NEON), elsewhere plain Go. In a browser's worker (-tags simd128) it runs WebAssembly with
// vectors of four numbers, with plain Go's bits.
//
// # Conventions
//
// Outputs come first in the arguments. Slices may be longer than the shape asks for, never shorter: a wrong shape
// panics. Outputs must not overlap inputs, except where a function says that dst may be src. Calls on disjoint outputs
// may run at once: no call shares scratch.
//
// # Determinism
//
// Every element of a product accumulates over k in order with fused multiply-adds, lanes run along the columns, and
// reductions use a fixed number of virtual lanes. So AVX2, AVX-512 and NEON give the same bits. Plain Go keeps the
// order but rounds every product by itself, on every processor: an explicit conversion around each product keeps the
// compiler from fusing it. It agrees with the vectors to a tolerance.
//
// A Set holds the kernels of one arithmetic, so that runs of both can train side by side.
package kernel

// Activation is the nonlinearity after a layer. Each one's derivative can be had from its output.
type Activation uint8

const (
	Identity Activation = iota
	ReLU
	Tanh
	Sigmoid
)

func (a Activation) String() string {
	if int(a) < len(activations) {
		return activations[a]
	}
	return "no activation"
}

var activations = [...]string{"identity", "relu", "tanh", "sigmoid"}

// need panics when a slice is shorter than its shape.
func need(have, want int) {
	if have < want {
		panic("kernel: slice shorter than its shape")
	}
}

// same panics when two vectors that go element by element differ in length.
func same(a, b int) {
	if a != b {
		panic("kernel: vectors differ in length")
	}
}
