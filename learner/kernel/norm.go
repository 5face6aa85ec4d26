package kernel

import "math"

// Layer normalisation without gain and bias, which the linear map behind it has. Sums are float64, in the order of the
// columns, so that every arithmetic has the same bits.

// normEps is added to the variance, so that a constant row becomes zeros.
const normEps = 1e-5

// Norm writes (x − mean)/√(variance + 1e-5) of each row of x [rows, cols] to dst.
func Norm(dst, x []float32, rows, cols int) {
	need(len(dst), rows*cols)
	need(len(x), rows*cols)
	for r := range rows {
		to, from := row(dst, r, cols), row(x, r, cols)
		mean, inverse := moments(from)
		for j, v := range from {
			to[j] = float32((float64(v) - mean) * inverse)
		}
	}
}

// moments returns the mean of x and 1/√(variance + 1e-5).
func moments(x []float32) (mean, inverse float64) {
	n, square := float64(len(x)), 0.0
	for _, v := range x {
		mean += float64(v)
	}
	mean /= n
	for _, v := range x {
		d := float64(v) - mean
		square += float64(d * d)
	}
	return mean, 1 / math.Sqrt(square/n+normEps)
}

// NormBack writes ∂L/∂x to dx from dy = ∂L/∂Norm(x), or adds it: with y = Norm(x) and 1/σ as Norm has it,
// dx = (dy − mean(dy) − y·mean(dy⊙y))/σ. The map from dy to dx is its own transpose.
func NormBack(dx, dy, x []float32, rows, cols int, accumulate bool) {
	need(len(dx), rows*cols)
	need(len(dy), rows*cols)
	need(len(x), rows*cols)
	n := float64(cols)
	for r := range rows {
		to, dy, x := row(dx, r, cols), row(dy, r, cols), row(x, r, cols)
		mean, inverse := moments(x)
		sum, along := 0.0, 0.0
		for j, v := range dy {
			y := (float64(x[j]) - mean) * inverse
			sum += float64(v)
			along += float64(float64(v) * y)
		}
		sum, along = sum/n, along/n
		for j, v := range dy {
			y := (float64(x[j]) - mean) * inverse
			d := float32((float64(v) - sum - float64(along*y)) * inverse)
			if accumulate {
				d += to[j]
			}
			to[j] = d
		}
	}
}

// Multiply is y = a ⊙ b, or y += a ⊙ b with accumulate.
func Multiply(y, a, b []float32, accumulate bool) {
	same(len(y), len(a))
	same(len(y), len(b))
	if accumulate {
		for i, v := range a {
			y[i] += float32(v * b[i])
		}
		return
	}
	for i, v := range a {
		y[i] = v * b[i]
	}
}

// Negate is y = −x, or y −= x with accumulate.
func Negate(y, x []float32, accumulate bool) {
	same(len(y), len(x))
	if accumulate {
		for i, v := range x {
			y[i] -= v
		}
		return
	}
	for i, v := range x {
		y[i] = -v
	}
}
