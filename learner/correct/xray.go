// What the page shows of the ratios: how many are cut, how much data is left, how they spread.
package correct

import "math"

// ShareAbove is the share, in [0,1], of ratios above bar: the ones that truncation changes. A ratio of one policy with
// itself comes out a rounding away from 1; what is above by less than that is not counted.
func ShareAbove[F Float](ratio []F, bar F) float64 {
	if len(ratio) == 0 {
		return 0
	}
	const rounding = 1e-4
	above, bar := 0, bar*(1+rounding)
	for _, is := range ratio {
		if is > bar {
			above++
		}
	}
	return float64(above) / float64(len(ratio))
}

// EffectiveSample is (Σρ)²/(n·Σρ²), in [0,1]: the share of the data that the weights leave in
// effect. 1 when all are equal, 1/n when one outweighs the rest, 0 when all are zero.
func EffectiveSample[F Float](rho []F) float64 {
	top := 0.0 // dividing by the largest keeps the squares in range
	for _, w := range rho {
		top = max(top, min(float64(w), math.MaxFloat64))
	}
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
