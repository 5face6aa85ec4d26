//go:build amd64 && !purego

package kernel

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// One switch for each routine. Direct calls, not a table of functions: through a function value the
// compiler must assume that arguments escape, and scratch on the stack would move to the heap.

func vectors() (names []string) {
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasBMI2 && cpu.X86.HasFMA {
		names = append(names, levelAVX512)
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		names = append(names, levelAVX2)
	}
	return names
}

func first(x []float32) *float32 { return unsafe.SliceData(x) }

// Rows this short never fill a vector, and plain Go is faster. Additions round the same everywhere.
const shortRow = 8

func biasAdd(y, bias []float32, rows int) {
	if len(bias) < shortRow {
		biasAddGo(y, bias, rows)
		return
	}
	switch lanes {
	case 16:
		biasAddAVX512(first(y), first(bias), rows, len(bias))
	case 8:
		biasAddAVX2(first(y), first(bias), rows, len(bias))
	default:
		biasAddGo(y, bias, rows)
	}
}

func biasReLU(y, bias []float32, rows int) {
	if len(bias) < shortRow {
		biasReLUGo(y, bias, rows)
		return
	}
	switch lanes {
	case 16:
		biasReLUAVX512(first(y), first(bias), rows, len(bias))
	case 8:
		biasReLUAVX2(first(y), first(bias), rows, len(bias))
	default:
		biasReLUGo(y, bias, rows)
	}
}

func reluGrad(dz, dy, y []float32) {
	switch lanes {
	case 16:
		reluGradAVX512(first(dz), first(dy), first(y), len(y))
	case 8:
		reluGradAVX2(first(dz), first(dy), first(y), len(y))
	default:
		reluGradGo(dz, dy, y)
	}
}

func (s Set) tanhGrad(dz, dy, y []float32) {
	switch s.lanes() {
	case 16:
		tanhGradAVX512(first(dz), first(dy), first(y), len(y))
	case 8:
		tanhGradAVX2(first(dz), first(dy), first(y), len(y))
	default:
		tanhGradGo(dz, dy, y)
	}
}

func colSum(dst, x []float32, rows int) {
	switch lanes {
	case 16:
		colSumAVX512(first(dst), first(x), rows, len(dst))
	case 8:
		colSumAVX2(first(dst), first(x), rows, len(dst))
	default:
		colSumGo(dst, x, rows)
	}
}

func (s Set) exp(dst, src []float32) {
	switch s.lanes() {
	case 16:
		expAVX512(first(dst), first(src), len(src))
	case 8:
		expAVX2(first(dst), first(src), len(src))
	default:
		expGo(dst, src)
	}
}

func (s Set) tanh(dst, src []float32) {
	switch s.lanes() {
	case 16:
		tanhAVX512(first(dst), first(src), len(src))
	case 8:
		tanhAVX2(first(dst), first(src), len(src))
	default:
		tanhGo(dst, src)
	}
}

func (s Set) sigmoid(dst, src []float32) {
	switch s.lanes() {
	case 16:
		sigmoidAVX512(first(dst), first(src), len(src))
	case 8:
		sigmoidAVX2(first(dst), first(src), len(src))
	default:
		sigmoidGo(dst, src)
	}
}

func axpy(y, x []float32, a float32) {
	switch lanes {
	case 16:
		axpyAVX512(first(y), first(x), len(x), a)
	case 8:
		axpyAVX2(first(y), first(x), len(x), a)
	default:
		axpyGo(y, x, a)
	}
}

func scale(x []float32, a float32) {
	switch lanes {
	case 16:
		scaleAVX512(first(x), len(x), a)
	case 8:
		scaleAVX2(first(x), len(x), a)
	default:
		scaleGo(x, a)
	}
}

func (s Set) dotLanes(sums *[sumLanes]float32, x, y []float32) {
	blocks := len(x) / sumLanes
	if blocks == 0 {
		return
	}
	switch s.lanes() {
	case 16:
		dotLanesAVX512(&sums[0], first(x), first(y), blocks)
	case 8:
		dotLanesAVX2(&sums[0], first(x), first(y), blocks)
	default:
		dotLanesGo(sums, x, y)
	}
}

func packBits(words, x []float32, blocks int) bool {
	if lanes == 1 {
		return packBitsGo(words, x, blocks)
	}
	return packBitsAVX2(first(words), first(x), blocks) == 0
}

func (s Set) rmsprop(theta, nu, grad []float32, decay, fresh, epsIn, epsOut, rate float32) {
	switch s.lanes() {
	case 16:
		rmspropAVX512(first(theta), first(nu), first(grad), len(grad), decay, fresh, epsIn, epsOut, rate)
	case 8:
		rmspropAVX2(first(theta), first(nu), first(grad), len(grad), decay, fresh, epsIn, epsOut, rate)
	default:
		rmspropGo(theta, nu, grad, decay, fresh, epsIn, epsOut, rate)
	}
}

func (s Set) rmspropMomentum(theta, nu, u, grad []float32, decay, fresh, epsIn, epsOut, rateIn, momentum,
	rate float32) {
	switch s.lanes() {
	case 16:
		rmspropMomentumAVX512(first(theta), first(nu), first(u), first(grad), len(grad), decay, fresh, epsIn, epsOut, rateIn,
			momentum, rate)
	case 8:
		rmspropMomentumAVX2(first(theta), first(nu), first(u), first(grad), len(grad), decay, fresh, epsIn, epsOut, rateIn,
			momentum, rate)
	default:
		rmspropMomentumGo(theta, nu, u, grad, decay, fresh, epsIn, epsOut, rateIn, momentum, rate)
	}
}

func (s Set) adam(theta, m, v, grad []float32, beta1, fresh1, beta2, fresh2, root, eps, rate float32) {
	switch s.lanes() {
	case 16:
		adamAVX512(first(theta), first(m), first(v), first(grad), len(grad), beta1, fresh1, beta2, fresh2, root, eps, rate)
	case 8:
		adamAVX2(first(theta), first(m), first(v), first(grad), len(grad), beta1, fresh1, beta2, fresh2, root, eps, rate)
	default:
		adamGo(theta, m, v, grad, beta1, fresh1, beta2, fresh2, root, eps, rate)
	}
}

func (s Set) lstmCell(h, c, tanhC, gates, z, cPrev []float32) {
	switch s.lanes() {
	case 16:
		lstmCellAVX512(first(h), first(c), first(tanhC), first(gates), first(z), first(cPrev), len(h))
	case 8:
		lstmCellAVX2(first(h), first(c), first(tanhC), first(gates), first(z), first(cPrev), len(h))
	default:
		lstmCellGo(h, c, tanhC, gates, z, cPrev)
	}
}

func (s Set) lstmCellBack(dz, dc, dh, dCells, cells, cPrev []float32) {
	switch s.lanes() {
	case 16:
		lstmCellBackAVX512(first(dz), first(dc), first(dh), first(dCells), first(cells), first(cPrev), len(dc))
	case 8:
		lstmCellBackAVX2(first(dz), first(dc), first(dh), first(dCells), first(cells), first(cPrev), len(dc))
	default:
		lstmCellBackGo(dz, dc, dh, dCells, cells, cPrev)
	}
}

func (s Set) lstmCellTangent(tCells, tz, cells, cPrev, tcPrev []float32) {
	switch s.lanes() {
	case 16:
		lstmCellTangentAVX512(first(tCells), first(tz), first(cells), first(cPrev), first(tcPrev), len(cPrev))
	case 8:
		lstmCellTangentAVX2(first(tCells), first(tz), first(cells), first(cPrev), first(tcPrev), len(cPrev))
	default:
		lstmCellTangentGo(tCells, tz, cells, cPrev, tcPrev)
	}
}

// Bytes of the float32s between rows, and between windows.
func (s stretch) bytes() (row, step int) { return 4 * s.row, 4 * s.step }

func poolMax(y, x []float32, s stretch) {
	row, step := s.bytes()
	switch lanes {
	case 16:
		poolMaxAVX512(first(y), first(x), s.count, s.c, s.ny, s.nx, row, step)
	case 8:
		poolMaxAVX2(first(y), first(x), s.count, s.c, s.ny, s.nx, row, step)
	default:
		poolMaxGo(y, x, s)
	}
}

func poolBack(dx, dy, x, y []float32, s stretch) {
	row, step := s.bytes()
	switch lanes {
	case 16:
		poolBackAVX512(first(dy), first(y), first(dx), first(x), s.count, s.c, s.ny, s.nx, row, step)
	case 8:
		poolBackAVX2(first(dy), first(y), first(dx), first(x), s.count, s.c, s.ny, s.nx, row, step)
	default:
		poolBackGo(dx, dy, x, y, s)
	}
}

func poolPick(out, v, x, y []float32, s stretch) {
	row, step := s.bytes()
	switch lanes {
	case 16:
		poolPickAVX512(first(out), first(y), first(v), first(x), s.count, s.c, s.ny, s.nx, row, step)
	case 8:
		poolPickAVX2(first(out), first(y), first(v), first(x), s.count, s.c, s.ny, s.nx, row, step)
	default:
		poolPickGo(out, v, x, y, s)
	}
}

func (s Set) fmaLoop(n int) {
	switch s.lanes() {
	case 16:
		fmaLoopAVX512(n)
	case 8:
		fmaLoopAVX2(n)
	default:
		fmaLoopGo(n)
	}
}

// gemmStrip multiplies one strip of a product. Its distances are in bytes.
func gemmStrip(c, a, b *float32, m, cols, k, ldc, ra, ca, rb, bands, aBand, bBand, images, aImage, bImage, groups,
	cGroup, aGroup, accumulate, plusZero int) {
	if lanes == 16 {
		gemmAVX512(c, a, b, m, cols, k, ldc, ra, ca, rb, bands, aBand, bBand, images, aImage, bImage, groups, cGroup,
			aGroup, accumulate, plusZero)
		return
	}
	gemmAVX2(c, a, b, m, cols, k, ldc, ra, ca, rb, bands, aBand, bBand, images, aImage, bImage, groups, cGroup,
		aGroup, accumulate, plusZero)
}
