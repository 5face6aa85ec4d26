package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Comparing twins cannot show that both are right; this test compares them with the definition.

func close32(got float32, want float64) bool {
	return math.Abs(float64(got)-want) <= 1e-5*(1+math.Abs(want))
}

func TestLayersAreActivationsOfSumsWithTheirDerivatives(t *testing.T) {
	functions := []struct {
		act      Activation
		f, slope func(z float64) float64
	}{
		{Identity, func(z float64) float64 { return z }, func(float64) float64 { return 1 }},
		{ReLU, func(z float64) float64 { return max(z, 0) }, func(z float64) float64 {
			if z > 0 {
				return 1
			}
			return 0
		}},
		{Tanh, math.Tanh, func(z float64) float64 { return 1 - math.Tanh(z)*math.Tanh(z) }},
	}
	everyLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(5, 6))
		for _, c := range functions {
			for _, cols := range []int{1, 5, 8, 16, 50, 64} {
				const rows = 7
				x, bias, dy := random(r, rows*cols), random(r, cols), random(r, rows*cols)
				y, dz, sums := append([]float32(nil), x...), make([]float32, rows*cols), make([]float32, cols)
				Auto.BiasAct(y, bias, rows, cols, c.act)
				Auto.ActGrad(dz, dy, y, c.act)
				direct := append([]float32(nil), x...)
				Auto.BiasAct(direct, bias, rows, cols, Identity)
				Auto.Act(direct, direct, c.act)
				if where := differ(direct, y); where != "" {
					t.Fatalf("activation %d alone, %d columns: %s", c.act, cols, where)
				}
				ColSum(sums, dz, rows, cols, false)
				for j := range cols {
					total := 0.0
					for i := range rows {
						at := i*cols + j
						z := float64(x[at] + bias[j])
						grad := float64(dy[at]) * c.slope(z)
						total += grad
						if !close32(y[at], c.f(z)) || !close32(dz[at], grad) {
							t.Fatalf("activation %d, %d columns: y %v dz %v, want %v %v", c.act, cols, y[at], dz[at], c.f(z), grad)
						}
					}
					if !close32(sums[j], total) {
						t.Fatalf("activation %d, %d columns: column %d sums to %v, want %v", c.act, cols, j, sums[j], total)
					}
				}
			}
		}
	})
}

func TestVectorsAddScaleAndMultiply(t *testing.T) {
	everyLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(7, 8))
		for n := range 200 {
			x, y := random(r, n), random(r, n)
			before := append([]float32(nil), y...)
			dot, squares := 0.0, 0.0
			for i := range x {
				dot += float64(x[i]) * float64(y[i])
				squares += float64(x[i]) * float64(x[i])
			}
			if got := Auto.Dot(x, y); math.Abs(got-dot) > 1e-4 {
				t.Fatalf("n %d: dot %v, want %v", n, got, dot)
			}
			if got := Auto.SumSq(x); math.Abs(got-squares) > 1e-4 {
				t.Fatalf("n %d: sum of squares %v, want %v", n, got, squares)
			}
			Add(y, x)
			Scale(x, -2)
			for i := range x {
				if !close32(y[i], float64(before[i])-0.5*float64(x[i])) {
					t.Fatalf("n %d: element %d is %v", n, i, y[i])
				}
			}
		}
	})
}
