package exact

import (
	"errors"
	"math"
)

// solve replaces b by the solution X of M·X = B, by Gaussian elimination with partial pivoting, and destroys m.
// m: [n, n], b: [n, cols].
func solve(m, b []float64, cols int) error {
	n := len(b) / cols
	row := func(x []float64, i, width int) []float64 { return x[i*width : (i+1)*width] }
	for k := range n {
		pivot := k
		for i := k + 1; i < n; i++ {
			if math.Abs(m[i*n+k]) > math.Abs(m[pivot*n+k]) {
				pivot = i
			}
		}
		if !(math.Abs(m[pivot*n+k]) > 1e-13) {
			return errors.New("exact: no finite values: the episode need not end, so choose a discount below 1")
		}
		swap(row(m, k, n), row(m, pivot, n))
		swap(row(b, k, cols), row(b, pivot, cols))
		for i := k + 1; i < n; i++ {
			if f := m[i*n+k] / m[k*n+k]; f != 0 {
				subtract(row(m, i, n)[k:], row(m, k, n)[k:], f)
				subtract(row(b, i, cols), row(b, k, cols), f)
			}
		}
	}
	for k := n - 1; k >= 0; k-- {
		for i := k + 1; i < n; i++ {
			subtract(row(b, k, cols), row(b, i, cols), m[k*n+i])
		}
		for j := range cols {
			b[k*cols+j] /= m[k*n+k]
		}
	}
	return nil
}

func swap(x, y []float64) {
	for i := range x {
		x[i], y[i] = y[i], x[i]
	}
}

func subtract(x, y []float64, f float64) {
	if f == 0 {
		return
	}
	for i, v := range y {
		x[i] -= f * v
	}
}

func dot(x, y []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += v * y[i]
	}
	return sum
}

// normInf is the largest row sum of |m|, m: [n, n].
func normInf(m []float64, n int) float64 {
	norm := 0.0
	for i := range n {
		sum := 0.0
		for _, x := range m[i*n : (i+1)*n] {
			sum += math.Abs(x)
		}
		norm = max(norm, sum)
	}
	return norm
}

// spectralRadius is lim ‖Aᵏ‖^(1/k) (Gelfand), by squaring with the norm taken out each time: k = 2⁶⁰ leaves nothing
// of the constant in front, whatever the Jordan form.
func spectralRadius(a []float64, n int) float64 {
	m, square := append([]float64(nil), a...), make([]float64, n*n)
	log := 0.0
	for power := 1.0; power <= 1<<60; power *= 2 {
		norm := normInf(m, n)
		if norm == 0 {
			return 0
		}
		log += math.Log(norm) / power
		for i := range m {
			m[i] /= norm
		}
		clear(square)
		for i := range n {
			for k := range n {
				subtract(square[i*n:(i+1)*n], m[k*n:(k+1)*n], -m[i*n+k])
			}
		}
		m, square = square, m
	}
	return math.Exp(log)
}
