package kernel

import (
	"testing"
	"time"
)

// The loop is what others are measured by: nothing that we have is faster, at any level.
func TestNoKernelIsFasterThanTheLoop(t *testing.T) {
	const n = 64
	c, a, b := make([]float32, n*n), make([]float32, n*n), make([]float32, n*n)
	for _, level := range append(Vectors(), levelGo) {
		restore := Use(level)
		loop, product := 0.0, 0.0
		for range 20 { // one of them undisturbed
			began := time.Now()
			flops := FMALoop(20_000)
			loop = max(loop, flops/time.Since(began).Seconds())
			began = time.Now()
			MatMul(c, a, b, n, n, n, false)
			product = max(product, 2*n*n*n/time.Since(began).Seconds())
		}
		restore()
		if product > 1.25*loop || loop > 1e13 {
			t.Errorf("%s: a product at %.1f GFLOP/s, the loop at %.1f", level, product/1e9, loop/1e9)
		}
	}
}
