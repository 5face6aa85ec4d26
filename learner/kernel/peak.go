package kernel

import "runtime"

// The peak of a core, to which the kernels are compared.

// peakSums is how many sums the loop keeps in registers, so that no multiply-add waits for another.
const peakSums = 12

// FMALoop does n ≥ 1 rounds of multiply-adds on registers as wide as the kernels' and nothing else. It returns the
// number of multiplications and additions. Its rate is this core's peak in the set's arithmetic.
func (s Set) FMALoop(n int) (flops float64) {
	if n < 1 {
		panic("kernel: a loop of no rounds")
	}
	s.fmaLoop(n)
	return 2 * peakSums * float64(s.lanes()) * float64(n)
}

func fmaLoopGo(n int) {
	x := float32(1)
	var a, b, c, d, e, f, g, h, i, j, k, l float32
	for range n {
		a, b, c, d = float32(x*x)+a, float32(x*x)+b, float32(x*x)+c, float32(x*x)+d
		e, f, g, h = float32(x*x)+e, float32(x*x)+f, float32(x*x)+g, float32(x*x)+h
		i, j, k, l = float32(x*x)+i, float32(x*x)+j, float32(x*x)+k, float32(x*x)+l
	}
	runtime.KeepAlive(a + b + c + d + e + f + g + h + i + j + k + l) // or the compiler would leave the loop out
}
