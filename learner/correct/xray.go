// What the page shows of the ratios: how much of them is cut, how much data is left, how they spread.
package correct

import "math"

// CutShare is α·Σ(IS − bar)₊ / ΣIS, in [0,1]: the share of all weight that a truncation at bar takes away, leak α. 0
// without weight; with an infinite ratio what that loses.
func CutShare[F Float](ratio []F, bar, alpha F) float64 {
	top := largest(ratio)
	if top == 0 {
		return 0
	}
	cut, sum := 0.0, 0.0
	for _, is := range ratio {
		x := min(float64(is)/top, 1)
		sum += x
		cut += max(0, x-float64(bar)/top)
	}
	return float64(alpha) * cut / sum
}

// EffectiveSample is (Σρ)²/(n·Σρ²), in [0,1]: the share of the data that the weights leave in
// effect. 1 when all are equal, 1/n when one outweighs the rest, 0 when all are zero.
func EffectiveSample[F Float](rho []F) float64 {
	top := largest(rho) // dividing by it keeps the squares in range
	if top == 0 {
		return 0
	}
	sum, squares := 0.0, 0.0
	for _, w := range rho {
		x := min(float64(w)/top, 1)
		sum += x
		squares += x * x
	}
	return sum * sum / (float64(len(rho)) * squares)
}

// largest is the greatest weight, at most the greatest number there is; 0 of none.
func largest[F Float](weights []F) float64 {
	top := 0.0
	for _, w := range weights {
		top = max(top, min(float64(w), math.MaxFloat64))
	}
	return top
}

// RatioHistogram adds each ratio to its bin of log₂(IS) between lo and hi. The end bins also hold
// what lies outside, zero and infinity; what is not a number is in no bin.
func RatioHistogram[F Float](bins []uint32, ratio []F, lo, hi float64) {
	if len(bins) == 0 || !(lo < hi) {
		panic("correct: a histogram needs a bin and a range")
	}
	last := float64(len(bins) - 1)
	scale := float64(len(bins)) / (hi - lo)
	for _, is := range ratio {
		at := math.Floor((math.Log2(float64(is)) - lo) * scale)
		if !math.IsNaN(at) {
			bins[int(min(max(at, 0), last))]++
		}
	}
}
