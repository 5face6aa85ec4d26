// Figures of the ratios for the page: the share that is cut, the data that remain in effect, and the histogram.
package correct

import "math"

// CutShare is α·Σ(IS − bar)₊ / ΣIS, in [0,1]: the share of all weight that a truncation at bar removes, with leak α. It
// is 0 if the weights sum to 0; an infinite ratio counts as the largest number.
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

// RemovedShare is 1 − Σmin(c, IS)/ΣIS, in [0,1]: the share of all weight that the weights c remove. It is 0 if the
// ratios sum to 0; an infinite ratio counts as the largest number.
func RemovedShare[F Float](weight, ratio []F) float64 {
	top := largest(ratio)
	if top == 0 {
		return 0
	}
	kept, sum := 0.0, 0.0
	for i, is := range ratio {
		x := min(float64(is)/top, 1)
		sum += x
		kept += min(float64(weight[i])/top, x)
	}
	return 1 - kept/sum
}

// EffectiveSample is (Σρ)²/(n·Σρ²), in [0,1]: the share of the data that the weights leave in effect. It is 1 if all
// weights are equal, 1/n if one outweighs the rest, and 0 if all are zero.
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

// largest returns the greatest weight, at most the largest finite number; 0 for an empty slice.
func largest[F Float](weights []F) float64 {
	top := 0.0
	for _, w := range weights {
		top = max(top, min(float64(w), math.MaxFloat64))
	}
	return top
}

// RatioHistogram adds each ratio to its bin of log₂(IS) between lo and hi. The end bins also count smaller and larger
// ratios, zero and infinity. NaN is in no bin.
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
