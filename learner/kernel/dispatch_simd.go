//go:build wasm && simd128

package kernel

import "unsafe"

// Plain arithmetic on vectors: the kernels of simd_wasm.go, and their plain Go twins where no network spends its time.

// first returns the address of a slice, and length its length.
func first(x []float32) *float32 { return unsafe.SliceData(x) }
func length(x []float32) int32   { return int32(len(x)) }
func bytes(n int) int32          { return 4 * int32(n) }

func biasAdd(y, bias []float32, rows int) {
	addRows(first(y), first(bias), int32(rows), length(bias), bytes(len(bias)), 0)
}

func colSum(dst, x []float32, rows int) {
	addRows(first(dst), first(x), int32(rows), length(dst), 0, bytes(len(dst)))
}

func biasReLU(y, bias []float32, rows int) {
	biasReLURows(first(y), first(bias), int32(rows), length(bias))
}

func reluGrad(dz, dy, y []float32)       { reluGradN(first(dz), first(dy), first(y), length(y)) }
func (Set) tanhGrad(dz, dy, y []float32) { tanhGradN(first(dz), first(dy), first(y), length(y)) }

func (Set) exp(dst, src []float32)     { expN(first(dst), first(src), length(src)) }
func (Set) tanh(dst, src []float32)    { tanhN(first(dst), first(src), length(src)) }
func (Set) sigmoid(dst, src []float32) { sigmoidN(first(dst), first(src), length(src)) }

func axpy(y, x []float32, a float32) { axpyN(first(y), first(x), length(x), a) }
func scale(x []float32, a float32)   { scaleN(first(x), length(x), a) }

func (Set) dotLanes(lanes *[sumLanes]float32, x, y []float32) {
	if blocks := len(x) / sumLanes; blocks > 0 {
		dots(&lanes[0], first(x), first(y), int32(blocks))
	}
}

func (Set) rmsprop(theta, nu, grad []float32, decay, fresh, epsIn, epsOut, rate float32) {
	rmspropN(first(theta), first(nu), first(grad), length(grad), decay, fresh, epsIn, epsOut, rate)
}

func (Set) rmspropMomentum(theta, nu, u, grad []float32, decay, fresh, epsIn, epsOut, rateIn, momentum,
	rate float32) {
	rmspropMomentumN(first(theta), first(nu), first(u), first(grad), length(grad), decay, fresh, epsIn, epsOut, rateIn,
		momentum, rate)
}

func (Set) adam(theta, m, v, grad []float32, beta1, fresh1, beta2, fresh2, root, eps, rate float32) {
	adamN(first(theta), first(m), first(v), first(grad), length(grad), beta1, fresh1, beta2, fresh2, root, eps, rate)
}

func (s Set) lstmCell(h, c, tanhC, gates, z, cPrev []float32) {
	n := len(h)
	s.sigmoid(gates[:2*n], z[:2*n])
	s.tanh(gates[2*n:3*n], z[2*n:3*n])
	s.sigmoid(gates[3*n:4*n], z[3*n:4*n])
	i, f, g, o := gates[:n], gates[n:2*n], gates[2*n:3*n], gates[3*n:4*n]
	for j := range n {
		c[j] = float32(f[j]*cPrev[j]) + float32(i[j]*g[j])
	}
	s.tanh(tanhC, c)
	for j := range n {
		h[j] = o[j] * tanhC[j]
	}
}
