//go:build wasm && simd128

package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The kernels on vectors have the bits of their plain Go twins and write nowhere else. plain_test.go compares every
// routine; these are strides and numbers that no routine there has.

func TestAProductOnVectorsHasTheBitsOfItsTwin(t *testing.T) {
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 7))
		m, n, k := r.IntN(14), r.IntN(14), r.IntN(20)
		switch r.IntN(8) {
		case 0:
			k = blockDepth - 3 + r.IntN(300)
		case 1:
			m = restRows - 3 + r.IntN(9)
		case 2:
			n = packCols - 3 + r.IntN(9)
		}
		ldc, ra, ca, rb, cb := n+r.IntN(3), 1, m+r.IntN(3), n+r.IntN(3), 1
		if r.IntN(2) == 0 {
			ra, ca = k+r.IntN(3), 1
		}
		if r.IntN(2) == 0 {
			rb, cb = 1, k+r.IntN(3)
		}
		c, a, b := random(r, m*ldc+8), random(r, m*ra+k*ca+8), random(r, k*rb+n*cb+8)
		a[0] = float32(math.Copysign(0, -1))
		want, add := slices.Clone(c), r.IntN(2) == 0
		gemmGo(want, a, b, m, n, k, ldc, ra, ca, rb, cb, add)
		gemmFours(c, a, b, m, n, k, ldc, ra, ca, rb, cb, add)
		if i := differsAt(c, want); i >= 0 {
			t.Fatalf("%d×%d, %d, strides %d, %d %d, %d %d: element %d is %g, of its twin %g", m, n, k, ldc, ra, ca, rb, cb, i,
				c[i], want[i])
		}
	}
}

func TestAProductOfTooShortSlicesPanicsOnVectorsToo(t *testing.T) {
	for name, length := range map[string][3]int{"C": {15, 16, 16}, "A": {16, 15, 16}, "B": {16, 16, 15}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is one number too short: taken", name)
				}
			}()
			at := func(n int) []float32 { return make([]float32, n, n) }
			gemmFours(at(length[0]), at(length[1]), at(length[2]), 4, 4, 4, 4, 4, 1, 4, 1, true)
		}()
	}
}

func TestLoopsOnVectorsHaveTheBitsOfTheirTwins(t *testing.T) {
	inf := float32(math.Inf(1))
	odd := []float32{0, float32(math.Copysign(0, -1)), 1e-45, -1e-38, 1e-4, 0.3, 9.99, 10, -10.01, 20, 88, 88.7, 89.1,
		-87.4, -103, -104.2, -1e30, inf, -inf, float32(math.NaN())}
	for name, f := range map[string]struct{ fast, twin func(dst, src []float32) }{
		"tanh":     {Auto.tanh, tanhGo},
		"exp":      {Auto.exp, expGo},
		"sigmoid":  {Auto.sigmoid, sigmoidGo},
		"biasReLU": {func(y, x []float32) { biasReLU(y, x, 1) }, func(y, x []float32) { biasReLUGo(y, x, 1) }},
		"reluGrad": {func(y, x []float32) { reluGrad(y, y, x) }, func(y, x []float32) { reluGradGo(y, y, x) }},
		"axpy":     {func(y, x []float32) { axpy(y, x, 0.7) }, func(y, x []float32) { axpyGo(y, x, 0.7) }},
		"scale":    {func(y, _ []float32) { scale(y, 0.7) }, func(y, _ []float32) { scaleGo(y, 0.7) }},
	} {
		for seed := range uint64(200) {
			r := rand.New(rand.NewPCG(seed, 8))
			x := random(r, r.IntN(70))
			Scale(x, float32(math.Exp(4*r.NormFloat64())))
			x = append(x, odd...)
			r.Shuffle(len(x), func(i, j int) { x[i], x[j] = x[j], x[i] })
			got := append(random(r, len(x)), 3)
			want := slices.Clone(got)
			f.fast(got[:len(x)], x)
			f.twin(want[:len(x)], x)
			if i := differsAt(got, want); i >= 0 {
				t.Fatalf("%s %g is %g, of its twin %g", name, append(x, 0)[i], got[i], want[i])
			}
		}
	}
}

// differsAt is the first place where the bits are not the same, two NaN aside; -1: there is none.
func differsAt(x, y []float32) int {
	for i := range x {
		if math.Float32bits(x[i]) != math.Float32bits(y[i]) && (x[i] == x[i] || y[i] == y[i]) {
			return i
		}
	}
	return -1
}
