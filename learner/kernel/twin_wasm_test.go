package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// A browser's WebAssembly gives the bits of its plain Go twins and writes nowhere else.

func TestABrowsersProductsHaveTheBitsOfTheirTwins(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 7))
		m, n, k := r.IntN(14), r.IntN(14), r.IntN(20)
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
		gemmPlain(c, a, b, m, n, k, ldc, ra, ca, rb, cb, add)
		if i := differsAt(c, want); i >= 0 {
			t.Fatalf("%d×%d, %d, strides %d, %d %d, %d %d: element %d is %g, of its twin %g", m, n, k, ldc, ra, ca, rb, cb, i,
				c[i], want[i])
		}
	}
}

func TestAProductOfTooShortSlicesPanicsInABrowserToo(t *testing.T) {
	for name, length := range map[string][3]int{"C": {15, 16, 16}, "A": {16, 15, 16}, "B": {16, 16, 15}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is one number too short: taken", name)
				}
			}()
			at := func(n int) []float32 { return make([]float32, n, n) }
			gemmPlain(at(length[0]), at(length[1]), at(length[2]), 4, 4, 4, 4, 4, 1, 4, 1, true)
		}()
	}
}

func TestABrowsersElementwiseLoopsHaveTheBitsOfTheirTwins(t *testing.T) {
	inf := float32(math.Inf(1))
	odd := []float32{0, float32(math.Copysign(0, -1)), 1e-45, -1e-38, 1e-4, 0.3, 9.99, 10, -10.01, 20, 88, -1e30, inf,
		-inf, float32(math.NaN())}
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 8))
		x := random(r, r.IntN(70))
		Scale(x, float32(math.Exp(4*r.NormFloat64())))
		x = append(x, odd...)
		got, want := make([]float32, len(x)+1), make([]float32, len(x)+1)
		Auto.tanh(got[:len(x)], x)
		tanhGo(want, x)
		if i := differsAt(got, want); i >= 0 {
			t.Fatalf("tanh %g is %g, of its twin %g", x[i], got[i], want[i])
		}

		rows, cols := r.IntN(5), r.IntN(9)
		y, bias, sums := random(r, rows*cols+1), random(r, cols), random(r, cols)
		wantY, wantSums, flat := slices.Clone(y), slices.Clone(sums), slices.Clone(y)
		colSum(sums, y, rows)
		colSumGo(wantSums, wantY, rows)
		biasAdd(y, bias, rows)
		biasAddGo(wantY, bias, rows)
		wantFlat := slices.Clone(flat)
		a := float32(r.IntN(3))
		axpy(flat, y, a)
		axpyGo(wantFlat, y, a)
		if differsAt(y, wantY) >= 0 || differsAt(sums, wantSums) >= 0 || differsAt(flat, wantFlat) >= 0 {
			t.Fatalf("%d rows of %d: %v %v %v, of their twins %v %v %v", rows, cols, y, sums, flat, wantY, wantSums, wantFlat)
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
