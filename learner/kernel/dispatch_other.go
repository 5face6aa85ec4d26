//go:build ((!amd64 && !arm64) || purego) && !(wasm && simd128)

package kernel

// On machines without our vector code every routine is its plain Go twin.

func (Set) gemm(c, a, b []float32, m, n, k, ra, ca, rb, cb int, accumulate bool) {
	gemmGo(c, a, b, m, n, k, n, ra, ca, rb, cb, accumulate)
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

func biasAdd(y, bias []float32, rows int)  { biasAddGo(y, bias, rows) }
func colSum(dst, x []float32, rows int)    { colSumGo(dst, x, rows) }
func biasReLU(y, bias []float32, rows int) { biasReLUGo(y, bias, rows) }
func reluGrad(dz, dy, y []float32)         { reluGradGo(dz, dy, y) }
func (Set) tanhGrad(dz, dy, y []float32)   { tanhGradGo(dz, dy, y) }

func (Set) tanh(dst, src []float32)    { tanhGo(dst, src) }
func (Set) exp(dst, src []float32)     { expGo(dst, src) }
func (Set) sigmoid(dst, src []float32) { sigmoidGo(dst, src) }

func axpy(y, x []float32, a float32) { axpyGo(y, x, a) }
func scale(x []float32, a float32)   { scaleGo(x, a) }

func (Set) dotLanes(lanes *[sumLanes]float32, x, y []float32) { dotLanesGo(lanes, x, y) }

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
