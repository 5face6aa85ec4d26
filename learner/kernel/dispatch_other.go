//go:build !amd64 || purego

package kernel

// On machines without our vector code every routine is its plain Go twin. A browser has some in WebAssembly.

func vectors() []string { return nil }

func (Set) gemm(c, a, b []float32, m, n, k, ra, ca, rb, cb int, accumulate bool) {
	gemmPlain(c, a, b, m, n, k, n, ra, ca, rb, cb, accumulate)
}

func transpose(dst, src []float32, rows, cols, dstWidth, srcWidth int) {
	for r := range rows {
		for j, v := range src[r*srcWidth : r*srcWidth+cols] {
			dst[j*dstWidth+r] = v
		}
	}
}

func (Set) multiply(p *patches, c, a, b []float32, accumulate bool) {
	p.multiplyGo(c, a, b, accumulate)
}

func biasReLU(y, bias []float32, rows int) { biasReLUGo(y, bias, rows) }
func reluGrad(dz, dy, y []float32)         { reluGradGo(dz, dy, y) }
func (Set) tanhGrad(dz, dy, y []float32)   { tanhGradGo(dz, dy, y) }

func (Set) exp(dst, src []float32)     { expGo(dst, src) }
func (Set) sigmoid(dst, src []float32) { sigmoidGo(dst, src) }

func scale(x []float32, a float32) { scaleGo(x, a) }

func (Set) dotLanes(lanes *[sumLanes]float32, x, y []float32) { dotLanesGo(lanes, x, y) }

func packBits(words, x []float32, blocks int) bool { return packBitsGo(words, x, blocks) }

func (Set) rmsprop(theta, nu, grad []float32, decay, fresh, epsIn, epsOut, rate float32) {
	rmspropGo(theta, nu, grad, decay, fresh, epsIn, epsOut, rate)
}

func (Set) rmspropMomentum(theta, nu, u, grad []float32, decay, fresh, epsIn, epsOut, rateIn, momentum, rate float32) {
	rmspropMomentumGo(theta, nu, u, grad, decay, fresh, epsIn, epsOut, rateIn, momentum, rate)
}

func (Set) adam(theta, m, v, grad []float32, beta1, fresh1, beta2, fresh2, root, eps, rate float32) {
	adamGo(theta, m, v, grad, beta1, fresh1, beta2, fresh2, root, eps, rate)
}

func (Set) lstmCell(h, c, tanhC, gates, z, cPrev []float32) { lstmCellGo(h, c, tanhC, gates, z, cPrev) }

func (Set) lstmCellBack(dz, dc, dh, dCells, cells, cPrev []float32) {
	lstmCellBackGo(dz, dc, dh, dCells, cells, cPrev)
}

func (Set) lstmCellTangent(tCells, tz, cells, cPrev, tcPrev []float32) {
	lstmCellTangentGo(tCells, tz, cells, cPrev, tcPrev)
}

func poolMax(y, x []float32, s stretch)          { poolMaxGo(y, x, s) }
func poolBack(dx, dy, x, y []float32, s stretch) { poolBackGo(dx, dy, x, y, s) }
func poolPick(out, v, x, y []float32, s stretch) { poolPickGo(out, v, x, y, s) }

func (Set) fmaLoop(n int) { fmaLoopGo(n) }
