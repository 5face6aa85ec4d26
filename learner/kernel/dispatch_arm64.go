//go:build arm64 && !purego

package kernel

import "unsafe"

// Like dispatch_amd64.go, with one level: every arm64 has NEON.

func vectors() []string { return []string{levelNEON} }

func first(x []float32) *float32 { return unsafe.SliceData(x) }

func biasAdd(y, bias []float32, rows int) {
	if lanes == 1 {
		biasAddGo(y, bias, rows)
		return
	}
	biasAddNEON(first(y), first(bias), rows, len(bias))
}

func biasReLU(y, bias []float32, rows int) {
	if lanes == 1 {
		biasReLUGo(y, bias, rows)
		return
	}
	biasReLUNEON(first(y), first(bias), rows, len(bias))
}

func reluGrad(dz, dy, y []float32) {
	if lanes == 1 {
		reluGradGo(dz, dy, y)
		return
	}
	reluGradNEON(first(dz), first(dy), first(y), len(y))
}

func (s Set) tanhGrad(dz, dy, y []float32) {
	if s.lanes() == 1 {
		tanhGradGo(dz, dy, y)
		return
	}
	tanhGradNEON(first(dz), first(dy), first(y), len(y))
}

func colSum(dst, x []float32, rows int) {
	if lanes == 1 {
		colSumGo(dst, x, rows)
		return
	}
	colSumNEON(first(dst), first(x), rows, len(dst))
}

func (s Set) exp(dst, src []float32) {
	if s.lanes() == 1 {
		expGo(dst, src)
		return
	}
	expNEON(first(dst), first(src), len(src))
}

func (s Set) tanh(dst, src []float32) {
	if s.lanes() == 1 {
		tanhGo(dst, src)
		return
	}
	tanhNEON(first(dst), first(src), len(src))
}

func (s Set) sigmoid(dst, src []float32) {
	if s.lanes() == 1 {
		sigmoidGo(dst, src)
		return
	}
	sigmoidNEON(first(dst), first(src), len(src))
}

func axpy(y, x []float32, a float32) {
	if lanes == 1 {
		axpyGo(y, x, a)
		return
	}
	axpyNEON(first(y), first(x), len(x), a)
}

func scale(x []float32, a float32) {
	if lanes == 1 {
		scaleGo(x, a)
		return
	}
	scaleNEON(first(x), len(x), a)
}

func (s Set) dotLanes(sums *[sumLanes]float32, x, y []float32) {
	blocks := len(x) / sumLanes
	switch {
	case blocks == 0:
	case s.lanes() == 1:
		dotLanesGo(sums, x, y)
	default:
		dotLanesNEON(&sums[0], first(x), first(y), blocks)
	}
}

func packBits(words, x []float32, blocks int) bool {
	if lanes == 1 {
		return packBitsGo(words, x, blocks)
	}
	return packBitsNEON(first(words), first(x), blocks) == 0
}

func (s Set) rmsprop(theta, nu, grad []float32, decay, fresh, epsIn, epsOut, rate float32) {
	if s.lanes() == 1 {
		rmspropGo(theta, nu, grad, decay, fresh, epsIn, epsOut, rate)
		return
	}
	rmspropNEON(first(theta), first(nu), first(grad), len(grad), decay, fresh, epsIn, epsOut, rate)
}

func (s Set) rmspropMomentum(theta, nu, u, grad []float32, decay, fresh, epsIn, epsOut, rateIn, momentum,
	rate float32) {
	if s.lanes() == 1 {
		rmspropMomentumGo(theta, nu, u, grad, decay, fresh, epsIn, epsOut, rateIn, momentum, rate)
		return
	}
	rmspropMomentumNEON(first(theta), first(nu), first(u), first(grad), len(grad), decay, fresh, epsIn, epsOut, rateIn,
		momentum, rate)
}

func (s Set) adam(theta, m, v, grad []float32, beta1, fresh1, beta2, fresh2, root, eps, rate float32) {
	if s.lanes() == 1 {
		adamGo(theta, m, v, grad, beta1, fresh1, beta2, fresh2, root, eps, rate)
		return
	}
	adamNEON(first(theta), first(m), first(v), first(grad), len(grad), beta1, fresh1, beta2, fresh2, root, eps, rate)
}

func (s Set) lstmCell(h, c, tanhC, gates, z, cPrev []float32) {
	if s.lanes() == 1 {
		lstmCellGo(h, c, tanhC, gates, z, cPrev)
		return
	}
	lstmCellNEON(first(h), first(c), first(tanhC), first(gates), first(z), first(cPrev), len(h))
}

func (s Set) lstmCellBack(dz, dc, dh, dCells, cells, cPrev []float32) {
	if s.lanes() == 1 {
		lstmCellBackGo(dz, dc, dh, dCells, cells, cPrev)
		return
	}
	lstmCellBackNEON(first(dz), first(dc), first(dh), first(dCells), first(cells), first(cPrev), len(dc))
}

func (s Set) lstmCellTangent(tCells, tz, cells, cPrev, tcPrev []float32) {
	if s.lanes() == 1 {
		lstmCellTangentGo(tCells, tz, cells, cPrev, tcPrev)
		return
	}
	lstmCellTangentNEON(first(tCells), first(tz), first(cells), first(cPrev), first(tcPrev), len(cPrev))
}

// Strides of pooling are in bytes.

func poolMax(y, x []float32, s stretch) {
	if lanes == 1 {
		poolMaxGo(y, x, s)
		return
	}
	poolMaxNEON(first(y), first(x), s.count, s.c, s.ny, s.nx, 4*s.row, 4*s.step)
}

func poolBack(dx, dy, x, y []float32, s stretch) {
	if lanes == 1 {
		poolBackGo(dx, dy, x, y, s)
		return
	}
	poolBackNEON(first(dy), first(y), first(dx), first(x), s.count, s.c, s.ny, s.nx, 4*s.row, 4*s.step)
}

func poolPick(out, v, x, y []float32, s stretch) {
	if lanes == 1 {
		poolPickGo(out, v, x, y, s)
		return
	}
	poolPickNEON(first(out), first(y), first(v), first(x), s.count, s.c, s.ny, s.nx, 4*s.row, 4*s.step)
}

func (s Set) fmaLoop(n int) {
	if s.lanes() == 1 {
		fmaLoopGo(n)
		return
	}
	fmaLoopNEON(n)
}

// gemmStrip multiplies one strip of a product. Its distances are in bytes.
func gemmStrip(c, a, b *float32, m, cols, k, ldc, ra, ca, rb, bands, aBand, bBand, images, aImage, bImage, groups,
	cGroup, aGroup, accumulate, plusZero int) {
	gemmNEON(c, a, b, m, cols, k, ldc, ra, ca, rb, bands, aBand, bBand, images, aImage, bImage, groups, cGroup,
		aGroup, accumulate, plusZero)
}
